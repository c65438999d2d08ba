package metrics

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Result holds the metrics that a run revealed. A metric that was not requested is absent. So are AUC and KS if all
// rows have the same label, and R2 if all values of the target are equal.
type Result struct {
	Rows int `json:"rows"` // of a hidden join all rows of the keeper, of which the ones that match count
	// Hidden says that rows were matched by a hidden join that is no left join. Least is the number of matching rows below which no metric
	// is revealed, Matching is the number of those that match, if it was revealed, and Absent are the metrics that do not exist for them.
	Hidden    bool       `json:"hidden,omitempty"`
	Least     int        `json:"least_matching,omitempty"`
	Matching  *int64     `json:"matching,omitempty"`
	Absent    []Metric   `json:"absent,omitempty"`
	Positives *int64     `json:"positives,omitempty"`
	AUC       *float64   `json:"auc,omitempty"`
	KS        *float64   `json:"ks,omitempty"`
	Confusion []Confused `json:"confusion,omitempty"`
	// Sum is that of a target that is not of 0 and 1, for Lift and Calibration. Bins of Calibration are in ascending order.
	Sum         *float64     `json:"sum,omitempty"`
	Lift        []Lifted     `json:"lift,omitempty"`
	Calibration []Calibrated `json:"calibration,omitempty"`
	RMSE        *float64     `json:"rmse,omitempty"`
	R2          *float64     `json:"r2,omitempty"`
}

// Confused is the confusion matrix at a threshold.
type Confused struct {
	Threshold      float64 `json:"threshold"`
	TruePositives  int64   `json:"true_positives"`
	FalsePositives int64   `json:"false_positives"`
	FalseNegatives int64   `json:"false_negatives"`
	TrueNegatives  int64   `json:"true_negatives"`
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (e *Evaluation) Outputs() []string {
	if e.weighs() {
		return e.hiddenOutputs()
	}
	var out []string
	if e.binary() {
		out = append(out, "number of positives")
	}
	if e.has(AUC) {
		out = append(out, "AUC")
	}
	if e.has(KS) {
		out = append(out, "KS")
	}
	if e.has(Confusion) {
		out = append(out, fmt.Sprintf("confusion matrix at %d thresholds", len(e.Thresholds)))
	}
	out = append(out, e.cutOutputs()...)
	if e.has(RMSE, R2) {
		out = append(out, "RMSE and R² (sums of squares of errors and of the target)") // of stacked tables their means
	}
	return out
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (e *Evaluation) Results() []string {
	if e.weighs() {
		return e.hiddenResults()
	}
	var out []string
	if e.binary() {
		out = append(out, "number of positives")
	}
	if e.has(AUC) {
		out = append(out, "sum of the positives' positions (AUC)")
	}
	if e.has(KS) {
		out = append(out, "KS times the number of pairs")
	}
	if e.has(Confusion) {
		out = append(out, e.confusionTexts()...)
	}
	out = append(out, e.cutTexts()...)
	if e.has(RMSE, R2) {
		if e.Stacked != nil {
			return append(out, "mean squared error", "variance of the target")
		}
		out = append(out, "sum of squared errors", "sum of the target's squared differences from its mean")
	}
	return out
}

// confusionTexts describes the results of Confusion.
func (e *Evaluation) confusionTexts() []string {
	var out []string
	for _, t := range e.Thresholds {
		out = append(out, fmt.Sprintf("rows that reach %g", t), fmt.Sprintf("positives that reach %g", t))
	}
	return out
}

// confused returns the confusion matrices of rows with a number of positives; next returns the next result.
func (e *Evaluation) confused(next func() float64, rows, positives int64) []Confused {
	var out []Confused
	for _, t := range e.Thresholds {
		reached, hits := int64(next()), int64(next())
		out = append(out, Confused{t, hits, reached - hits, positives - hits, rows - positives - reached + hits})
	}
	return out
}

// Result returns the metrics that the results of a run of Spec describe. It returns an error if the results are not
// those of the program.
func (e *Evaluation) Result(results []*tensor.Array) (*Result, error) {
	n := e.rows()
	if want := len(e.Results()); len(results) != want {
		return nil, fmt.Errorf("metrics: %d results, want %d", len(results), want)
	}
	if e.weighs() {
		return e.hiddenResult(results), nil
	}
	next := func() float64 {
		x := number(results[0])
		results = results[1:]
		return x
	}
	count := func() int64 { return int64(next()) }
	r := &Result{Rows: n}
	var p, pairs int64
	if e.binary() {
		p = count()
		r.Positives, pairs = &p, p*(int64(n)-p)
	}
	if e.has(AUC) {
		if s := count(); pairs > 0 {
			x := float64(s-p*(p+1)) / 2 / float64(pairs)
			r.AUC = &x
		}
	}
	if e.has(KS) {
		if d := count(); pairs > 0 {
			x := float64(d) / float64(pairs)
			r.KS = &x
		}
	}
	if e.has(Confusion) {
		r.Confusion = e.confused(next, int64(n), p)
	}
	total := float64(p)
	if !e.binary() && e.has(Lift, Calibration) {
		total = next()
		r.Sum = &total
	}
	e.cutResults(r, total, next)
	if e.has(RMSE, R2) && e.Stacked != nil {
		squared, variance := max(0, next()), next()
		if e.has(RMSE) {
			x := math.Sqrt(squared)
			r.RMSE = &x
		}
		if x := 1 - squared/variance; e.has(R2) && variance > table.MinStackedVariance {
			r.R2 = &x
		}
		return r, nil
	}
	if e.has(RMSE, R2) {
		total := math.Float64frombits(results[1].Words()[0])
		u, _ := unit(total / float64(n))
		squared := max(0, results[0].Floats()[0]) * u * u
		if e.has(RMSE) {
			x := math.Sqrt(squared / float64(n))
			r.RMSE = &x
		}
		if x := 1 - squared/total; e.has(R2) && total > 0 {
			r.R2 = &x
		}
	}
	return r, nil
}

// Print writes the metrics as text, one a line.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d rows", r.Rows)
	if r.Hidden && r.Matching == nil {
		fmt.Fprint(w, ", of which those that match count")
	} else if r.Hidden {
		fmt.Fprintf(w, ", of which %d match", *r.Matching)
	}
	if r.Positives != nil {
		fmt.Fprintf(w, ", %d positives", *r.Positives)
	}
	if r.Sum != nil {
		fmt.Fprintf(w, ", sum of the target %.6g", *r.Sum)
	}
	fmt.Fprintln(w)
	for _, x := range []struct {
		name  string
		value *float64
	}{{"AUC", r.AUC}, {"KS", r.KS}, {"RMSE", r.RMSE}, {"R²", r.R2}} {
		if x.value != nil {
			fmt.Fprintf(w, "%s %.6g\n", x.name, *x.value)
		}
	}
	for _, m := range r.Absent {
		few := fmt.Sprintf("fewer than %d rows match", r.Least)
		why := map[Metric]string{RMSE: few, Confusion: few, R2: "the target does not vary in the rows that match, or " + few}[m]
		fmt.Fprintf(w, "no %s: %s\n", m, cmp.Or(why, "no positive or no negative row matches, or "+few))
	}
	for _, c := range r.Confusion {
		_, err := fmt.Fprintf(w, "threshold %g: %d true positives, %d false positives, %d false negatives, %d true negatives\n",
			c.Threshold, c.TruePositives, c.FalsePositives, c.FalseNegatives, c.TrueNegatives)
		if err != nil {
			return err
		}
	}
	if len(r.Lift) > 0 {
		fmt.Fprintf(w, "lift\n%10s %8s %12s %12s %8s %8s\n", "fraction", "rows", "sum", "rate", "lift", "captured")
	}
	for _, l := range r.Lift {
		fmt.Fprintf(w, "%10.4g %8d %12.6g %12.6g %8s %8s\n", l.Fraction, l.Rows, l.Sum, l.Rate, ratio(l.Lift), ratio(l.Captured))
	}
	if len(r.Calibration) > 0 {
		fmt.Fprintf(w, "calibration\n%10s %8s %12s %12s\n", "bin", "rows", "prediction", "observed")
	}
	for i, c := range r.Calibration {
		if _, err := fmt.Fprintf(w, "%10d %8d %12.6g %12.6g\n", i+1, c.Rows, c.Prediction, c.Observed); err != nil {
			return err
		}
	}
	return nil
}

// ratio returns the text of a number, - for none.
func ratio(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *x)
}
