package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/kmeans"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pca"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/tensor"
)

// Work is the program of a task, with the data of all parties or of some. Each package of tasks implements it.
type Work interface {
	// Spec returns the spec of the run. The arguments of parties whose data this process lacks have no data.
	Spec() (party.Spec, error)
	// Outputs returns one text for each thing that the run reveals to the parties that learn its results.
	Outputs() []string
	// Results returns one text for each result of the program, in order, that says what the result is.
	Results() []string
}

// Early returns what parties learn while a task's program runs.
func Early(w Work) []gbt.Early {
	if w, ok := w.(interface{ Early() []gbt.Early }); ok {
		return w.Early()
	}
	return nil
}

// Answer is the result of a task in the form that commands print. encoding/json writes it too.
type Answer interface{ Print(w io.Writer) error }

// Predictions holds the predictions of a run with a revealed model, one for each row.
type Predictions struct {
	Values []float64 `json:"predictions"`
}

// maxShown is the number of predictions that are printed.
const maxShown = 10

// Print writes the first predictions, and how many more there are.
func (p *Predictions) Print(w io.Writer) error {
	for i, x := range p.Values[:min(len(p.Values), maxShown)] {
		if _, err := fmt.Fprintf(w, "row %d: %.6g\n", i+1, x); err != nil {
			return err
		}
	}
	if n := len(p.Values); n > maxShown {
		_, err := fmt.Fprintf(w, "and %d more (write all with --out)\n", n-maxShown)
		return err
	}
	return nil
}

// FileName returns the base name of the file for the task's answer; "" for predictions, of which each party gets a
// table instead.
func (t *Task) FileName() string {
	switch t.kind() {
	case GLM, GBT, KMeans, PCA:
		return "fit.json"
	case Predict:
		return ""
	}
	return string(t.kind()) + ".json"
}

// Work reads the tables of the job's Task, which must not be nil, matches their rows, and returns the program with all
// parties' data.
func (j *Job) Work(ctx context.Context) (Work, *Joined, error) {
	if err := j.chooseSolver(ctx, plannedSpec); err != nil {
		return nil, nil, j.placed(err)
	}
	if j.Join.Method == Hidden {
		if err := j.checkHidden(); err != nil {
			return nil, nil, j.placed(err)
		}
	}
	w, joined, err := j.work(ctx)
	if err == nil && j.Join.Method == Hidden {
		err = j.runHidden(ctx, w, joined)
	}
	return w, joined, j.placed(err)
}

// placed returns an error of the task with its place, if it has none.
func (j *Job) placed(err error) error {
	if j.File == flagsFile {
		return flagged(err, j.Task)
	}
	var at *Error
	if err == nil || !j.given("task") || errors.As(err, &at) {
		return err
	}
	return &Error{Place: j.place("task"), Err: err}
}

func (j *Job) work(ctx context.Context) (Work, *Joined, error) {
	t := j.Task
	if err := cmp.Or(j.edgesFit(), j.nameModel()); err != nil {
		return nil, nil, err
	}
	if j.Join.Method == Stacked {
		w, err := j.stackedWork(ctx)
		return w, &Joined{Report: j.beside}, err
	}
	switch t.kind() {
	case GLM:
		return j.Model(ctx)
	case GBT:
		return j.trees(ctx)
	case Bin, Group:
		return j.bins(ctx, false)
	case KMeans, PCA:
		return j.multivariate(ctx, false)
	}
	for _, in := range j.Inputs {
		if in.named() {
			return nil, nil, j.onlyAtNode(&in)
		}
	}
	switch t.kind() {
	case Stats:
		s, joined, err := j.Statistics(ctx, t.Listed, t.Fill)
		if err != nil {
			return nil, nil, err
		}
		s.Quantiles, s.Correlation = t.quantiles(), t.Correlation
		return s, joined, nil
	case Predict:
		if t.Kept != "" {
			return nil, nil, fmt.Errorf("kept: %s is a model that nodes keep as shares (submit the job to nodes)", t.Kept)
		}
		if m, err := t.treeModel(); err != nil {
			return nil, nil, err
		} else if m != nil {
			return j.treePrediction(ctx, m)
		}
		fit, err := t.revealed()
		if err != nil {
			return nil, nil, err
		}
		l, err := j.Linear(ctx, fit, "")
		if err != nil {
			return nil, nil, err
		}
		return &glm.Prediction{Parties: j.Parties, Parts: l.Parts, Link: fit.Link}, l.Joined, nil
	}
	e, err := t.evaluation(j.Parties)
	if err != nil {
		return nil, nil, err
	}
	var l *Linear
	if t.Score != "" {
		l, err = j.Score(ctx, t.Score, t.Target)
	} else {
		l, err = j.Linear(ctx, t.Revealed, t.Target)
	}
	if err != nil {
		return nil, nil, err
	}
	e.Parts, e.Owner, e.Target, e.Hidden = l.Parts, l.Owner, l.Target, t.Hidden
	return e, l.Joined, nil
}

// onlyAtNode returns the error of an input that only its owner's node can read.
func (j *Job) onlyAtNode(in *Input) error {
	return wrong(in.at, "%s is an entry of the catalogue of %s, which only that party's node can read (submit the job to nodes, or name a table)",
		in.Name, in.Owner)
}

// revealed returns the task's model, which is read once.
func (t *Task) revealed() (*glm.Result, error) {
	if t.Revealed == nil {
		if trees, err := t.treeModel(); err == nil && trees != nil {
			return nil, errors.New("a model of trees predicts in one process only (tacet predict); evaluate its predictions as a column (score)")
		}
		fit, err := ReadFit(t.Model)
		if err != nil {
			return nil, err
		}
		t.Revealed = fit
	}
	return t.Revealed, nil
}

// evaluation returns the task's evaluation without data.
func (t *Task) evaluation(parties []string) (*metrics.Evaluation, error) {
	e := &metrics.Evaluation{
		Parties: parties, Parts: make([][]float64, len(parties)), Link: glm.Identity, Metrics: t.Metrics, Thresholds: t.Thresholds,
		Fractions: t.Fractions, Bins: t.Growth.Bins,
	}
	if t.Score == "" {
		fit, err := t.revealed()
		if err != nil {
			return nil, err
		}
		e.Link = fit.Link
	}
	if e.Metrics == nil {
		if e.Metrics = []metrics.Metric{metrics.AUC, metrics.KS, metrics.Confusion}; t.Score == "" && e.Link != glm.Logit {
			e.Metrics = []metrics.Metric{metrics.RMSE, metrics.R2}
		}
	}
	return e, nil
}

// Answer returns the result of the task from the results of a run of w, which the job's Work returned.
func (j *Job) Answer(w Work, results []*tensor.Array) (Answer, error) {
	switch w := w.(type) {
	case *glm.Model:
		r, err := w.Fit(results)
		if err != nil {
			return nil, err
		}
		r.Prepared = j.prepared()
		return r, nil
	case *glm.Shape:
		r, err := w.Fit(results, j.Task.FeatureNames(j.Parties))
		if err != nil {
			return nil, err
		}
		for _, full := range slices.Sorted(maps.Keys(j.Task.Levels)) {
			if r.Base == nil {
				r.Base = map[string]string{}
			}
			r.Base[full] = j.Task.Levels[full][0]
		}
		r.Offset, r.Weights, r.Widths = j.Task.Offset, j.Task.Weights, j.Task.Widths
		return r, nil
	case *statistics.Statistics:
		return answer(w.Result(results))
	case *statistics.Stacked:
		return answer(w.Result(results))
	case *glm.Stacked:
		return answer(w.Fit(results))
	case *metrics.Evaluation:
		return answer(w.Result(results))
	case *bins.Binning:
		return answer(w.Result(results))
	case *bins.Groups:
		return answer(w.Result(results))
	case *kmeans.Training:
		return answer(w.Shape.Result(results, w.Names()))
	case *kmeans.Shape:
		return answer(w.Result(results, j.Task.FeatureNames(j.Parties)))
	case *pca.Training:
		return answer(w.Shape.Result(results, w.Names()))
	case *pca.Shape:
		return answer(w.Result(results, j.Task.FeatureNames(j.Parties)))
	case *gbt.Training:
		m, err := w.Shape.Model(results, w.Names())
		if err != nil {
			return nil, err
		}
		m.Prepared = j.prepared()
		return m, nil
	case *gbt.Shape:
		return answer(w.Model(results, j.Task.FeatureNames(j.Parties)))
	case *glm.Prediction, *glm.KeptPrediction, *gbt.Prediction, *gbt.KeptPrediction:
		if len(results) != 1 || results[0] == nil {
			return nil, errors.New("the predictions are missing")
		}
		return &Predictions{results[0].Floats()}, nil
	}
	return nil, fmt.Errorf("job: there is no task %T", w)
}

// answer returns a result as an Answer, nil with an error.
func answer[T Answer](r T, err error) (Answer, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// PlanWork returns the task's program and shapes for a plan, and the plan of the intersection of keys, nil if the job
// has none. The number of rows is the largest that can match. It reads the tables unless the task declares the rows. ctx ends the plans
// by which a solver is chosen.
func (j *Job) PlanWork(ctx context.Context) (Work, *profile.Report, error) {
	if err := j.chooseSolver(ctx, plannedSpec); err != nil {
		return nil, nil, j.placed(err)
	}
	if j.Join.Method != Hidden {
		return j.planWork()
	}
	var w Work
	var err error
	if j.Join.Rows != nil {
		if err = j.declareHidden(); err == nil {
			w, err = j.Task.Declared(j.Parties)
		}
	} else if err = j.checkHidden(); err == nil {
		w, _, err = j.planWork()
	}
	if err != nil {
		return nil, nil, j.placed(err)
	}
	report, err := j.planHidden(w)
	return w, report, j.placed(err)
}

func (j *Job) planWork() (Work, *profile.Report, error) {
	t := j.Task
	if err := cmp.Or(j.edgesFit(), j.nameModel()); err != nil {
		return nil, nil, j.placed(err)
	}
	if j.Join.Method == Stacked && j.Join.Rows != nil && j.Inputs[0].named() { // as nodes run it
		if err := j.declareStacked(); err != nil {
			return nil, nil, err
		}
		w, err := t.Declared(j.Parties)
		if err != nil || j.Join.On == nil {
			return w, nil, j.placed(err)
		}
		var counts []int
		for _, name := range j.Parties {
			counts = append(counts, j.Join.Rows[name])
		}
		planned, err := j.besidePairs().Plan(counts)
		if err != nil {
			return nil, nil, j.placed(err)
		}
		return w, planned.Chain(), nil
	}
	if j.Join.Method == Stacked && j.Join.On != nil {
		w, report, err := j.planBeside()
		return w, report, j.placed(err)
	}
	if j.Join.Method == Stacked {
		w, err := j.stackedWork(context.Background())
		return w, nil, j.placed(err)
	}
	if t.Rows > 0 && j.Join.Method == Aligned {
		w, err := t.Declared(j.Parties)
		return w, nil, j.placed(err)
	}
	if c := j.Join; t.Rows > 0 && c.Method == PSI && c.Rows != nil { // as nodes run it
		w, err := t.Declared(j.Parties)
		if err != nil {
			return nil, nil, j.placed(err)
		}
		report, err := psi.Plan(psi.Spec{Method: j.psiMethod(), Parties: j.Parties, Network: j.Network},
			[2]int{c.Rows[j.Parties[0]], c.Rows[j.Parties[1]]})
		return w, report, j.placed(err)
	}
	switch t.kind() {
	case GLM:
		return j.planModel()
	case GBT:
		w, report, err := j.planTrees()
		return w, report, j.placed(err)
	case Bin, Group:
		w, report, err := j.planBins()
		return w, report, j.placed(err)
	case KMeans, PCA:
		w, report, err := j.planMultivariate()
		return w, report, j.placed(err)
	}
	columns, err := j.listColumns()
	if err != nil {
		return nil, nil, j.placed(err)
	}
	joined, err := j.planJoin(columns)
	if err != nil {
		return nil, nil, j.placed(err)
	}
	if j.hidden != nil {
		t.Hidden = &j.hidden.Join
	}
	known := *t
	known.Rows, known.Listed, known.Texts = joined.Rows, nil, nil
	for _, name := range j.Parties {
		read := joined.Tables[name]
		for _, column := range columns[name] {
			known.Listed = append(known.Listed, name+"."+column)
			if !isNumber(read.Column(column)) {
				known.Texts = append(known.Texts, name+"."+column)
			}
		}
		if joined.Report == nil && read != nil {
			known.Rows = read.Rows
		}
	}
	w, err := known.Declared(j.Parties)
	return w, joined.Report, j.placed(err)
}

// listColumns returns the columns that a task other than a fit uses, by owner.
func (j *Job) listColumns() (map[string][]string, error) {
	for _, in := range j.Inputs {
		if in.named() {
			return nil, j.onlyAtNode(&in)
		}
	}
	if j.Task.kind() == Stats {
		return j.namedColumns(j.Task.Listed)
	}
	out := map[string][]string{}
	for _, name := range j.Parties {
		used, err := j.Task.Used(name)
		if err != nil {
			return nil, err
		}
		if len(used) > 0 && j.tableOf(name) == nil {
			return nil, fmt.Errorf("the task uses columns of %s, and there is no table of that party", name)
		}
		out[name] = used
	}
	return out, j.checkColumns(out)
}

// Used returns the names of a party's columns that the task uses, without duplicates. The task must name columns by
// PARTY.COLUMN, or by COLUMN for stacked tables.
func (t *Task) Used(party string) ([]string, error) {
	if t.Stacked != nil && !slices.Contains(t.Beside, party) {
		return t.stackedColumns(nil)
	}
	var all []string
	switch t.kind() {
	case GLM, GBT:
		all = append(append(all, t.Features...), t.Target, t.Offset, t.Weights)
	case Stats:
		all = t.Listed
	case KMeans, PCA:
		all = t.Features
	case Bin, Group:
		all = slices.Concat(t.Features, t.By, t.Values, []string{t.Target})
	default:
		all = []string{t.Target, t.Score}
		if t.Kept != "" {
			all = append(slices.Clone(t.Features), t.Offset)
		} else if t.Score == "" {
			fit, err := t.revealed()
			if err != nil {
				return nil, err
			}
			all = append(all, fit.Offset)
			for _, c := range fit.Coefficients[1:] {
				if column, _, _, _ := fit.Column(c.Name); !strings.HasSuffix(column, glm.JoinedName) {
					all = append(all, column)
				}
			}
		}
	}
	var out []string
	seen := map[string]bool{}
	for _, full := range all {
		if owner, name, ok := strings.Cut(full, "."); ok && owner == party && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out, nil
}

// Declared returns the task's program and shapes by its declarations alone: numbers of rows, and columns by
// PARTY.COLUMN. No argument has data.
func (t *Task) Declared(parties []string) (Work, error) {
	if t.Hidden != nil {
		t.Rows = t.Hidden.Total()
	}
	if t.Rows == 0 {
		return nil, errors.New("rows is missing: the number of rows, which all parties know before any table is read")
	}
	if t.Stacked != nil {
		return t.declaredStacked(parties)
	}
	switch t.kind() {
	case GLM:
		return t.Shape(parties)
	case GBT:
		return t.treeShape(parties)
	}
	switch t.kind() {
	case Stats:
		return t.declaredStatistics(parties)
	case Bin, Group:
		return t.declaredBins(parties)
	case KMeans, PCA:
		return t.declaredFeatures(parties)
	}
	if t.Kept != "" && t.Link == "" {
		k := &gbt.KeptPrediction{Parties: parties, Rows: t.Rows, Trees: t.Growth.Trees, Depth: cmp.Or(t.Growth.Depth, gbt.DefaultDepth)}
		var err error
		if k.Features, _, _, err = t.count(parties); err != nil {
			return nil, err
		}
		return k, k.Check()
	}
	if t.Kept != "" {
		k := &glm.KeptPrediction{Parties: parties, Rows: t.Rows, Link: t.Link}
		var err error
		if k.Features, _, k.OffsetOwner, err = t.count(parties); err != nil {
			return nil, err
		}
		return k, k.Check()
	}
	var owners []int // of parts
	columns := []string{t.Score}
	var link glm.Link
	if t.Score == "" {
		fit, err := t.revealed()
		if err != nil {
			return nil, err
		}
		link, columns = fit.Link, nil
		for _, c := range fit.Coefficients[1:] {
			if party, ok := strings.CutSuffix(c.Name, glm.JoinedName); ok && slices.Contains(parties, party) {
				columns = append(columns, party+"."+glm.JoinedName)
				continue
			}
			columns = append(columns, c.Name)
		}
		if fit.Offset != "" {
			columns = append(columns, fit.Offset)
		}
	}
	absent := make([]int, len(parties))
	for rank := range parties {
		absent[rank] = rank
	}
	for _, full := range columns {
		owner, _, err := t.owner(full, parties)
		if err != nil {
			return nil, err
		}
		if rank := slices.Index(parties, owner); !slices.Contains(owners, rank) {
			owners = append(owners, rank)
		}
	}
	slices.Sort(owners)
	if t.kind() == Predict {
		return &glm.Prediction{Parties: parties, Parts: make([][]float64, len(parties)), Link: link, Rows: t.Rows, Absent: owners}, nil
	}
	e, err := t.evaluation(parties)
	if err != nil {
		return nil, err
	}
	owner, _, err := t.owner(t.Target, parties)
	if err != nil {
		return nil, err
	}
	if t.Score == t.Target {
		return nil, errors.New("the score and the target are the same column")
	}
	e.Rows, e.Owners, e.Absent, e.Owner, e.Hidden = t.Rows, owners, absent, slices.Index(parties, owner), t.Hidden
	return e, nil
}

// defaultQuantiles are those of tasks that name none. Rows of a hidden join have none.
var defaultQuantiles = []float64{0.25, 0.5, 0.75}

// quantiles returns the quantiles that a task of kind Stats computes.
func (t *Task) quantiles() []float64 {
	if t.Hidden != nil && slices.Equal(t.Quantiles, defaultQuantiles) {
		return nil
	}
	return t.Quantiles
}

// declaredStatistics is Declared for kind Stats.
func (t *Task) declaredStatistics(parties []string) (Work, error) {
	s := &statistics.Statistics{Rows: t.Rows, Quantiles: t.quantiles(), Correlation: t.Correlation, Hidden: t.Hidden}
	for _, name := range parties {
		s.Parties = append(s.Parties, statistics.Party{Name: name, Absent: true})
	}
	if len(t.Listed) == 0 {
		return nil, errors.New("columns is missing: the columns, such as [alice.age, bob.claims]")
	}
	for i, full := range t.Listed {
		owner, name, err := t.owner(full, parties)
		if err != nil {
			return nil, err
		}
		if slices.Contains(t.Listed[:i], full) {
			return nil, fmt.Errorf("column %s is named twice", full)
		}
		p := &s.Parties[slices.Index(parties, owner)]
		p.Columns = append(p.Columns, statistics.Column{Name: name, Text: slices.Contains(t.Texts, full)})
	}
	for _, full := range t.Texts {
		if !slices.Contains(t.Listed, full) {
			return nil, fmt.Errorf("texts names %q, which is not among columns", full)
		}
	}
	return s, nil
}
