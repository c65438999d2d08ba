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
	// Features[0] is the number of columns of the stacked tables that are features. Further Features are those of parties beside them, and
	// 0 for others.
	Shape
	Data            []Data            // by rank, with the same features for all stacked tables
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
	}
	if err := s.Stacked.CheckBeside(len(s.Parties), s.Features); err != nil {
		return err
	}
	for _, rank := range []int{s.Owner, s.OffsetOwner, s.WeightsOwner} {
		if rank >= len(s.Stacked) || rank > 0 && s.Stacked[rank] > 0 {
			return errors.New("stacked tables have the same target, offset and weights, whose owner is the first party")
		}
	}
	if s.Features[0] == 0 && slices.Max(s.Features) > 0 {
		return errors.New("the stacked tables have no features")
	}
	return nil
}

// piece reports whether a party has one of the stacked tables.
func (s *Shape) piece(rank int) bool { return rank >= 0 && s.Stacked != nil && s.Stacked[rank] > 0 }

// scaled reports whether stacked targets are divided by a unit: the mean of all, or for centred ones their standard deviation.
func (s *Shape) scaled() bool { return s.piece(s.Owner) && s.dispersed() }

// stackedOwners is Owners of the stacked tables: for each party its features, the means and standard deviations of its rows, its offset,
// its weights and their mean, its target, mean and standard deviation (or the mean alone) of a target with a unit, and its part of
// the likelihood.
func (s *Shape) stackedOwners() []int {
	var out []int
	for rank := range s.Stacked {
		if !s.piece(rank) {
			continue
		}
		n := 2 // features, their means and standard deviations
		if s.piece(s.OffsetOwner) {
			n++
		}
		if s.piece(s.WeightsOwner) {
			n += 2
		}
		if s.piece(s.Owner) {
			n++
			if s.scaled() {
				n++
			}
			if len(s.own()) > 0 {
				n++
			}
		}
		out = append(out, slices.Repeat([]int{rank}, n)...)
	}
	return out
}

// stackedArgs is Args for the party of a stacked table, in the order of stackedOwners.
func (s *Shape) stackedArgs(rank int, d Data) ([]*tensor.Array, error) {
	rows, k := s.Stacked[rank], s.Features[0]
	if len(d.Features) != k || (d.Target != nil) != s.piece(s.Owner) || (d.Offset != nil) != s.piece(s.OffsetOwner) ||
		(d.Weights != nil) != s.piece(s.WeightsOwner) {
		return nil, fmt.Errorf("%s has %d features, and the model says %d, with the same target, offset and weights at all", s.Parties[rank], len(d.Features), k)
	}
	owners := s.Owners()
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
	if d.Target == nil {
		return out, nil
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

// stackedColumns are what the arguments of stacked tables make: features, mean/sd and 1/sd of all rows' features; and of a stacked target
// what its owners compute alone, mean and unit (zero Values for a target without a unit).
type stackedColumns struct{ x, shift, scale, own, mean, unit build.Value }

// stackedColumns adds the arguments of stacked tables.
func (w *writer) stackedColumns() stackedColumns {
	b, s, k := w.Builder, w.Shape, w.Shape.Features[0]
	var out stackedColumns
	units, targetUnits := make([]build.Value, len(s.Stacked)), make([]build.Value, len(s.Stacked)) // by rank
	var ranks []int
	var x, off, prior, means, targets []build.Value // of the stacked tables
	for rank, n := range s.Stacked {
		if n == 0 {
			continue
		}
		name := func(what string) string { return fmt.Sprint(what, rank) }
		ranks, x = append(ranks, rank), append(x, b.Arg(name("x"), tensor.F64, n, k))
		units[rank] = b.Arg(name("units"), tensor.F64, 2, k)
		if s.piece(s.OffsetOwner) {
			off = append(off, b.Arg(name("offset"), tensor.F64, n))
		}
		if s.piece(s.WeightsOwner) {
			prior, means = append(prior, b.Arg(name("weights"), tensor.F64, n)), append(means, b.Arg(name("weight"), tensor.F64))
		}
		if !s.piece(s.Owner) {
			continue
		}
		targets = append(targets, b.Arg(name("y"), tensor.F64, n))
		if s.scaled() {
			targetUnits[rank] = b.Arg(name("unit"), tensor.F64, 2)
		}
		if n := len(s.own()); n > 0 {
			if x := b.Arg(name("own"), tensor.F64, n); rank == 0 {
				out.own = x
			} else {
				out.own = b.Add(out.own, x)
			}
		}
	}
	all := s.Stacked.Pool(b, func(rank int) (mean, sd build.Value) {
		return stacked.Row(b, units[rank], 0), stacked.Row(b, units[rank], 1)
	})
	for i, rank := range ranks {
		x[i] = all.To[rank].Map(b, x[i])
	}
	out.x, out.shift, out.scale = b.Concat(0, x...), b.Neg(b.Mul(all.Mean, all.Inverse)), all.Inverse
	if off != nil {
		w.off = b.Concat(0, off...)
	}
	if prior != nil {
		w.total = s.Stacked.Average(b, means)
		per := b.Div(w.one(), w.total)
		for i, rank := range ranks {
			prior[i] = b.Mul(prior[i], b.Broadcast(b.Mul(means[i], per), s.Stacked[rank]))
		}
		w.prior = b.Concat(0, prior...)
	}
	if targets == nil {
		return out
	}
	w.ys = targets
	if s.scaled() {
		of := func(rank, i int) build.Value { return b.Reshape(b.Slice(targetUnits[rank], []int{i}, []int{i + 1})) }
		if s.centred() {
			y := s.Stacked.Pool(b, func(rank int) (mean, sd build.Value) { return of(rank, 0), of(rank, 1) })
			out.mean, out.unit = y.Mean, b.Div(w.one(), y.Inverse)
			for i, rank := range ranks {
				targets[i] = y.To[rank].Map(b, targets[i])
			}
		} else {
			var parts []build.Value
			for _, rank := range ranks {
				parts = append(parts, of(rank, 0))
			}
			out.unit = b.Max(s.Stacked.Average(b, parts), math.Sqrt(table.MinStackedVariance))
			out.mean = out.unit
			per := b.Div(w.one(), out.unit)
			for i, rank := range ranks {
				targets[i] = b.Mul(targets[i], b.Broadcast(b.Mul(of(rank, 0), per), s.Stacked[rank]))
			}
		}
		w.ys = nil
	}
	w.y = b.Concat(0, targets...)
	return out
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
		args, err := m.Args(rank, d)
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
	for rank, d := range m.Data {
		for _, f := range d.Features {
			if rank == 0 {
				names = append(names, f.Name)
			} else if !m.piece(rank) {
				names = append(names, m.Parties[rank]+"."+f.Name)
			}
		}
	}
	r, err := m.Shape.Fit(results, names)
	if err != nil {
		return nil, err
	}
	r.Base, r.Offset, r.Weights = m.Base, m.Offset, m.Weights
	return r, nil
}
