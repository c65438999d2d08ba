package metrics

import (
	"errors"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Rows are a party's rows of stacked tables: the linear predictor, or the prediction with Identity, and the target of each. With tables
// beside the stacked ones Linear is the party's part of it, nil without one, and Target is nil if others have it.
type Rows struct{ Linear, Target []float64 }

// checkStacked refuses what has no metrics of stacked tables. Errors about values name no value.
func (e *Evaluation) checkStacked() error {
	if e.Stacked.Besides() {
		return e.checkBeside()
	}
	if err := e.Stacked.Check(len(e.Parties), make([]int, len(e.Parties))); err != nil {
		return err
	}
	if e.has(Lift, Calibration) && !e.binary() {
		return errors.New("lift and calibration of stacked tables are for targets of 0 and 1 (name auc, ks or confusion too)")
	}
	for _, t := range e.Thresholds {
		if x := e.linear(t); e.has(Confusion) && math.IsNaN(x) {
			return fmt.Errorf("threshold %v is not among the predictions that link %s has", t, e.Link)
		}
	}
	if len(e.Data) > len(e.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(e.Data), len(e.Parties))
	}
	for rank, d := range e.Data {
		if d == nil {
			continue
		}
		name := e.Parties[rank]
		if n := e.Stacked[rank]; len(d.Linear) != n || len(d.Target) != n {
			return fmt.Errorf("the table of %s has %d rows, and the task has %d", name, len(d.Target), n)
		}
		for i, x := range d.Linear {
			if math.IsNaN(x) || math.IsInf(x, 0) || e.has(AUC, KS, Lift, Calibration) && !(math.Abs(x) < maxPart) {
				return fmt.Errorf("row %d: the prediction of %s is not below %d in magnitude (rescale it)", i+1, name, maxPart)
			}
			if y := d.Target[i]; e.binary() && y != 0 && y != 1 {
				return fmt.Errorf("row %d of the target of %s: auc, ks, confusion, lift and calibration are for values 0 and 1", i+1, name)
			}
		}
		if mse, mean, sd := e.moments(d); e.has(RMSE, R2) && !(mse <= table.MaxStacked*table.MaxStacked && math.Abs(mean) <= table.MaxStacked &&
			sd <= table.MaxStacked) {
			return fmt.Errorf("the target or the predictions of %s are too large for rmse and r2 of stacked tables (rescale them: up to 2^20)", name)
		}
	}
	return e.checkCuts()
}

// moments returns the mean squared error of a party's predictions, and mean and standard deviation of its target.
func (e *Evaluation) moments(d *Rows) (mse, mean, sd float64) {
	n := float64(len(d.Target))
	for i, y := range d.Target {
		x := d.Linear[i]
		switch e.Link {
		case glm.Logit:
			x = 1 / (1 + math.Exp(-x))
		case glm.Log:
			x = math.Exp(x)
		case glm.Inverse:
			x = 1 / x
		}
		mse += (y - x) * (y - x) / n
		mean += y / n
	}
	return mse, mean, math.Sqrt(squares(d.Target) / n)
}

// all returns values of all rows, of which each party gives its own.
func (w *writer) all(name string, d tensor.DType, of func(*Rows) *tensor.Array) build.Value {
	var parts []build.Value
	for rank, n := range w.Stacked {
		parts = append(parts, w.own(name, rank, d, of, n))
	}
	return w.Concat(0, parts...)
}

// own adds an argument of a party of stacked tables.
func (w *writer) own(name string, rank int, d tensor.DType, of func(*Rows) *tensor.Array, dims ...int) build.Value {
	var data *tensor.Array
	if rank < len(w.Data) && w.Data[rank] != nil {
		data = of(w.Data[rank])
	}
	return w.arg(fmt.Sprint(name, rank), rank, d, func() *tensor.Array { return data }, dims...)
}

// stackedKey is key of stacked tables.
func (w *writer) stackedKey() build.Value {
	if w.Stacked.Besides() {
		return w.ofOwners("part", tensor.I32, func(r *Rows) *tensor.Array { return rounded(r.Linear) })
	}
	return w.all("part", tensor.I32, func(r *Rows) *tensor.Array { return rounded(r.Linear) })
}

// stackedMean is mean of stacked tables: each owner computes its predictions alone.
func (w *writer) stackedMean() build.Value {
	if w.Stacked.Besides() {
		return w.besideMean()
	}
	var parts []build.Value
	for rank, n := range w.Stacked {
		eta := w.own("linear", rank, tensor.F64, func(r *Rows) *tensor.Array { return tensor.FromFloats(tensor.F64, tensor.Shape{n}, r.Linear) }, n)
		parts = append(parts, glm.Mean(w.Builder, w.Link, eta))
	}
	return w.Concat(0, parts...)
}

// stackedErrors adds the mean squared error and the target's variance of all rows, from those of each party's.
func (w *writer) stackedErrors() {
	if w.Stacked.Besides() {
		w.besideErrors()
		return
	}
	var of []build.Value
	for rank := range w.Stacked {
		of = append(of, w.own("errors", rank, tensor.F64, func(r *Rows) *tensor.Array {
			mse, mean, sd := w.moments(r)
			return tensor.FromFloats(tensor.F64, tensor.Shape{3}, []float64{mse, mean, sd})
		}, 3))
	}
	at := func(rank, i int) build.Value { return w.Reshape(w.Slice(of[rank], []int{i}, []int{i + 1})) }
	var errors []build.Value
	for rank := range of {
		errors = append(errors, at(rank, 0))
	}
	all := w.Stacked.Pool(w.Builder, func(rank int) (mean, sd build.Value) { return at(rank, 1), at(rank, 2) })
	w.results = append(w.results, w.Stacked.Average(w.Builder, errors), all.Variance)
}
