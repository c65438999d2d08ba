package glm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Stacked is a model of tables whose rows are those of one table: each party has all columns, of other rows (Shape.Stacked). Each owner
// standardises its own rows; the program maps them to the means and standard deviations of all rows, which stay shared.
type Stacked struct {
	Shape                             // Features[0] is the number of columns that are features, the other Features are 0
	Data            []Data            // by rank, with the same features
	Offset, Weights string            // names of columns
	Base            map[string]string // as in Model
}

// checkStacked refuses what is no model of stacked tables.
func (s *Shape) checkStacked() error {
	switch {
	case s.Stacked == nil:
		return nil
	case s.Hidden != nil:
		return errors.New("stacked tables are not joined")
	case s.Owner != 0:
		return errors.New("stacked tables have the same target")
	case s.OffsetOwner > 0 || s.WeightsOwner > 0:
		return errors.New("stacked tables all have an offset or weights")
	}
	return s.Stacked.Check(len(s.Parties), s.Features)
}

// scaled reports whether stacked targets are divided by a unit: the mean of all, or for centred ones their standard deviation.
func (s *Shape) scaled() bool { return s.Stacked != nil && s.dispersed() }

// stackedOwners is Owners of stacked tables: for each party its features, the means and standard deviations of its rows, its offset,
// its weights and their mean, its target, mean and standard deviation (or the mean alone) of a target with a unit, and its part of
// the likelihood.
func (s *Shape) stackedOwners() []int {
	var out []int
	for rank := range s.Parties {
		n := 3 // features, their means and standard deviations, target
		if s.OffsetOwner >= 0 {
			n++
		}
		if s.WeightsOwner >= 0 {
			n += 2
		}
		if s.scaled() {
			n++
		}
		if len(s.own()) > 0 {
			n++
		}
		out = append(out, slices.Repeat([]int{rank}, n)...)
	}
	return out
}

// stackedArgs is Args for stacked tables, in the order of stackedOwners.
func (s *Shape) stackedArgs(rank int, d Data) ([]*tensor.Array, error) {
	rows, k := s.Stacked[rank], s.Features[0]
	if len(d.Features) != k || d.Target == nil || (d.Offset != nil) != (s.OffsetOwner >= 0) || (d.Weights != nil) != (s.WeightsOwner >= 0) {
		return nil, fmt.Errorf("%s has %d features, and the model says %d, with a target, and the same offset and weights", s.Parties[rank], len(d.Features), k)
	}
	owners := s.stackedOwners()
	out, at := make([]*tensor.Array, len(owners)), slices.Index(owners, rank)
	give := func(values []float64, dims ...int) {
		out[at] = tensor.FromFloats(tensor.F64, tensor.Shape(dims), values)
		at++
	}
	x, units, err := stacked.Features(d.Features, rows)
	if err != nil {
		return nil, err
	}
	out[at], out[at+1] = x, units
	at += 2
	if d.Offset != nil {
		if err := d.checkOffset(); err != nil {
			return nil, err
		}
		give(d.Offset.Values, rows)
	}
	if d.Weights != nil {
		if err := d.checkWeights(); err != nil {
			return nil, err
		}
		mean := 0.0
		for _, v := range d.Weights.Values {
			mean += v / float64(rows)
		}
		prior := make([]float64, rows)
		for i, v := range d.Weights.Values {
			prior[i] = v / mean
		}
		give(prior, rows)
		give([]float64{mean})
	}
	if len(d.Target.Values) != rows {
		return nil, fmt.Errorf("%s has %d rows, and the model says %d", d.Target.Name, len(d.Target.Values), rows)
	}
	if err := s.checkValues(d); err != nil {
		return nil, err
	}
	y, unit := d.Target.Values, []float64(nil)
	if s.scaled() {
		z, mean, sd, err := stacked.Standardised(d.Target.Name, y)
		if err != nil {
			return nil, err
		}
		if unit = []float64{mean, sd}; !s.centred() { // values by their mean, which is not negative
			for i, v := range y {
				if z[i] = 0; mean > 0 {
					z[i] = v / mean
				}
			}
		}
		y = z
	}
	give(y, rows)
	if unit != nil {
		give(unit, 2)
	}
	if n := len(s.own()); n > 0 {
		give(s.ownValues(d.Target.Values), n)
	}
	return out, nil
}

// stackedColumns adds the arguments of stacked tables. It returns mean/sd and 1/sd of all rows' features, and mean and unit of the target;
// the latter are zero Values for a target without a unit.
func (w *writer) stackedColumns() (own, shift, scale, mean, unit build.Value) {
	b, s, k := w.Builder, w.Shape, w.Shape.Features[0]
	var x, units, off, prior, means, targets, targetUnits []build.Value // by rank
	for rank, n := range s.Stacked {
		name := func(what string) string { return fmt.Sprint(what, rank) }
		x, units = append(x, b.Arg(name("x"), tensor.F64, n, k)), append(units, b.Arg(name("units"), tensor.F64, 2, k))
		if s.OffsetOwner >= 0 {
			off = append(off, b.Arg(name("offset"), tensor.F64, n))
		}
		if s.WeightsOwner >= 0 {
			prior, means = append(prior, b.Arg(name("weights"), tensor.F64, n)), append(means, b.Arg(name("weight"), tensor.F64))
		}
		targets = append(targets, b.Arg(name("y"), tensor.F64, n))
		if s.scaled() {
			targetUnits = append(targetUnits, b.Arg(name("unit"), tensor.F64, 2))
		}
		if n := len(s.own()); n > 0 {
			if x := b.Arg(name("own"), tensor.F64, n); rank == 0 {
				own = x
			} else {
				own = b.Add(own, x)
			}
		}
	}
	rows := stacked.Rows(s.Stacked)
	all := rows.Pool(b, func(rank int) (mean, sd build.Value) {
		return stacked.Row(b, units[rank], 0), stacked.Row(b, units[rank], 1)
	})
	for rank := range rows {
		x[rank] = all.To[rank].Map(b, x[rank])
	}
	w.x = b.Concat(1, b.Const(tensor.F64, 1.0, w.n, 1), b.Concat(0, x...))
	if off != nil {
		w.off = b.Concat(0, off...)
	}
	if prior != nil {
		w.total = rows.Average(b, means)
		per := b.Div(w.one(), w.total)
		for rank, n := range s.Stacked {
			prior[rank] = b.Mul(prior[rank], b.Broadcast(b.Mul(means[rank], per), n))
		}
		w.prior = b.Concat(0, prior...)
	}
	w.ys = targets
	if s.scaled() {
		of := func(rank, i int) build.Value { return b.Reshape(b.Slice(targetUnits[rank], []int{i}, []int{i + 1})) }
		if s.centred() {
			y := rows.Pool(b, func(rank int) (mean, sd build.Value) { return of(rank, 0), of(rank, 1) })
			mean, unit = y.Mean, b.Div(w.one(), y.Inverse)
			for rank := range rows {
				targets[rank] = y.To[rank].Map(b, targets[rank])
			}
		} else {
			var parts []build.Value
			for rank := range s.Stacked {
				parts = append(parts, of(rank, 0))
			}
			unit = b.Max(rows.Average(b, parts), math.Sqrt(table.MinStackedVariance))
			mean = unit
			per := b.Div(w.one(), unit)
			for rank, n := range s.Stacked {
				targets[rank] = b.Mul(targets[rank], b.Broadcast(b.Mul(of(rank, 0), per), n))
			}
		}
		w.ys = nil
	}
	w.y = b.Concat(0, targets...)
	return own, b.Neg(b.Mul(all.Mean, all.Inverse)), all.Inverse, mean, unit
}

// each returns f of the target, for stacked tables of each party's apart, which its owner computes alone.
func (w *writer) each(f func(y build.Value) build.Value) build.Value {
	if w.ys == nil {
		return f(w.y)
	}
	var parts []build.Value
	for _, y := range w.ys {
		parts = append(parts, f(y))
	}
	return w.Concat(0, parts...)
}

// Spec returns Shape.Spec with the data.
func (m *Stacked) Spec() (party.Spec, error) {
	spec, err := m.Shape.Spec()
	if err != nil {
		return spec, err
	}
	for rank, d := range m.Data {
		args, err := m.stackedArgs(rank, d)
		if err != nil {
			return spec, fmt.Errorf("%s: %w", m.Parties[rank], err)
		}
		for arg, a := range args {
			if a != nil {
				spec.Args[arg].Data = a
			}
		}
	}
	return spec, nil
}

// Fit returns the fitted model that the results of a run of Spec describe.
func (m *Stacked) Fit(results []*tensor.Array) (*Result, error) {
	var names []string
	for _, f := range m.Data[0].Features {
		names = append(names, f.Name)
	}
	r, err := m.Shape.Fit(results, names)
	if err != nil {
		return nil, err
	}
	r.Base, r.Offset, r.Weights = m.Base, m.Offset, m.Weights
	return r, nil
}
