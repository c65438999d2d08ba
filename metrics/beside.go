package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkBeside refuses what has no metrics of stacked tables with others beside them. Errors about values name no value.
func (e *Evaluation) checkBeside() error {
	if err := e.Stacked.CheckBeside(len(e.Parties), make([]int, len(e.Parties))); err != nil {
		return err
	}
	if len(e.Owners) == 0 || len(e.Owners) > maxParties {
		return fmt.Errorf("the predictions have parts of %d parties; metrics take those of stacked tables, of one beside them, or of both", len(e.Owners))
	}
	for _, rank := range append([]int{e.Owner}, e.Owners...) {
		if !e.Stacked.IsSide(rank) {
			return errors.New("the target and parts of predictions are those of all stacked tables, or of a party beside them")
		}
	}
	if e.has(Lift, Calibration) && !e.binary() {
		return errors.New("lift and calibration of stacked tables are for targets of 0 and 1 (name auc, ks or confusion too)")
	}
	for _, t := range e.Thresholds {
		if x := e.linear(t); e.has(Confusion) && (math.IsNaN(x) || len(e.Owners) > 1 && !(math.Abs(x) < maxPart)) {
			return fmt.Errorf("threshold %v is not among the predictions that link %s has", t, e.Link)
		}
	}
	if len(e.Data) > len(e.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(e.Data), len(e.Parties))
	}
	most := table.MaxStacked
	if len(e.Owners) > 1 || e.has(AUC, KS, Lift, Calibration) {
		most = maxPart
	}
	for rank, d := range e.Data {
		if d == nil {
			continue
		}
		name, n := e.Parties[rank], e.Stacked.In(rank)
		if len(d.Linear) != n && slices.Contains(e.Owners, e.Stacked.Side(rank)) || len(d.Target) != n && e.Owner == e.Stacked.Side(rank) {
			return fmt.Errorf("the table of %s has %d rows, and the task has %d", name, max(len(d.Target), len(d.Linear)), n)
		}
		for i, x := range d.Linear {
			if !(math.Abs(x) < float64(most)) {
				return fmt.Errorf("row %d: the prediction of %s is not below %d in magnitude (rescale it)", i+1, name, most)
			}
		}
		for i, y := range d.Target {
			if e.binary() && y != 0 && y != 1 {
				return fmt.Errorf("row %d of the target of %s: auc, ks, confusion, lift and calibration are for values 0 and 1", i+1, name)
			}
		}
		if e.Owner != e.Stacked.Side(rank) || !e.has(RMSE, R2) {
			continue
		}
		mean, sd := meanOf(d.Target)
		if _, ok := unit(sd * sd); !ok || !(math.Abs(mean) <= table.MaxStacked) {
			return fmt.Errorf("the target of %s is too large or too small for rmse and r2 of stacked tables (rescale it: its standard deviation is from "+
				"2^-20 to 2^20, or 0)", name)
		}
	}
	return e.checkCuts()
}

// meanOf returns the mean and the standard deviation of values.
func meanOf(values []float64) (mean, sd float64) {
	for _, x := range values {
		mean += x / float64(len(values))
	}
	return mean, math.Sqrt(squares(values) / float64(len(values)))
}

// column adds values of all rows of an owner: of 0 those of each stacked table, else those of the party beside them.
func (w *writer) column(name string, owner int, d tensor.DType, of func(*Rows) *tensor.Array) build.Value {
	var parts []build.Value
	for rank := range w.Stacked {
		if w.Stacked.Side(rank) == owner {
			parts = append(parts, w.own(name, rank, d, of, w.Stacked.In(rank)))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return w.Concat(0, parts...)
}

// ofOwners adds a column of each owner of parts, and returns their sum.
func (w *writer) ofOwners(name string, d tensor.DType, of func(*Rows) *tensor.Array) build.Value {
	var out build.Value
	for i, owner := range w.Owners {
		x := w.column(name, owner, d, of)
		if i > 0 {
			x = w.Add(out, x)
		}
		out = x
	}
	return out
}

// linears are the parts of a party's rows.
func linears(r *Rows) *tensor.Array {
	return tensor.FromFloats(tensor.F64, tensor.Shape{len(r.Linear)}, r.Linear)
}

// besideErrors adds the mean squared error and the target's variance of all rows, from those of each table that has the target. Its owner
// divides it by a unit, which stays shared, so that small errors are as exact as large ones.
func (w *writer) besideErrors() {
	var ranks []int
	for rank := range w.Stacked {
		if w.Stacked.Side(rank) == w.Owner {
			ranks = append(ranks, rank)
		}
	}
	prediction, from := w.mean(), 0
	var errs []build.Value
	moments := map[int]build.Value{} // the target's mean and standard deviation, and the unit's inverse and square
	for _, rank := range ranks {
		n := w.Stacked.In(rank)
		target := w.own("target", rank, tensor.F64, func(r *Rows) *tensor.Array {
			u, _ := unit(squares(r.Target) / float64(n))
			out := make([]float64, n)
			for i, y := range r.Target {
				out[i] = y / u
			}
			return tensor.FromFloats(tensor.F64, tensor.Shape{n}, out)
		}, n)
		moments[rank] = w.own("moments", rank, tensor.F64, func(r *Rows) *tensor.Array {
			mean, sd := meanOf(r.Target)
			u, _ := unit(sd * sd)
			return tensor.FromFloats(tensor.F64, tensor.Shape{4}, []float64{mean, sd, 1 / u, u * u})
		}, 4)
		off := w.Sub(target, w.Mul(w.Slice(prediction, []int{from}, []int{from + n}), w.Broadcast(w.moment(moments[rank], 2), n)))
		errs = append(errs, w.Mul(w.Mul(w.Dot(off, off), 1/float64(n)), w.moment(moments[rank], 3)))
		from += n
	}
	if w.Owner > 0 {
		sd := w.moment(moments[w.Owner], 1)
		w.results = append(w.results, errs[0], w.Mul(sd, sd))
		return
	}
	all := w.Stacked.Pool(w.Builder, func(rank int) (mean, sd build.Value) { return w.moment(moments[rank], 0), w.moment(moments[rank], 1) })
	w.results = append(w.results, w.Stacked.Average(w.Builder, errs), all.Variance)
}

// moment returns an element of a vector.
func (w *writer) moment(of build.Value, i int) build.Value {
	return w.Reshape(w.Slice(of, []int{i}, []int{i + 1}))
}

// besideMean is mean with tables beside the stacked ones.
func (w *writer) besideMean() build.Value {
	return glm.Mean(w.Builder, w.Link, w.ofOwners("linear", tensor.F64, linears))
}

// besideReached is reached with tables beside the stacked ones.
func (w *writer) besideReached(i int, least float64, reached func([]float64) *tensor.Array) (build.Value, int) {
	if len(w.Owners) > 1 {
		return w.Convert(w.GreaterEqual(w.key(), int64(math.Ceil(least*resolution))), tensor.I64), -1
	}
	return w.column(fmt.Sprintf("reached%d_", i), w.Owners[0], tensor.I64, func(r *Rows) *tensor.Array { return reached(r.Linear) }), -1
}
