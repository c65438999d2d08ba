package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tasks"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Kind is the kind of a task: what it computes.
type Kind = tasks.Kind

// The kinds of tasks; tasks.GLM is the zero Kind too.
const (
	GLM     = tasks.GLM
	GBT     = tasks.GBT
	Stats   = tasks.Stats
	Predict = tasks.Predict
	Eval    = tasks.Eval
	Bin     = tasks.Bin
	Group   = tasks.Group
	KMeans  = tasks.KMeans
	PCA     = tasks.PCA
)

// logisticRegression is what a job file calls a task of kind GLM with family binomial.
const logisticRegression = "lr"

// Task describes a computation on tables, for which Tacet generates the program. A party has at most one table. Row i
// of all tables describes the same subject, after the rows were matched.
type Task struct {
	Kind Kind
	// Of kind GLM: Family is that of the target's distribution, and Link the link function, "" for the family's default.
	Family glm.Family
	Link   glm.Link
	// Target, Features and Offset are names of columns: PARTY.COLUMN, or COLUMN if only one table has it. Target is that
	// of kinds GLM, GBT and Eval, Features of GLM and GBT.
	Target     string
	Features   []string
	Offset     string  // column that is added to the linear predictor; "" for none
	Weights    string  // column of prior weights; "" for none
	Power      float64 // those of glm.Model, as are Alpha and L2
	Alpha      float64
	L2, L1     float64
	Iterations int      // number of iterations; 0 for glm.DefaultIterations
	Hessians   int      // number of iterations that compute the Hessian; 0 for that of glm.Shape
	Condition  float64  // bound of the condition number; 0 for glm.DefaultCondition
	SGD        *glm.SGD // that of glm.Model
	CG         *glm.CG  // that of glm.Model
	Auto       bool     // CG, or nil in its place: the one whose plan takes less time; Job.Chosen says which
	Odds       bool     // print odds ratios and the log-loss too
	Growth     Growth   // of kind GBT; Growth.Bins of kinds Bin and Eval too
	// Of kind KMeans, with Iterations and Growth.Seed, and of kind PCA (0: its package's default).
	Clustering Clustering
	Components int
	// Of kinds Bin and Group, MinGroup of KMeans too: MinGroup is the least number of rows of a bin or group that is not withheld, 0 for
	// bins.DefaultMinGroup. By are the columns that make groups, and Values those that are summed. Sample says that Target
	// tells two samples apart. Levels are the values of columns, by full name; nil for those that tables have.
	MinGroup   int
	By, Values []string
	Sample     bool
	Levels     map[string][]string
	// Edges are, of kinds Bin and GBT of stacked tables, the bounds of bins of columns of numbers by name, but for the last bin's.
	// Ranges are, in place of Edges of such a column, its least and its largest number: its bins have bounds at quantiles of all rows then.
	Edges, Ranges map[string][]float64
	// Of kind Stats: Listed are the columns (none: all but the keys), Texts those of Listed that hold texts, as nodes
	// must know before a table is read, and Fill replaces missing values for correlations: mean, median or "".
	Listed, Texts []string
	Quantiles     []float64
	Correlation   bool
	Fill          string
	// Of kinds Predict and Eval: Model is the file of the model, or Revealed the model itself. Score is a column of
	// predictions, which Eval takes in place of a model.
	Model    string
	Revealed *glm.Result
	// Of kind Predict, in place of a model: the name under which nodes keep a model's coefficients as shares, with Link,
	// Features, Offset, Widths and Levels of the fit; or trees, with Growth's Trees and Depth in place of Link and Offset.
	Kept  string
	Score string
	// Of kind Eval: Metrics may be nil (AUC, KS and confusion, or RMSE and R² for models with another link than logit).
	Metrics    []metrics.Metric
	Thresholds []float64
	Fractions  []float64 // those of metrics.Evaluation, as Growth.Bins is; nil and 0: its defaults
	// Rows is the number of rows, and Widths the number of features by full name of a column, 1 for all others. Nodes
	// need both, since all parties know them before any table is read; 0 and nil: the tables say so.
	Rows   int
	Widths map[string]int
	// Hidden, if not nil, says that a hidden join matches the rows. Rows does not count then.
	Hidden *hidden.Join
	// Stacked, if not nil, are the declared numbers of rows of the parties' tables, by rank, whose rows are those of one table. Columns are
	// then those of all parties, COLUMN, and Rows is the sum.
	Stacked []int
	// Beside are the parties that Join.Beside names: Stacked has 0 for them, and their columns are PARTY.COLUMN.
	Beside []string

	at string
}

// fits reports whether the task fits a model.
func (t *Task) fits() bool { return slices.Contains(fits, t.kind()) }

// kind returns the task's kind.
func (t *Task) kind() Kind { return cmp.Or(t.Kind, GLM) }

// task reads a task.
func (l *loader) task(key string, v yamlfile.Value) error {
	t := &Task{at: v.Place(), Quantiles: slices.Clone(defaultQuantiles), Correlation: true, Thresholds: []float64{0.5}}
	fit, compute, family, link, sample, solver := "", "", "", "", "", ""
	var descent glm.SGD
	var conjugate glm.CG
	given := map[string]bool{}
	var measured []string
	fields := yamlfile.Fields{
		"fit": yamlfile.Text(&fit), "compute": yamlfile.Text(&compute), "family": yamlfile.Text(&family), "link": yamlfile.Text(&link),
		"target": yamlfile.Text(&t.Target), "sample": yamlfile.Text(&sample),
		"by": table.ReadTexts(&t.By, "columns"), "values": table.ReadTexts(&t.Values, "columns"), "min_group": yamlfile.Positive(&t.MinGroup),
		"levels": func(key string, v yamlfile.Value) error {
			t.Levels = map[string][]string{}
			return v.Each(key, func(name string, v yamlfile.Value) error {
				var levels []string
				err := table.ReadTexts(&levels, "levels")(name, v)
				t.Levels[name] = levels
				return err
			})
		},
		"edges": numbersByColumn(&t.Edges), "ranges": numbersByColumn(&t.Ranges),
		"features": table.ReadTexts(&t.Features, "columns"), "offset": yamlfile.Text(&t.Offset), "weights": yamlfile.Text(&t.Weights),
		"power": yamlfile.Number(&t.Power), "alpha": yamlfile.Number(&t.Alpha), "l2": yamlfile.Number(&t.L2), "l1": yamlfile.Number(&t.L1),
		"iterations": yamlfile.Positive(&t.Iterations), "hessians": yamlfile.Positive(&t.Hessians),
		"solver": yamlfile.Text(&solver), "epochs": yamlfile.Positive(&descent.Epochs), "batch": yamlfile.Positive(&descent.Batch),
		"bits": yamlfile.Positive(&descent.Bits), "steps": yamlfile.Positive(&conjugate.Steps),
		"condition": yamlfile.Number(&t.Condition), "rows": yamlfile.Positive(&t.Rows),
		"widths": func(key string, v yamlfile.Value) error {
			t.Widths = map[string]int{}
			return v.Each(key, func(name string, v yamlfile.Value) error {
				n := 0
				err := yamlfile.Positive(&n)(name, v)
				t.Widths[name] = n
				return err
			})
		},
		"trees": yamlfile.Positive(&t.Growth.Trees), "depth": yamlfile.Positive(&t.Growth.Depth), "bins": yamlfile.Positive(&t.Growth.Bins),
		"rate": yamlfile.Number(&t.Growth.Rate), "lambda": yamlfile.Number(&t.Growth.Lambda), "min_weight": yamlfile.Number(&t.Growth.MinWeight),
		"subsample": yamlfile.Number(&t.Growth.Subsample), "seed": yamlfile.Positive(&t.Growth.Seed),
		"holdout": yamlfile.Positive(&t.Growth.Holdout), "splits": yamlfile.Text(&t.Growth.Splits),
		"clusters": yamlfile.Positive(&t.Clustering.Clusters), "assign": yamlfile.Bool(&t.Clustering.Assign),
		"components": yamlfile.Positive(&t.Components),
		"columns":    table.ReadTexts(&t.Listed, "columns"), "texts": table.ReadTexts(&t.Texts, "columns"),
		"quantiles": yamlfile.Reals(&t.Quantiles, "numbers"), "correlation": yamlfile.Bool(&t.Correlation), "fill": yamlfile.Text(&t.Fill),
		"model": yamlfile.Path(&t.Model), "kept": yamlfile.Name(&t.Kept), "score": yamlfile.Text(&t.Score),
		"metrics": table.ReadTexts(&measured, "metrics"), "thresholds": yamlfile.Reals(&t.Thresholds, "numbers"),
		"fractions": yamlfile.Reals(&t.Fractions, "numbers"),
	}
	for key, read := range fields {
		fields[key] = func(name string, v yamlfile.Value) error {
			given[key] = true
			return read(name, v)
		}
	}
	if err := l.mapping(v, "a task", fields); err != nil {
		return err
	}
	t.Family, t.Link = glm.Family(family), glm.Link(link)
	if given["target"] && given["sample"] {
		return wrong(t.at, "task: name a target or a sample, one of them")
	}
	if given["sample"] {
		t.Target, t.Sample = sample, true
	}
	for _, name := range measured {
		t.Metrics = append(t.Metrics, metrics.Metric(name))
	}
	switch {
	case fit == logisticRegression && compute == "":
		t.Kind, t.Odds = GLM, true
		if given["family"] || given["link"] {
			return wrong(t.at, "task: fit: lr has no family and link (it is fit: glm with family binomial)")
		}
		t.Family, given["family"] = glm.Binomial, true
	case slices.Contains(fits, Kind(fit)) && compute == "":
		t.Kind = Kind(fit)
	case fit == "" && slices.Contains(computed, Kind(compute)):
		t.Kind = Kind(compute)
	default:
		return wrong(t.at, "task: want fit: one of %v and %s, or compute: one of %v, got fit: %q, compute: %q", fits, logisticRegression, computed, fit, compute)
	}
	if err := t.checkKeys(given); err != nil {
		return err
	}
	if t.Kind == GLM {
		descent.Rate, t.Growth.Rate = t.Growth.Rate, 0
		if given["rate"] && descent.Rate == 0 {
			return wrong(t.at, "task: rate: want a number above 0")
		}
		var err error
		if t.SGD, t.CG, t.Auto, err = Solver(solver, descent, conjugate); err != nil {
			return wrong(t.at, "task: %w", err)
		}
	}
	l.j.Task = t
	return nil
}

// Solvers returns the names of the solvers, the default first.
func Solvers() []string { return []string{fisher, glm.SolverCG, glm.Solver, auto} }

// Solver returns the settings of the solver with the given name, those of sgd and of cg: both nil for Fisher scoring, "" or fisher. Those
// of cg are for auto too, of which chosen is true (Task.Auto). g are settings of sgd and c of cg, which other solvers do not take.
func Solver(name string, g glm.SGD, c glm.CG) (descent *glm.SGD, conjugate *glm.CG, chosen bool, err error) {
	chosen = name == auto
	names := Solvers()
	last := len(names) - 1
	switch {
	case name != "" && !slices.Contains(names, name):
		err = fmt.Errorf("solver: want %s or %s, got %q", strings.Join(names[:last], ", "), names[last], name)
	case name != glm.Solver && g != glm.SGD{}:
		err = fmt.Errorf("epochs, batch, rate and bits belong to solver %s", glm.Solver)
	case name != glm.SolverCG && !chosen && c != glm.CG{}:
		err = fmt.Errorf("steps belong to solver %s", glm.SolverCG)
	case name == glm.Solver:
		descent = &g
	case name == glm.SolverCG, chosen:
		conjugate = &c
	}
	return descent, conjugate, chosen, err
}

// fisher is the name of the solver without settings.
const fisher = "fisher"

// fits are the kinds of tasks that prepare columns as features.
var fits = []Kind{GLM, GBT, KMeans, PCA}

// computed are the kinds that a job file names with compute.
var computed = []Kind{Stats, Predict, Eval, Bin, Group}

// taskKeys are the keys that tasks of a kind have beside fit, compute and rows.
var taskKeys = map[Kind][]string{
	GLM: {"family", "link", "target", "features", "offset", "weights", "power", "alpha", "l2", "l1", "iterations", "hessians", "condition",
		"solver", "steps", "epochs", "batch", "rate", "bits", "widths", "levels"},
	GBT: {"target", "features", "trees", "depth", "bins", "rate", "lambda", "min_weight", "subsample", "seed", "holdout", "splits", "widths", "levels", "edges",
		"ranges"},
	Stats:   {"columns", "texts", "quantiles", "correlation", "fill"},
	Predict: {"model", "kept", "link", "features", "offset", "trees", "depth", "widths", "levels"},
	Eval:    {"model", "score", "target", "metrics", "thresholds", "fractions", "bins"},
	Bin:     {"target", "sample", "features", "bins", "min_group", "levels", "edges", "ranges"},
	Group:   {"by", "values", "min_group", "levels"},
	KMeans:  {"features", "clusters", "iterations", "seed", "min_group", "assign", "widths", "levels"},
	PCA:     {"features", "components", "widths", "levels"},
}

// checkKeys refuses tasks that lack a key, or have one of another kind.
func (t *Task) checkKeys(given map[string]bool) error {
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains([]string{"fit", "compute", "rows"}, key) && !slices.Contains(taskKeys[t.Kind], key) {
			return wrong(t.at, "task: a task of kind %s has no %s (%s)", t.Kind, key, strings.Join(taskKeys[t.Kind], ", "))
		}
	}
	switch {
	case t.Kind == GLM && t.Family == "":
		return wrong(t.at, "task: family is missing %v", glm.Families)
	case slices.Contains(taskKeys[t.Kind], "target") && t.Target == "":
		return wrong(t.at, "task: target is missing, such as bob.claims")
	case t.Kind == Group && len(t.By) == 0:
		return wrong(t.at, "task: by is missing: the columns that make groups, such as [alice.region]")
	case t.Kind == Predict && t.Kept == "" && t.describesKept():
		return wrong(t.at, "task: link, features, offset, trees, depth, widths and levels belong to a kept model (kept: NAME); a model's file has them")
	case t.Kind == Predict && t.Kept != "" && !t.keptWhole():
		return wrong(t.at, "task: a kept model has features and a link, or trees and depth, as its fit had, and no model")
	case slices.Contains(taskKeys[t.Kind], "features") && len(t.Features) == 0 && (t.Kind != Predict || t.Kept != ""):
		return wrong(t.at, "task: features is missing, such as [alice.age, bob.claims]")
	case t.Kind == Predict && t.Model == "" && t.Kept == "":
		return wrong(t.at, "task: model is missing, the file that a fit has written, such as out/fit.json")
	case t.Kind == Eval && (t.Model == "") == (t.Score == ""):
		return wrong(t.at, "task: name a model or a score, one of them")
	case t.Fill != "" && t.Fill != "mean" && t.Fill != "median":
		return wrong(t.at, "task: fill: want mean or median, got %q", t.Fill)
	}
	return nil
}

// describesKept reports whether a task of kind Predict says what only kept models need.
func (t *Task) describesKept() bool {
	return t.Link != "" || t.Features != nil || t.Offset != "" || t.Widths != nil || t.Levels != nil || t.Growth != Growth{}
}

// keptWhole reports whether the description of a kept model is one of a linear model or of trees.
func (t *Task) keptWhole() bool {
	trees := t.Growth.Trees > 0
	return t.Model == "" && (t.Link != "") != trees && !(trees && t.Offset != "")
}

// checkTask refuses keys that belong to jobs with a program, or to those with a task.
func (j *Job) checkTask() error {
	if j.Task == nil {
		if j.given("join") {
			return wrong(j.at["join"], "join belongs to a task")
		}
		for _, in := range j.Inputs {
			if in.Table != nil && in.Args == nil {
				return wrong(in.at, "table %s: a table provides one argument: name it with arg: N", in.Name)
			}
		}
		return nil
	}
	for _, key := range []string{"program", "ring", "fraction", "expect", "reveals", "checkpoint", "restart", "state", "programs"} {
		if j.given(key) {
			return wrong(j.at[key], "a job with a task has no %s", key)
		}
	}
	if k := j.Task.kind(); j.Keep != "" && k != GLM && k != GBT {
		return wrong(j.place("outputs"), "keep: a task of kind %s keeps nothing (models of glm, lr and gbt can be kept)", k)
	}
	if !j.given("join") {
		return wrong(j.File, "join is missing: join: {method: aligned} says that row i of all tables belongs together, "+
			"join: {method: psi, on: COLUMN} matches rows by keys")
	}
	if err := j.edgesFit(); err != nil {
		return err
	}
	owners := map[string]bool{}
	for _, in := range j.Inputs {
		switch {
		case in.Table == nil && !in.named() || in.Public || in.Resident || in.Args != nil || in.Range != nil || in.Ranges != nil:
			return wrong(in.at, "the inputs of a task are tables with an owner: {owner: NAME, table: FILE}, "+
				"or {owner: NAME, name: ENTRY} for an entry of the catalogue of the owner's node, without arg")
		case in.Table != nil && in.Table.Split:
			return wrong(in.at, "a task takes tables whose columns are split between parties, not their rows (partition)")
		case owners[in.Owner]:
			return wrong(in.at, "party %s has two tables: a task takes one table of each party", in.Owner)
		}
		if in.Table != nil && len(in.Table.Steps) > 0 && !j.Task.fits() {
			return wrong(in.at, "a task of kind %s takes columns as they are: prepare belongs to fits", j.Task.kind())
		}
		owners[in.Owner] = true
	}
	return j.checkJoin()
}

// numbersByColumn reads a list of numbers for each of several columns.
func numbersByColumn(to *map[string][]float64) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = map[string][]float64{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			var numbers []float64
			err := yamlfile.Reals(&numbers, "numbers")(name, v)
			(*to)[name] = numbers
			return err
		})
	}
}

// edgesFit refuses edges and ranges of tables that are not stacked.
func (j *Job) edgesFit() error {
	if j.Task.Ranges != nil && j.Join.Method != Stacked {
		return wrong(j.place("task"), "task: ranges: ranges belong to join: {method: stacked}; else each owner has bins at quantiles of its columns (leave them out)")
	}
	if j.Task.Edges != nil && j.Join.Method != Stacked {
		return wrong(j.place("task"), "task: edges: edges belong to join: {method: stacked}; else each owner has bins at quantiles of its columns (leave them out)")
	}
	return nil
}

// Model reads the tables of the job's Task, which must not be nil, matches their rows, and returns the model to be
// fitted. Errors about the task and files are *Error.
func (j *Job) Model(ctx context.Context) (*glm.Model, *Joined, error) {
	columns, err := j.taskColumns()
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.join(ctx, columns)
	if err != nil {
		return nil, nil, err
	}
	m, err := j.model(joined.Tables, columns)
	return m, joined, err
}

// planModel is PlanWork of a model, by its tables.
func (j *Job) planModel() (*glm.Shape, *profile.Report, error) {
	columns, err := j.taskColumns()
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.planJoin(columns)
	if err != nil {
		return nil, nil, err
	}
	m, err := j.model(joined.Tables, columns)
	if err != nil {
		return nil, nil, err
	}
	if joined.Report != nil { // the lengths differ
		for i := range m.Parties {
			for k := range m.Parties[i].Features {
				f := &m.Parties[i].Features[k]
				f.Values = f.Values[:joined.Rows]
			}
		}
		m.Target.Values = m.Target.Values[:joined.Rows]
		if m.Offset != nil {
			m.Offset.Values = m.Offset.Values[:joined.Rows]
		}
		if m.Weights != nil {
			m.Weights.Values = m.Weights.Values[:joined.Rows]
		}
	}
	s, err := m.Shape()
	if err != nil {
		return nil, nil, &Error{Place: j.place("task"), Err: err}
	}
	return s, joined.Report, nil
}

// model returns the task's model on these tables, by owner.
func (j *Job) model(tables map[string]*table.Table, columns map[string][]string) (*glm.Model, error) {
	t := j.Task
	m := &glm.Model{Family: t.Family, Link: t.Link, Iterations: t.Iterations, Hessians: t.Hessians, Condition: t.Condition}
	m.Power, m.Alpha, m.L2, m.L1, m.SGD, m.CG = t.Power, t.Alpha, t.L2, t.L1, t.SGD, t.CG
	if j.hidden != nil {
		m.Hidden = &j.hidden.Join
	}
	for rank, name := range j.Parties {
		p := glm.Party{Name: name}
		for i := range j.Inputs {
			if in := &j.Inputs[i]; in.Owner == name && len(columns[name]) > 0 {
				features, roles, base, err := in.features(tables[name], columns[name], t.Levels, t.Target, t.Offset, t.Weights)
				if err != nil {
					return nil, err
				}
				p.Features = features
				for column, level := range base {
					if m.Base == nil {
						m.Base = map[string]string{}
					}
					m.Base[column] = level
				}
				if target := roles[t.Target]; target != nil {
					m.Owner, m.Target = rank, *target
				}
				if offset := roles[t.Offset]; offset != nil {
					m.OffsetOwner, m.Offset = rank, offset
				}
				if weights := roles[t.Weights]; weights != nil {
					m.WeightsOwner, m.Weights = rank, weights
				}
			}
		}
		m.Parties = append(m.Parties, p)
	}
	return m, nil
}

// TaskSpec returns w's spec with the job's protocol, network and other settings.
func (j *Job) TaskSpec(w Work) (party.Spec, error) {
	s, err := w.Spec()
	if err != nil {
		return party.Spec{}, j.placed(err)
	}
	for _, key := range []string{"ring", "fraction"} {
		if j.given(key) {
			return party.Spec{}, wrong(j.place(key), "a task chooses ring and fraction itself (leave %s out)", key)
		}
	}
	settings, err := j.Settings()
	if err != nil {
		return party.Spec{}, err
	}
	settings.Program, settings.Args, settings.Ring, settings.Fraction, settings.Reveals = s.Program, s.Args, s.Ring, s.Fraction, s.Reveals
	j.setHidden(&settings)
	return settings, nil
}

// taskColumns returns the columns that the task names, by owner, and makes Target and Offset full names.
func (j *Job) taskColumns() (map[string][]string, error) {
	names := map[string][]string{} // of each owner's table
	for _, in := range j.Inputs {
		if in.named() {
			return nil, wrong(in.at, "%s is an entry of the catalogue of %s, which only that party's node can read (submit the job to nodes, or name a table)",
				in.Name, in.Owner)
		}
		all, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return nil, &Error{Place: in.at, Err: err}
		}
		names[in.Owner] = all
	}
	columns, seen := map[string][]string{}, map[string]bool{}
	find := func(key, column string) (string, error) {
		if owner, name, ok := strings.Cut(column, "."); ok && slices.Contains(j.Parties, owner) {
			if !slices.Contains(names[owner], name) {
				return "", wrong(j.Task.at, "task: %s: the table of %s has no column %q", key, owner, name)
			}
			columns[owner] = append(columns[owner], name)
			return column, nil
		}
		var owners []string
		for _, p := range j.Parties {
			if slices.Contains(names[p], column) {
				owners = append(owners, p)
			}
		}
		if len(owners) != 1 {
			return "", wrong(j.Task.at, "task: %s: column %q is in %d tables (name it PARTY.COLUMN)", key, column, len(owners))
		}
		columns[owners[0]] = append(columns[owners[0]], column)
		return owners[0] + "." + column, nil
	}
	t := j.Task
	target := "target"
	if t.Sample {
		target = "sample"
	}
	for _, named := range []struct {
		key     string
		columns []*string
	}{
		{"features", refs(t.Features)}, {"by", refs(t.By)}, {"values", refs(t.Values)},
		{target, []*string{&t.Target}}, {"offset", []*string{&t.Offset}}, {"weights", []*string{&t.Weights}},
	} {
		for _, to := range named.columns {
			if *to == "" {
				continue
			}
			full, err := find(named.key, *to)
			if err != nil {
				return nil, err
			}
			if seen[full] {
				return nil, wrong(t.at, "task: %s: column %s is named twice (target, offset and weights are no features)", named.key, full)
			}
			seen[full] = true
			*to = full
		}
	}
	if err := j.Task.checkLevels(seen); err != nil {
		return nil, wrong(j.Task.at, "task: %w", err)
	}
	for _, in := range j.Inputs {
		for _, s := range in.Table.Steps {
			if !seen[in.Owner+"."+s.Column] {
				return nil, wrong(in.at, "prepare names column %q, which the task does not use", s.Column)
			}
		}
		for name := range in.Table.Options.Types {
			if !seen[in.Owner+"."+name] && !slices.Contains(j.Join.On[in.Owner], name) {
				return nil, wrong(in.at, "types names column %q, which the task does not use", name)
			}
		}
	}
	return columns, nil
}

// refs returns pointers to texts.
func refs(texts []string) []*string {
	out := make([]*string, len(texts))
	for i := range texts {
		out[i] = &texts[i]
	}
	return out
}

// features prepares columns of a table. Those with one of these roles, full names of columns, are returned apart.
// Categories and strings without a preparation, and columns of which the task declares levels, get one feature for each level
// but the first; base holds these first levels by the columns' full names.
func (in *Input) features(
	t *table.Table, columns []string, declared map[string][]string, roles ...string,
) (features []table.Feature, apart map[string]*table.Feature, base map[string]string, err error) {
	apart, base = map[string]*table.Feature{}, map[string]string{}
	for _, name := range columns {
		c := t.Column(name)
		full := in.Owner + "." + c.Name
		steps := []table.Step{}
		for _, s := range in.Table.Steps {
			if s.Column == c.Name {
				steps = append(steps, s)
			}
		}
		levels := len(steps) == 0 && (c.Kind == table.Category || c.Kind == table.String || declared[full] != nil)
		if levels {
			steps = append(steps, table.Step{Column: c.Name, OneHot: true, Levels: declared[full]})
		}
		made, err := prepareOne(t, c, steps)
		if err != nil {
			return nil, nil, nil, taskError(in, err)
		}
		if levels {
			base[full] = strings.TrimPrefix(made[0].Name, c.Name+"=")
			made = made[1:]
		} else if want := declared[full]; want != nil && !slices.Equal(table.Names(made), levelNames(c.Name, want)) {
			return nil, nil, nil, wrong(in.at, "column %q: its preparation makes other features than the levels of the task say", c.Name)
		}
		if !slices.Contains(roles, full) {
			features = append(features, made...)
			continue
		}
		if len(made) != 1 || levels {
			return nil, nil, nil, wrong(in.at, "the target, offset or weights %s are not one numeric column", full)
		}
		apart[full] = &made[0]
	}
	return features, apart, base, nil
}

// levelNames returns the names of the features of a column with these levels, of which the first has none.
func levelNames(column string, levels []string) []string {
	var out []string
	for _, level := range levels[1:] {
		out = append(out, column+"="+level)
	}
	return out
}

// prepareOne prepares one column of a table.
func prepareOne(t *table.Table, c *table.Column, steps []table.Step) ([]table.Feature, error) {
	one := *t
	one.Columns = []*table.Column{c}
	return one.Prepare(steps, false)
}

// taskError returns an error of a table with its place.
func taskError(in *Input, err error) error {
	var at *table.Error
	if errors.As(err, &at) {
		return tableError(err)
	}
	return &Error{Place: in.at, Err: err}
}
