package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// DefaultCuts is the number of bins of calibration without others, and of fractions of lift: 1/10, 2/10, … 1.
const DefaultCuts = 10

// Bounds of lift and calibration.
const (
	maxCuts   = 1000
	leastRows = bins.DefaultMinGroup // between neighbouring cuts of the ordered rows
	maxScore  = 1 << 20              // of predictions that one party has
)

// fractions are those of lift, in ascending order.
func (e *Evaluation) fractions() []float64 {
	if !e.has(Lift) {
		return nil
	}
	if len(e.Fractions) > 0 {
		return slices.Compact(slices.Sorted(slices.Values(e.Fractions)))
	}
	out := make([]float64, DefaultCuts)
	for i := range out {
		out[i] = float64(i+1) / DefaultCuts
	}
	return out
}

// bins is the number of bins of calibration.
func (e *Evaluation) bins() int {
	switch {
	case !e.has(Calibration):
		return 0
	case e.Bins == 0:
		return DefaultCuts
	}
	return e.Bins
}

// binary reports whether the target has values 0 and 1.
func (e *Evaluation) binary() bool {
	return e.has(AUC, KS, Confusion) || e.has(Lift, Calibration) && e.Link == glm.Logit
}

// top returns the number of rows that are a fraction of all.
func (e *Evaluation) top(fraction float64) int {
	return int(math.Round(fraction * float64(e.rows())))
}

// edges returns where the bins of calibration begin and end among the rows in ascending order of predictions. They are
// counted from the highest prediction, as fractions are, so that bins and fractions that agree have the same rows.
func (e *Evaluation) edges() []int {
	k := e.bins()
	out := make([]int, k+1)
	for i := range out {
		out[i] = e.rows() - e.top(float64(k-i)/float64(k))
	}
	return out
}

// checkCuts refuses cuts of the ordered rows that are so close to each other that their sums show values of single rows.
func (e *Evaluation) checkCuts() error {
	if !e.has(Lift, Calibration) {
		return nil
	}
	n := e.rows()
	if len(e.fractions()) > maxCuts || e.bins() < 0 || e.bins() > maxCuts {
		return fmt.Errorf("want at most %d fractions and bins", maxCuts)
	}
	cuts := []int{0, n}
	for _, f := range e.fractions() {
		if !(f > 0 && f <= 1) {
			return fmt.Errorf("fraction %v of lift: want a number above 0 and at most 1", f)
		}
		cuts = append(cuts, n-e.top(f))
	}
	if e.has(Calibration) {
		cuts = append(cuts, e.edges()...)
	}
	slices.Sort(cuts)
	// A fraction that rounds to no row and two bins that are empty are too fine as well.
	if e.has(Lift) && e.top(e.fractions()[0]) < leastRows || e.has(Calibration) && n < leastRows*e.bins() {
		return e.tooFine()
	}
	for i := 1; i < len(cuts); i++ {
		if d := cuts[i] - cuts[i-1]; d > 0 && d < leastRows {
			return e.tooFine()
		}
	}
	return nil
}

// tooFine is the error of cuts that are too close to each other.
func (e *Evaluation) tooFine() error {
	return fmt.Errorf("the fractions of lift and the bins of calibration divide %d rows into groups of fewer than %d, whose sums would show "+
		"values of single rows: name fewer fractions or bins", e.rows(), leastRows)
}

// ordered are the target and the predictions in the order of predictions.
type ordered struct {
	first, second build.Value // the target; of equal predictions the first order has the lowest values first, the second the highest
	predictions   build.Value // a zero Value without Calibration
}

// cuts adds, for each fraction of lift, the sums of the target over the rows of the highest predictions in both orders; for
// each bin of calibration the same sums and that of predictions. scale multiplies sums; a zero Value is 1.
func (w *writer) cuts(o ordered, scale build.Value) {
	add := func(x build.Value) {
		if scale != (build.Value{}) {
			x = w.Mul(x, scale)
		}
		w.results = append(w.results, x)
	}
	both := w.Add(o.first, o.second)
	for _, f := range w.fractions() {
		add(w.Sum(w.Slice(both, []int{w.n - w.top(f)}, []int{w.n})))
	}
	if !w.has(Calibration) {
		return
	}
	edges := w.edges()
	for i := range w.bins() {
		add(w.Sum(w.Slice(both, edges[i:i+1], edges[i+1:i+2])))
		add(w.Sum(w.Slice(o.predictions, edges[i:i+1], edges[i+1:i+2])))
	}
}

// numbers adds lift and calibration of targets that are any numbers. They are computed in the target's unit u, which its
// owner alone knows.
func (w *writer) numbers() {
	if w.binary() || !w.has(Lift, Calibration) {
		return
	}
	y, per := w.scaled()
	u := w.arg("unit", w.Owner, tensor.F64, func() *tensor.Array {
		u, _ := unit(squares(w.Target) / float64(w.n))
		return tensor.FromFloats(tensor.F64, tensor.Shape{}, []float64{u})
	})
	operands := []build.Value{w.key(), y}
	if w.has(Calibration) {
		operands = append(operands, w.Mul(w.mean(), w.Broadcast(per, w.n)))
	}
	by := func(less func(x, y any) build.Value) func(a, b []build.Value) build.Value {
		return func(a, b []build.Value) build.Value {
			return w.Select(w.Equal(a[0], b[0]), less(a[1], b[1]), w.Less(a[0], b[0]))
		}
	}
	up := w.Sort(operands, 0, by(w.Less))
	down := w.Sort(operands[:2], 0, by(w.Greater))
	o := ordered{first: up[1], second: down[1]}
	if w.has(Calibration) {
		o.predictions = up[2]
	}
	w.results = append(w.results, w.Mul(w.Sum(y), u))
	w.cuts(o, u)
}

// Lifted compares the rows of the highest predictions with all rows. Of rows with equal predictions of which a fraction has some,
// Sum is the mean of the least and the most that it can be.
type Lifted struct {
	Fraction float64  `json:"fraction"`           // of the rows, those of the highest predictions
	Rows     int      `json:"rows"`               // their number
	Sum      float64  `json:"sum"`                // of the target: their positives
	Rate     float64  `json:"rate"`               // mean of the target
	Lift     *float64 `json:"lift,omitempty"`     // Rate / mean of the target over all rows; absent if that is 0
	Captured *float64 `json:"captured,omitempty"` // Sum / sum of the target over all rows; absent if that is 0
}

// Calibrated is a bin of rows with neighbouring predictions.
type Calibrated struct {
	Rows       int     `json:"rows"`
	Prediction float64 `json:"prediction"` // mean
	Observed   float64 `json:"observed"`   // mean of the target; equal predictions count as those of Lifted
}

// cutResults reads the results of cuts; total is the sum of the target over all rows.
func (e *Evaluation) cutResults(r *Result, total float64, next func() float64) {
	for _, f := range e.fractions() {
		l := Lifted{Fraction: f, Rows: e.top(f), Sum: next() / 2}
		l.Rate = l.Sum / float64(l.Rows)
		if total != 0 {
			lift, captured := l.Rate/(total/float64(e.rows())), l.Sum/total
			l.Lift, l.Captured = &lift, &captured
		}
		r.Lift = append(r.Lift, l)
	}
	if !e.has(Calibration) {
		return
	}
	edges := e.edges()
	for i := range e.bins() {
		n := edges[i+1] - edges[i]
		observed := next() / 2 / float64(n)
		r.Calibration = append(r.Calibration, Calibrated{n, next() / float64(n), observed})
	}
}

// cutOutputs describes what lift and calibration reveal.
func (e *Evaluation) cutOutputs() []string {
	var out []string
	if !e.binary() && e.has(Lift, Calibration) {
		out = append(out, "sum of the target")
	}
	what := "sum of the target"
	if e.binary() {
		what = "number of positives"
	}
	if n := len(e.fractions()); n > 0 {
		out = append(out, fmt.Sprintf("%s in %d fractions of the highest predictions (lift)", what, n))
	}
	if n := e.bins(); n > 0 {
		out = append(out, fmt.Sprintf("%s and mean prediction of %d bins of predictions (calibration)", what, n))
	}
	return out
}

// cutTexts describes the results of cuts.
func (e *Evaluation) cutTexts() []string {
	var out []string
	if !e.binary() && e.has(Lift, Calibration) {
		out = append(out, "sum of the target")
	}
	for _, f := range e.fractions() {
		out = append(out, fmt.Sprintf("twice the sum of the target over the %d highest predictions (lift)", e.top(f)))
	}
	for i := range e.bins() {
		out = append(out, fmt.Sprintf("twice the sum of the target in bin %d of predictions (calibration)", i+1),
			fmt.Sprintf("sum of the predictions in bin %d (calibration)", i+1))
	}
	return out
}

// number returns the value of a result that is an integer or a float.
func number(a *tensor.Array) float64 {
	if a.DType == tensor.I64 {
		return float64(int64(a.Words()[0]))
	}
	return a.Floats()[0]
}
