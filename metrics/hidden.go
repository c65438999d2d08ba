package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Ring and fraction bits of RMSE, R², and metrics of a hidden join, which are quotients of secrets.
const (
	wideRing     = 128
	wideFraction = 40
)

// What stands for a metric that does not exist: too few rows match, all labels are equal, or the target does not vary.
const (
	noRatio = -1
	noR2    = 2
)

// leastVariance is the variance, in units of that of all rows of the target's owner, below which a target counts as constant.
const leastVariance = 1.0 / (1 << 16)

// leastMatching is the number of matching rows below which the metrics are not revealed: leastRows, and as many for each threshold of
// Confusion. Of fewer rows they show single values, and a party that chooses its keys would choose whose.
func (e *Evaluation) leastMatching() int {
	if e.has(Confusion) {
		return leastRows * max(1, len(e.Thresholds))
	}
	return leastRows
}

// checkHidden refuses what has no metrics of a hidden join.
func (e *Evaluation) checkHidden() error {
	h := e.Hidden
	if h == nil {
		return nil
	}
	if err := h.Check("metrics", len(e.Parties), e.rows(), hidden.Inner, hidden.Left); err != nil {
		return err
	}
	if err := h.CheckTarget(e.Owner, e.Parties); err != nil {
		return err
	}
	if h.Kind == hidden.Left && !slices.Contains(e.owners(), h.Keeper) {
		return fmt.Errorf("predictions of a left join have a part of %s, which keeps its rows: other rows have none (join with kind inner)",
			e.Parties[h.Keeper])
	}
	if h.Weighs() && e.has(Lift, Calibration) {
		return errors.New("lift and calibration divide the rows that match into parts, and a hidden join hides how many there are (join with method psi)")
	}
	return nil
}

// MatchArg returns the number of the program's argument that holds the weights of a hidden join; false without one.
func (e *Evaluation) MatchArg() (int, bool) { return 0, e.Hidden != nil }

// Moved returns, for each argument of the program that comes to the keeper's rows as shares, what the other party provides: an array
// with a row for each row of its own table. It returns nil for other arguments.
func (e *Evaluation) Moved() ([]*tensor.Array, error) {
	w, err := e.write()
	if err != nil {
		return nil, err
	}
	return w.moved, nil
}

// rowsArg adds an argument with a value for each row of a party's table.
func (w *writer) rowsArg(name string, rank int, d tensor.DType, data func() *tensor.Array) build.Value {
	w.moved = append(w.moved, nil)
	if owner := w.Hidden.Owner(rank); owner == party.Kept {
		if !slices.Contains(w.Absent, rank) {
			w.moved[len(w.moved)-1] = data()
		}
		w.spec.Args = append(w.spec.Args, party.Arg{Owner: owner})
		return w.Arg(name, d, w.n)
	}
	a := party.Arg{Owner: rank}
	if !slices.Contains(w.Absent, rank) {
		a.Data = data()
	}
	w.spec.Args = append(w.spec.Args, a)
	return w.Arg(name, d, w.n)
}

// weigh returns values of rows, 0 where no row matches; rank is the party whose rows the values are of, -1 for none.
func (w *writer) weigh(x, match build.Value, rank int) build.Value {
	if rank >= 0 && w.Hidden.Owner(rank) == party.Kept {
		return x // zeros already
	}
	return w.Mul(x, match)
}

// hiddenClasses is classes of a hidden join.
func (w *writer) hiddenClasses() {
	if !w.binary() {
		return
	}
	other := 1 - w.Hidden.Keeper
	match := w.rowsArg("matches", other, tensor.I64, func() *tensor.Array {
		return integers(tensor.I64, slices.Repeat([]int64{1}, w.Hidden.Rows[other]))
	})
	y := w.labels()
	label := w.Convert(y, tensor.I32)
	y = w.weigh(y, match, w.Owner)
	all, positives := w.Sum(match), w.Sum(y)
	enough := w.GreaterEqual(all, w.leastMatching())
	shown := func(x build.Value) build.Value { return w.Select(enough, x, 0) }
	if w.has(Confusion) {
		w.results = append(w.results, all, shown(positives))
	}
	pairs := shown(w.Mul(positives, w.Sub(all, positives)))
	if w.has(AUC, KS) {
		twice := w.Mul(w.key(), 2)
		sorted := func(key build.Value) (labels, places build.Value) {
			out := w.Sort([]build.Value{key, y, match}, 0, func(a, b []build.Value) build.Value { return w.Less(a[0], b[0]) })
			return out[1], w.prefix(out[2])
		}
		first, rows := sorted(w.Add(twice, label))
		second, rows2 := sorted(w.Add(twice, w.Sub(1, label)))
		if w.has(AUC) {
			places := w.Add(w.Sum(w.Mul(first, rows)), w.Sum(w.Mul(second, rows2)))
			w.results = append(w.results, w.ratio(w.Sub(places, w.Mul(positives, w.Add(positives, 1))), w.Mul(pairs, 2)))
		}
		if w.has(KS) {
			p, n := w.Broadcast(positives, w.n), w.Broadcast(all, w.n)
			up := w.Sub(w.Mul(w.prefix(first), n), w.Mul(rows, p))
			down := w.Sub(w.Mul(rows2, p), w.Mul(w.prefix(second), n))
			w.results = append(w.results, w.ratio(w.ReduceMax(w.Concat(0, up, down)), pairs))
		}
	}
	for i := range w.Thresholds {
		if w.has(Confusion) {
			reached, rank := w.reached(i)
			w.results = append(w.results, shown(w.Sum(w.weigh(reached, match, rank))), shown(w.Sum(w.Mul(reached, y))))
		}
	}
}

// ratio returns x/y of integers up to twice the square of the number of rows, or noRatio if y is 0.
func (w *writer) ratio(x, y build.Value) build.Value {
	scale := math.Exp2(-math.Ceil(math.Log2(float64(w.n)))) // small integers stay exact, large ones fit the ring
	number := func(x build.Value) build.Value { return w.Mul(w.Convert(x, tensor.F64), scale) }
	return w.Select(w.Greater(y, 0), w.Div(number(x), w.Max(number(y), scale)), w.Const(tensor.F64, float64(noRatio)))
}

// hiddenErrors adds RMSE and R² of the rows that match. The target's owner centres its rows and divides them by their unit.
func (w *writer) hiddenErrors(match build.Value) {
	if !w.has(RMSE, R2) {
		return
	}
	var mean, u float64
	if !slices.Contains(w.Absent, w.Owner) {
		for _, y := range w.Target {
			mean += y / float64(len(w.Target))
		}
		u, _ = unit(squares(w.Target) / float64(len(w.Target)))
	}
	y := w.rowsArg("target", w.Owner, tensor.F64, func() *tensor.Array {
		out := make([]float64, len(w.Target))
		for i, y := range w.Target {
			out[i] = (y - mean) / u
		}
		return tensor.FromFloats(tensor.F64, tensor.Shape{len(out)}, out)
	})
	units := w.arg("units", w.Owner, tensor.F64, func() *tensor.Array {
		return tensor.FromFloats(tensor.F64, tensor.Shape{3}, []float64{1 / u, mean / u, u})
	}, 3)
	of := func(i int) build.Value { return w.Reshape(w.Slice(units, []int{i}, []int{i + 1})) }
	predicted := w.Sub(w.Mul(w.mean(), w.Broadcast(of(0), w.n)), w.Broadcast(of(1), w.n))
	off := w.Mul(w.Sub(y, predicted), match)
	y = w.weigh(y, match, w.Owner)
	per := 1 / float64(w.n)
	share := w.Mean(match)
	enough := w.Greater(share, (float64(w.leastMatching())-0.5)*per)
	least := w.Max(share, per)
	over := func(x build.Value) build.Value { return w.Div(w.Mul(x, per), least) } // mean of rows that match
	squared := over(w.Dot(off, off))
	if w.has(RMSE) {
		root := w.Mul(w.Sqrt(w.Max(squared, 0.0)), of(2))
		w.results = append(w.results, w.Select(enough, root, w.Const(tensor.F64, float64(noRatio))))
	}
	if w.has(R2) {
		middle := over(w.Sum(y))
		variance := w.Sub(over(w.Dot(y, y)), w.Mul(middle, middle))
		explained := w.Sub(1.0, w.Div(squared, w.Max(variance, leastVariance)))
		exists := w.And(enough, w.GreaterEqual(variance, leastVariance))
		w.results = append(w.results, w.Select(exists, explained, w.Const(tensor.F64, float64(noR2))))
	}
}

// hiddenOutputs is Outputs of a hidden join.
func (e *Evaluation) hiddenOutputs() []string {
	var out []string
	few := fmt.Sprintf("or that fewer than %d rows match", e.leastMatching())
	if e.has(Confusion) {
		out = append(out, "number of rows that match", "number of positives among them, "+few)
	}
	if e.has(AUC) {
		out = append(out, "AUC, or that no positive or no negative row matches, "+few)
	}
	if e.has(KS) {
		out = append(out, "KS, or that no positive or no negative row matches, "+few)
	}
	if e.has(Confusion) {
		out = append(out, fmt.Sprintf("confusion matrix at %d thresholds, %s", len(e.Thresholds), few))
	}
	if e.has(RMSE) {
		out = append(out, "RMSE, "+few)
	}
	if e.has(R2) {
		out = append(out, "R², or that the target does not vary in the rows that match, "+few)
	}
	return out
}

// hiddenResults is Results of a hidden join.
func (e *Evaluation) hiddenResults() []string {
	var out []string
	if e.has(Confusion) {
		out = append(out, "number of rows that match", "number of positives among them")
	}
	for _, m := range []Metric{AUC, KS} {
		if e.has(m) {
			out = append(out, string(m)+", -1 for none")
		}
	}
	if e.has(Confusion) {
		out = append(out, e.confusionTexts()...)
	}
	if e.has(RMSE) {
		out = append(out, "RMSE, -1 for none")
	}
	if e.has(R2) {
		out = append(out, "R², 2 for none")
	}
	return out
}

// hiddenResult is Result of a hidden join.
func (e *Evaluation) hiddenResult(results []*tensor.Array) *Result {
	next := func() float64 {
		x := number(results[0])
		results = results[1:]
		return x
	}
	r := &Result{Rows: e.rows(), Hidden: true, Least: e.leastMatching()}
	var all, positives int64
	if e.has(Confusion) {
		all, positives = int64(next()), int64(next())
		if r.Matching = &all; all >= int64(e.leastMatching()) {
			r.Positives = &positives
		}
	}
	metric := func(m Metric, to **float64, exists func(float64) bool) {
		if !e.has(m) {
			return
		}
		if x := next(); exists(x) {
			*to = &x
		} else {
			r.Absent = append(r.Absent, m)
		}
	}
	is := func(x float64) bool { return x > noRatio+0.5 }
	metric(AUC, &r.AUC, is)
	metric(KS, &r.KS, is)
	if e.has(Confusion) {
		if r.Confusion = e.confused(next, all, positives); r.Positives == nil {
			r.Confusion, r.Absent = nil, append(r.Absent, Confusion)
		}
	}
	metric(RMSE, &r.RMSE, is)
	metric(R2, &r.R2, func(x float64) bool { return x < noR2-0.5 })
	return r
}

// weighs reports whether a hidden join's weights say which rows count.
func (e *Evaluation) weighs() bool { return e.Hidden.Weighs() }
