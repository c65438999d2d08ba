package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// Metric names a measure of how well predictions fit a target.
type Metric string

// The metrics. The first three are for targets of 0 and 1.
const (
	AUC         Metric = "auc"         // area under the ROC curve
	KS          Metric = "ks"          // Kolmogorov–Smirnov statistic of the scores of both classes
	Confusion   Metric = "confusion"   // confusion matrix at each threshold
	Lift        Metric = "lift"        // mean of the target over the highest predictions, by that over all rows
	Calibration Metric = "calibration" // mean prediction and mean target in bins of equally many rows
	RMSE        Metric = "rmse"        // root of the mean squared error
	R2          Metric = "r2"          // 1 − squared errors / squared differences from the mean
)

// Metrics lists all metrics.
var Metrics = []Metric{AUC, KS, Confusion, Lift, Calibration, RMSE, R2}

// Evaluation says which metrics a run computes of which predictions and target. A row's prediction is the inverse of
// Link, applied to the sum of the parties' parts.
type Evaluation struct {
	Parties []string    // in rank order
	Parts   [][]float64 // by rank, a part of the linear predictor; nil: none
	Link    glm.Link
	Owner   int // rank of the target's owner
	Target  []float64
	Metrics []Metric
	// Thresholds are those of Confusion: a row is predicted to be positive if its prediction reaches the threshold.
	Thresholds []float64
	Fractions  []float64 // of Lift: of the rows, those of the highest predictions; nil: 0.1, 0.2, … 1
	Bins       int       // of Calibration; 0: 10
	// Rows and Absent are for a process that does not have all data: Rows is the number of rows, 0 for that of Target, and
	// Absent lists the ranks of the parties whose part, or target, another process has. Their arguments have no data.
	Rows   int
	Absent []int
	// Owners are the ranks of the parties that have parts; nil: those whose Parts are not nil.
	Owners []int
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's. Parts and Target have a value for each row of
	// their owner's table.
	Hidden *hidden.Join
	// Stacked, if not nil, are the numbers of rows of the parties' tables, whose rows are those of one table, and Data are these by rank; nil
	// for parties whose data this process lacks. Parts, Owner, Owners, Target, Rows and Absent do not count then, but for Owner and Owners if
	// there are parties beside these tables, whose number of rows is 0: they are 0 for the stacked tables, or the rank of such a party.
	Stacked stacked.Rows
	Data    []*Rows
}

// rows returns the number of rows; of a hidden join those of the keeper.
func (e *Evaluation) rows() int {
	if h := e.Hidden; h != nil && h.Keeper >= 0 && h.Keeper < len(h.Rows) {
		return h.Rows[h.Keeper]
	}
	if e.Stacked != nil {
		return e.Stacked.Total()
	}
	if e.Rows > 0 {
		return e.Rows
	}
	return len(e.Target)
}

// Bounds of an evaluation.
const (
	maxRows    = 1 << 22
	resolution = 1 << 16 // integers for each unit of the linear predictor
	maxPart    = 1 << 12 // of parts that are rounded: with two parties, keys fit 32 bits
	maxParties = 2
)

func (e *Evaluation) has(m ...Metric) bool {
	return slices.ContainsFunc(m, func(m Metric) bool { return slices.Contains(e.Metrics, m) })
}

// owners are the ranks of the parties that have parts.
func (e *Evaluation) owners() []int {
	out := slices.Clone(e.Owners)
	for rank, p := range e.Parts {
		if e.Owners != nil {
			break
		}
		if p != nil {
			out = append(out, rank)
		}
	}
	return out
}

// check refuses what cannot be evaluated. Errors about values name no value.
func (e *Evaluation) check() error {
	n := e.rows()
	switch {
	case e.Stacked == nil && (len(e.Parties) == 0 || len(e.Parts) != len(e.Parties) || e.Owner < 0 || e.Owner >= len(e.Parties)):
		return errors.New("metrics: parts and the target's owner do not fit the parties")
	case n < 2 || n > maxRows:
		return fmt.Errorf("the tables have %d rows; metrics need 2 to %d", n, maxRows)
	case e.Stacked == nil && (len(e.owners()) == 0 || len(e.owners()) > maxParties):
		return fmt.Errorf("the predictions have parts of %d parties; metrics take 1 or %d", len(e.owners()), maxParties)
	case len(e.Metrics) == 0:
		return fmt.Errorf("name a metric (%v)", Metrics)
	case !slices.Contains([]glm.Link{glm.Identity, glm.Logit, glm.Log, glm.Inverse}, e.Link):
		return fmt.Errorf("link %q is unknown", e.Link)
	case e.has(AUC, KS, Confusion, Lift, Calibration) && e.Link == glm.Inverse:
		return errors.New("auc, ks, confusion, lift and calibration are for predictions that grow with the linear predictor, not for link inverse")
	case e.has(Confusion) && len(e.Thresholds) == 0:
		return errors.New("confusion needs a threshold")
	}
	for _, m := range e.Metrics {
		if !slices.Contains(Metrics, m) {
			return fmt.Errorf("there is no metric %q (%v)", m, Metrics)
		}
	}
	if err := e.checkHidden(); err != nil {
		return err
	}
	if e.Stacked != nil {
		return e.checkStacked()
	}
	for _, rank := range e.owners() {
		if rank < 0 || rank >= len(e.Parties) {
			return errors.New("metrics: parts do not fit the parties")
		}
		part := e.Parts[rank]
		if slices.Contains(e.Absent, rank) {
			continue
		}
		if n := e.Hidden.OfParty(rank, n); len(part) != n {
			return fmt.Errorf("the part of %s has %d rows, but the target has %d", e.Parties[rank], len(part), n)
		}
		for i, x := range part {
			if e.has(Calibration) && len(e.owners()) == 1 && e.Link == glm.Identity && !(math.Abs(x) <= maxScore) {
				return fmt.Errorf("row %d: the prediction of %s is above %d in magnitude (rescale it)", i+1, e.Parties[rank], maxScore)
			}
			if len(e.owners()) > 1 && !(math.Abs(x) < maxPart) || math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("row %d: the part of %s is not below %d in magnitude", i+1, e.Parties[rank], maxPart)
			}
		}
	}
	if n, want := len(e.Target), e.Hidden.OfParty(e.Owner, n); n != want && !slices.Contains(e.Absent, e.Owner) {
		return fmt.Errorf("the target has %d rows, but the parts have %d", n, want)
	}
	for i, y := range e.Target {
		if e.binary() && y != 0 && y != 1 {
			return fmt.Errorf("row %d of the target: auc, ks and confusion are for values 0 and 1 (so are lift and calibration of a model with link logit)", i+1)
		}
	}
	if e.has(Confusion) {
		for _, t := range e.Thresholds {
			if x := e.linear(t); math.IsNaN(x) || math.IsInf(x, 0) || len(e.owners()) > 1 && math.Abs(x) >= maxPart {
				return fmt.Errorf("threshold %v is not among the predictions that link %s has", t, e.Link)
			}
		}
	}
	if err := e.checkCuts(); err != nil {
		return err
	}
	if e.wide() && !slices.Contains(e.Absent, e.Owner) {
		if _, ok := unit(squares(e.Target) / float64(len(e.Target))); !ok {
			return errors.New("the target's spread is too large or too small for rmse, r2, lift and calibration (rescale it: the standard deviation is from 2^-20 to 2^20)")
		}
	}
	return nil
}

// wide reports whether the program computes with targets that are any numbers, in the wide ring.
func (e *Evaluation) wide() bool {
	return e.has(RMSE, R2) || e.has(Lift, Calibration) && !e.binary()
}

// linear returns the linear predictor of a prediction.
func (e *Evaluation) linear(prediction float64) float64 {
	switch e.Link {
	case glm.Logit:
		return math.Log(prediction) - math.Log1p(-prediction)
	case glm.Log:
		return math.Log(prediction)
	}
	return prediction
}

// squares returns the sum of squared differences from the mean.
func squares(values []float64) float64 {
	n, mean, out := float64(len(values)), 0.0, 0.0
	for _, x := range values {
		mean += x / n
	}
	for _, x := range values {
		out += (x - mean) * (x - mean)
	}
	return out
}

// unit returns the power of two nearest to the root of a variance, 1 if the variance is 0; false if it is too large or too
// small.
func unit(variance float64) (float64, bool) {
	if variance == 0 {
		return 1, true
	}
	u := math.Exp2(math.Round(math.Log2(variance) / 2))
	return u, u >= 1.0/(1<<20) && u <= 1<<20
}

// Spec returns the spec of the run: all parties compute, and all learn the results. The caller may set protocol and
// network. It returns an error if the Evaluation is invalid.
func (e *Evaluation) Spec() (party.Spec, error) {
	w, err := e.write()
	if err != nil {
		return party.Spec{}, err
	}
	return *w.spec, nil
}

// write writes the program and its spec.
func (e *Evaluation) write() (*writer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	spec := party.Spec{Ring: 64, Fraction: 18, Parties: e.Parties, Computing: len(e.Parties), Network: party.DefaultNetwork}
	if e.wide() || e.weighs() {
		spec.Ring, spec.Fraction = wideRing, wideFraction
	}
	for rank := range e.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	w := &writer{Builder: build.New("eval"), Evaluation: e, spec: &spec, n: e.rows()}
	var match build.Value
	if e.Hidden != nil {
		spec.Args, w.moved = append(spec.Args, party.Arg{Owner: party.Kept}), append(w.moved, nil)
		match = w.Arg("match", tensor.F64, w.n)
	}
	if e.weighs() {
		w.hiddenClasses()
		w.hiddenErrors(match)
	} else {
		w.classes()
		w.numbers()
		w.errors()
	}
	w.Return(w.results...)
	var err error
	spec.Program, err = w.Program()
	return w, err
}

// writer writes the program.
type writer struct {
	*build.Builder
	*Evaluation
	spec    *party.Spec
	n       int
	results []build.Value
	moved   []*tensor.Array // by argument, what a hidden join moves; nil for other arguments
	// Arguments, and what follows from them alone; zero Values before they are asked for.
	q, predictions, target, per build.Value
}

// arg adds an argument of a party.
func (w *writer) arg(name string, rank int, d tensor.DType, data func() *tensor.Array, dims ...int) build.Value {
	a := party.Arg{Owner: rank}
	if !slices.Contains(w.Absent, rank) {
		a.Data = data()
	}
	w.spec.Args, w.moved = append(w.spec.Args, a), append(w.moved, nil)
	return w.Arg(name, d, dims...)
}

// integers returns a vector of integers.
func integers(d tensor.DType, values []int64) *tensor.Array {
	words := make([]uint64, len(values))
	for i, x := range values {
		words[i] = uint64(x)
	}
	return tensor.FromWords(d, tensor.Shape{len(values)}, words)
}

// ranks returns the ranks of values: equal ones for equal values, ascending from 0.
func ranks(values []float64) []int64 {
	sorted := slices.Compact(slices.Sorted(slices.Values(values)))
	out := make([]int64, len(values))
	for i, x := range values {
		at, _ := slices.BinarySearch(sorted, x)
		out[i] = int64(at)
	}
	return out
}

// key returns integers in the order of the predictions.
func (w *writer) key() build.Value {
	if w.q != (build.Value{}) {
		return w.q
	}
	if w.Stacked != nil {
		w.q = w.stackedKey()
		return w.q
	}
	owners := w.owners()
	if len(owners) == 1 {
		w.q = w.rowsArg("ranks", owners[0], tensor.I32, func() *tensor.Array { return integers(tensor.I32, ranks(w.Parts[owners[0]])) })
		return w.q
	}
	for i, rank := range owners {
		v := w.rowsArg(fmt.Sprintf("part%d", rank), rank, tensor.I32, func() *tensor.Array {
			return rounded(w.Parts[rank])
		})
		if i > 0 {
			v = w.Add(w.q, v)
		}
		w.q = v
	}
	return w.q
}

// rounded returns parts as integers.
func rounded(part []float64) *tensor.Array {
	out := make([]int64, len(part))
	for k, x := range part {
		out[k] = int64(math.Round(x * resolution))
	}
	return integers(tensor.I32, out)
}

// mean returns the predictions.
func (w *writer) mean() build.Value {
	if w.predictions != (build.Value{}) {
		return w.predictions
	}
	if w.Stacked != nil {
		w.predictions = w.stackedMean()
		return w.predictions
	}
	var eta build.Value
	for i, rank := range w.owners() {
		v := w.rowsArg(fmt.Sprintf("linear%d", rank), rank, tensor.F64, func() *tensor.Array {
			return tensor.FromFloats(tensor.F64, tensor.Shape{len(w.Parts[rank])}, w.Parts[rank])
		})
		if i > 0 {
			v = w.Add(eta, v)
		}
		eta = v
	}
	w.predictions = glm.Mean(w.Builder, w.Link, eta)
	return w.predictions
}

// scaled returns the target divided by its unit u, which its owner alone knows, and 1/u.
func (w *writer) scaled() (target, per build.Value) {
	if w.target != (build.Value{}) {
		return w.target, w.per
	}
	u, _ := unit(squares(w.Target) / float64(w.n))
	w.target = w.arg("target", w.Owner, tensor.F64, func() *tensor.Array {
		y := make([]float64, w.n)
		for i, x := range w.Target {
			y[i] = x / u
		}
		return tensor.FromFloats(tensor.F64, tensor.Shape{w.n}, y)
	}, w.n)
	w.per = w.arg("scale", w.Owner, tensor.F64, func() *tensor.Array { return tensor.FromFloats(tensor.F64, tensor.Shape{}, []float64{1 / u}) })
	return w.target, w.per
}

// classes adds the metrics of targets of 0 and 1.
func (w *writer) classes() {
	if !w.binary() {
		return
	}
	y := w.labels()
	w.results = append(w.results, w.Sum(y))
	var o ordered
	if w.has(AUC, KS, Lift, Calibration) {
		o = w.order(y)
	}
	if w.has(Confusion) {
		w.confusion(y)
	}
	if w.has(Lift, Calibration) {
		w.cuts(o, build.Value{})
	}
}

// labels returns the target of 0 and 1.
func (w *writer) labels() build.Value {
	of := func(target []float64) *tensor.Array {
		labels := make([]int64, len(target))
		for i, y := range target {
			labels[i] = int64(y)
		}
		return integers(tensor.I64, labels)
	}
	if w.Stacked.Besides() {
		return w.column("labels", w.Owner, tensor.I64, func(r *Rows) *tensor.Array { return of(r.Target) })
	}
	if w.Stacked != nil {
		return w.all("labels", tensor.I64, func(r *Rows) *tensor.Array { return of(r.Target) })
	}
	return w.rowsArg("labels", w.Owner, tensor.I64, func() *tensor.Array { return of(w.Target) })
}

// order adds AUC and KS, and returns the order of the rows.
func (w *writer) order(y build.Value) ordered {
	twice, label := w.Mul(w.key(), 2), w.Convert(y, tensor.I32)
	sorted := func(key build.Value, with ...build.Value) []build.Value {
		return w.Sort(append([]build.Value{key}, with...), 0, func(a, b []build.Value) build.Value { return w.Less(a[0], b[0]) })[1:]
	}
	with := []build.Value{y}
	if w.has(Calibration) {
		with = append(with, w.mean())
	}
	up := sorted(w.Add(twice, label), with...)
	o := ordered{first: up[0], second: sorted(w.Add(twice, w.Sub(1, label)), y)[0]}
	if w.has(Calibration) {
		o.predictions = up[1]
	}
	at := w.Add(w.Iota(tensor.I64, 0, w.n), 1)
	if w.has(AUC) {
		w.results = append(w.results, w.Sum(w.Mul(w.Add(o.first, o.second), at)))
	}
	if w.has(KS) {
		// P·N·(F_neg − F_pos) = i·P − n·P_i at position i, P_i positives up to there
		all := w.Mul(w.Broadcast(w.Sum(y), w.n), at)
		first := w.Sub(w.Mul(w.prefix(o.first), w.n), all)
		second := w.Sub(all, w.Mul(w.prefix(o.second), w.n))
		w.results = append(w.results, w.ReduceMax(w.Concat(0, first, second)))
	}
	return o
}

// prefix returns prefix sums, which are local.
func (w *writer) prefix(x build.Value) build.Value {
	for by := 1; by < w.n; by *= 2 {
		zeros := w.Const(tensor.I64, 0, by)
		x = w.Add(x, w.Concat(0, zeros, w.Slice(x, []int{0}, []int{w.n - by})))
	}
	return x
}

// confusion adds, for each threshold, the number of rows that reach it and of positives among them.
func (w *writer) confusion(y build.Value) {
	for i := range w.Thresholds {
		reached, _ := w.reached(i)
		w.results = append(w.results, w.Sum(reached), w.Sum(w.Mul(reached, y)))
	}
}

// reached returns 1 for the rows whose prediction reaches threshold i, and the rank of the party that compares; -1: the parties together.
func (w *writer) reached(i int) (build.Value, int) {
	least := w.linear(w.Thresholds[i])
	reached := func(part []float64) *tensor.Array {
		bits := make([]int64, len(part))
		for k, x := range part {
			if x >= least {
				bits[k] = 1
			}
		}
		return integers(tensor.I64, bits)
	}
	if w.Stacked.Besides() {
		return w.besideReached(i, least, reached)
	}
	if w.Stacked != nil {
		return w.all(fmt.Sprintf("reached%d_", i), tensor.I64, func(r *Rows) *tensor.Array { return reached(r.Linear) }), -1
	}
	owners := w.owners()
	if len(owners) > 1 {
		return w.Convert(w.GreaterEqual(w.key(), int64(math.Ceil(least*resolution))), tensor.I64), -1
	}
	return w.rowsArg(fmt.Sprintf("reached%d", i), owners[0], tensor.I64, func() *tensor.Array { return reached(w.Parts[owners[0]]) }), owners[0]
}

// errors adds the sums of squares of RMSE and R2: of the errors, in units that follow from the second one, and of the
// target's differences from its mean, as the bits of a float, which its owner sends.
func (w *writer) errors() {
	if !w.has(RMSE, R2) {
		return
	}
	if w.Stacked != nil {
		w.stackedErrors()
		return
	}
	target, per := w.scaled()
	off := w.Sub(target, w.Mul(w.mean(), w.Broadcast(per, w.n)))
	w.results = append(w.results, w.Dot(off, off), w.arg("total", w.Owner, tensor.U64, func() *tensor.Array {
		return tensor.FromWords(tensor.U64, tensor.Shape{}, []uint64{math.Float64bits(squares(w.Target))})
	}))
}
