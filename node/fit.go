package node

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tasks"
)

// checkTask reads a submission's task and refuses what no node allows, and sizes for which the submission's program is
// too short. It builds nothing: the policy judges before buildTask does.
func (w *resolvedJob) checkTask() error {
	s, t := w.sub, w.sub.Task
	if !slices.Contains(tasks.Kinds, job.Kind(t.Fit)) {
		return fmt.Errorf("task: there is no task %.40q at this node %v", t.Fit, tasks.Kinds)
	}
	keeps := s.Keep != "" && t.Fit != string(job.GLM) && t.Fit != string(job.GBT)
	if s.Serve || s.Offline || keeps || s.Checkpoint != 0 || len(s.State) > 0 || s.Resume != "" || len(s.Public) > 0 {
		return fmt.Errorf("a job with a task is no service and no offline job, and has no keep (but for glm and gbt), checkpoint, resume and public inputs")
	}
	if n := listed(t); n > maxListed {
		return fmt.Errorf("task: its lists have %d names and numbers together, and nodes take at most %d (submit several tasks)", n, maxListed)
	}
	task, err := readTask(t)
	if err != nil {
		return err
	}
	if c := joinOf(t); c != nil {
		if err := task.JoinAtNodes(s.Parties, *c, s.Protocol, s.Computing); err != nil {
			return fmt.Errorf("task: %w", err)
		}
		if c.Method == job.PSI && t.Rows < bins.DefaultMinGroup {
			return fmt.Errorf("task: %d rows match, and nodes want at least %d: who chooses the keys of one table would choose the rows of the "+
				"other whose values the results show", t.Rows, bins.DefaultMinGroup)
		}
		if task.Stacked != nil {
			few := *task
			if few.Rows = stacked.Rows(task.Stacked).Least(); few.Kind == job.Eval { // who knows the other rows counts those of the smallest table
				if err := checkFineness(&few); err != nil {
					return err
				}
			}
		}
		for _, n := range task.Stacked {
			if n > 0 && n < bins.DefaultMinGroup { // 0 for tables beside them
				if c.On != nil {
					return fmt.Errorf("task: %d rows of one of the stacked tables match, and nodes want at least %d of each: who chooses the keys of "+
						"one table would choose the rows of the other whose values the results show", n, bins.DefaultMinGroup)
				}
				return fmt.Errorf("task: one of the stacked tables has %d rows, and nodes want at least %d of each: the results show what the others' "+
					"rows do not explain", n, bins.DefaultMinGroup)
			}
		}
		if e := task.Metrics; task.Stacked != nil && (slices.Contains(e, metrics.Lift) || slices.Contains(e, metrics.Calibration)) {
			return fmt.Errorf("task: lift and calibration of stacked tables divide all rows in their order, which leaves single rows of a party " +
				"to those who know the others, and nodes refuse them")
		}
		if w := task.Growth.MinWeight; task.Stacked != nil && task.Kind == job.GBT && 4*w < bins.DefaultMinGroup {
			return fmt.Errorf("task: min_weight is %g, and for stacked tables nodes want at least %g: each leaf then has rows of each party, at least %d",
				w, bins.DefaultMinGroup/4.0, bins.DefaultMinGroup)
		}
		if task.Stacked != nil && t.Rows != task.Rows {
			return fmt.Errorf("task: rows is the sum of the stacked tables' numbers of rows, %d, and the task has %d", task.Rows, t.Rows)
		}
		if h := task.Hidden; h != nil && (t.Rows != h.Total() || c.Keeper == "" || c.Kind == "") {
			return errors.New("task: a hidden join names its keeper and its kind, and rows are the keeper's, or with kind: outer those of both parties")
		}
	}
	if g := task.Growth; task.Kind == job.GBT && (g.Trees < 1 || g.Depth < 1 || g.Trees > len(s.Program.Text)/1000/g.Depth) {
		return fmt.Errorf("the program is not that of the task: %d trees of depth %d have a longer one", g.Trees, g.Depth)
	}
	if g := task.Growth; task.Kind == job.GBT && g.MinWeight < leastWeight {
		return fmt.Errorf("task: min_weight is %g, and nodes want at least %g: each leaf then has %d rows or more, since the leaf of a single row shows "+
			"its label", g.MinWeight, float64(leastWeight), int(4*leastWeight))
	}
	if g := task.Growth; task.Kind == job.GBT && g.Holdout > 0 && t.Rows/g.Holdout < bins.DefaultMinGroup {
		return fmt.Errorf("task: holdout: %d holds out %d of %d rows, and nodes want at least %d: the loss of a single row shows its label",
			g.Holdout, t.Rows/g.Holdout, t.Rows, bins.DefaultMinGroup)
	}
	// Programs grow with numbers of iterations and components; one that is much larger than the submission's is not built.
	if n := max(task.Iterations, task.Components); (task.Kind == job.KMeans || task.Kind == job.PCA) && n > len(s.Program.Text)/500 {
		return fmt.Errorf("the program is not that of the task: %d iterations or components have a longer one", n)
	}
	if task.Kind == job.GLM {
		shape, err := task.Shape(s.Parties)
		if err != nil {
			return fmt.Errorf("task: %w", err)
		}
		if shape.Link != task.Link || shape.Iterations != task.Iterations || shape.Hessians != task.Hessians ||
			shape.Condition != task.Condition ||
			shape.Power != task.Power || shape.Alpha != task.Alpha {
			return fmt.Errorf("task: link, iterations, hessians, condition, power and alpha are given, defaults too")
		}
		if s := shape.Stacked; s != nil && s.Least() <= shape.Coefficients() {
			return fmt.Errorf("task: one of the stacked tables has %d rows, and the model %d coefficients: nodes want more rows of each, so that "+
				"no table's rows follow from the coefficients", s.Least(), shape.Coefficients())
		}
		if g := task.SGD; g != nil && *g != *shape.SGD {
			return fmt.Errorf("task: epochs, batch, rate and bits are given, defaults too")
		}
		if c := task.CG; c != nil && *c != *shape.CG {
			return fmt.Errorf("task: steps are given, defaults too")
		}
		// The text has an identity matrix of all coefficients, so a model that is much larger than it is not built. Those of sgd and cg have a
		// constant size, or one number for each coefficient.
		if p := shape.Coefficients(); task.SGD == nil && task.CG == nil && p*p > len(s.Program.Text) {
			return fmt.Errorf("the program is not that of the task: a model of %d coefficients has a longer one", p)
		}
	}
	if g := task.Growth; task.Kept != "" && (g.Depth < 0 || g.Depth > len(s.Program.Text)/100) {
		return fmt.Errorf("the program is not that of the task: trees of depth %d have a longer one", g.Depth)
	}
	w.task = task
	for _, name := range s.Parties {
		used, err := task.Used(name)
		if err != nil {
			return fmt.Errorf("task: %w", err)
		}
		if c := t.Join; c != nil {
			used = append(used, c.On[name]...)
		}
		if slices.Contains(used, "*") {
			return fmt.Errorf("task: column %s.*: name each column (in rules of policies, * stands for all)", name)
		}
	}
	return nil
}

// leastWeight is the least min_weight of trees at nodes. A Hessian is at most 1/4, so that each side of a split has at least four times
// as many rows.
const leastWeight = 1.0

// maxListed is the largest number of entries of all lists of a task at nodes: names of columns and levels, coefficients, and numbers.
const maxListed = 10_000

// listed returns the number of entries of all lists of a task.
func listed(t *api.Task) int {
	n := len(t.Features) + len(t.Columns) + len(t.Texts) + len(t.By) + len(t.Values) + len(t.Metrics) + len(t.Quantiles) + len(t.Thresholds) +
		len(t.Fractions) + len(t.Widths)
	for _, levels := range t.Levels {
		n += 1 + len(levels)
	}
	for _, numbers := range []map[string][]float64{t.Edges, t.Ranges} {
		for _, of := range numbers {
			n += 1 + len(of)
		}
	}
	if t.Join != nil {
		n += len(t.Join.Aggregate)
		for _, columns := range t.Join.On {
			n += len(columns)
		}
	}
	if t.Model != nil {
		n += len(t.Model.Coefficients) + len(t.Model.Widths)
	}
	return n
}

// buildTask builds the program of a submission's task and refuses the submission unless its program, its arithmetic
// and the arguments of its inputs are those of the task. Sizes are bounded by checkTask.
func (w *resolvedJob) buildTask() error {
	s, task := w.sub, w.task
	fit, want, err := task.NewFit(s.Parties)
	if err != nil {
		return fmt.Errorf("task: %w", err)
	}
	if !bytes.Equal(want.Program.Text, s.Program.Text) {
		return fmt.Errorf("the program is not the one that this node builds from the task (submit with the release that the nodes run)")
	}
	if s.Ring != want.Ring || s.Fraction != want.Fraction {
		return fmt.Errorf("the task computes in ring %d with %d fraction bits, and the job says %d and %d", want.Ring, want.Fraction, s.Ring, s.Fraction)
	}
	if s.Reveals != want.Reveals {
		return fmt.Errorf("the task reveals %d tensors while it runs, and the job says %d (reveals)", want.Reveals, s.Reveals)
	}
	w.fit = fit
	if fit.Join = joinOf(s.Task); task.Stacked != nil && fit.Join.On == nil { // there are no rows to match
		fit.Join = nil
	}
	given := map[string]bool{}
	kept := fit.KeptResults()
	for i, in := range s.Inputs {
		if k := i - (len(s.Inputs) - len(kept)); k >= 0 {
			arg := len(fit.Owners) - len(kept) + k
			if in.Kept != task.Kept || in.Result != kept[k] || !slices.Equal(in.Args, []int{arg}) || in.Owner != "" || in.Name != "" {
				return fmt.Errorf("input %d of the task is result %d of the kept model %.40q as argument %d", i, kept[k], task.Kept, arg)
			}
			continue
		}
		if in.Kept != "" || in.Resident || len(in.Ranges) > 0 || given[in.Owner] {
			return fmt.Errorf("the inputs of a task are one table of each owner, without ranges and not resident")
		}
		given[in.Owner] = true
		args := w.fit.Args(in.Owner)
		used, err := task.Used(in.Owner)
		if err != nil {
			return fmt.Errorf("task: %w", err)
		}
		if !slices.Equal(in.Args, args) || len(args) == 0 && (task.Hidden == nil || len(used) == 0) { // all of its columns may move
			return fmt.Errorf("input %.40q of %.40q provides arguments %v, and the task wants %v", in.Name, in.Owner, in.Args, args)
		}
	}
	for _, rank := range fit.Owners {
		if rank >= 0 && !given[s.Parties[rank]] {
			return fmt.Errorf("the task uses columns of %s, of whom no input is named", s.Parties[rank])
		}
	}
	return nil
}

// joinOf returns the join of a submission's task; nil for aligned rows.
func joinOf(t *api.Task) *job.Join {
	c := t.Join
	if c == nil {
		return nil
	}
	return &job.Join{
		Method: c.Method, Kind: c.Kind, On: c.On, Normal: table.Normal{Trim: c.Trim, Case: c.Case, NFC: c.NFC},
		Aggregate: c.Aggregate, Keeper: c.Keeper, Rows: c.Rows, Beside: c.Beside, Matches: c.Matches,
	}
}

// maxThresholds is the largest number of thresholds of an evaluation at nodes.
const maxThresholds = 20

// checkFineness refuses tasks whose results are so many numbers of the same columns that they show values of single rows:
// quantiles that lie less than bins.DefaultMinGroup rows apart, and thresholds of scores for fewer than so many rows each.
func checkFineness(t *job.Task) error {
	q := slices.Compact(slices.Sorted(slices.Values(t.Quantiles)))
	for i := 1; i < len(q); i++ {
		if (q[i]-q[i-1])*float64(t.Rows-1) < bins.DefaultMinGroup-1e-9 {
			return fmt.Errorf("task: the quantiles %v and %v of %d rows lie less than %d rows apart, and nodes want at least that: many of them "+
				"would reveal the rows' values", q[i-1], q[i], t.Rows, bins.DefaultMinGroup)
		}
	}
	if t.Metrics != nil && !slices.Contains(t.Metrics, metrics.Confusion) { // no threshold is used
		return nil
	}
	cuts := 0 // package metrics says how far apart they lie
	if slices.Contains(t.Metrics, metrics.Lift) {
		cuts = cmp.Or(len(t.Fractions), metrics.DefaultCuts)
	}
	if slices.Contains(t.Metrics, metrics.Calibration) {
		cuts = max(cuts, cmp.Or(t.Growth.Bins, metrics.DefaultCuts))
	}
	if most := max(0, min(maxThresholds, t.Rows/bins.DefaultMinGroup-cuts)); len(t.Thresholds) > most {
		return fmt.Errorf("task: %d thresholds for %d rows, and nodes take at most %d, beside %d fractions or bins: many of them would reveal "+
			"the rows' scores", len(t.Thresholds), t.Rows, most, cuts)
	}
	return nil
}

// readTask returns the task of a submission. A model is taken as it is: its columns are checked when the task is built.
func readTask(t *api.Task) (*job.Task, error) {
	out := &job.Task{
		Kind: job.Kind(t.Fit), Family: glm.Family(t.Family), Link: glm.Link(t.Link), Target: t.Target, Features: t.Features, Offset: t.Offset,
		Rows: t.Rows, Widths: t.Widths, Iterations: t.Iterations, Hessians: t.Hessians, Condition: t.Condition,
		Weights: t.Weights, Power: t.Power, Alpha: t.Alpha, L2: t.L2, L1: t.L1, SGD: (*glm.SGD)(t.SGD), CG: (*glm.CG)(t.CG),
		Listed: t.Columns, Texts: t.Texts, Quantiles: t.Quantiles, Correlation: t.Correlation, Fill: t.Fill,
		Score: t.Score, Thresholds: t.Thresholds, Fractions: t.Fractions, Kept: t.Kept,
		MinGroup: t.MinGroup, Sample: t.Sample, By: t.By, Values: t.Values, Levels: t.Levels, Edges: t.Edges, Ranges: t.Ranges,
	}
	out.Clustering, out.Components = job.Clustering{Clusters: t.Clusters, Assign: t.Assign}, t.Components
	if t.Growth == nil {
		out.Growth.Bins, out.Growth.Seed = t.Bins, t.Seed
	}
	if g := t.Growth; g != nil {
		out.Growth = job.Growth{
			Trees: g.Trees, Depth: g.Depth, Bins: g.Bins,
			Rate: g.Rate, Lambda: g.Lambda, MinWeight: g.MinWeight, Subsample: g.Subsample, Seed: g.Seed, Holdout: g.Holdout, Splits: g.Splits,
		}
	}
	for _, m := range t.Metrics {
		out.Metrics = append(out.Metrics, metrics.Metric(m))
	}
	if slices.Contains([]job.Kind{job.Bin, job.Group, job.KMeans}, out.Kind) && t.MinGroup < bins.DefaultMinGroup {
		return nil, fmt.Errorf("task: min_group is %d, and nodes want at least %d", t.MinGroup, bins.DefaultMinGroup)
	}
	if err := checkFineness(out); err != nil {
		return nil, err
	}
	if out.Fill != "" && out.Fill != "mean" && out.Fill != "median" {
		return nil, fmt.Errorf("task: %.40q does not replace missing values (mean, median)", out.Fill)
	}
	if t.Kept != "" && out.Kind != job.Predict {
		return nil, fmt.Errorf("task: a kept model is for predict")
	}
	if needs := out.Kind == job.Predict && t.Kept == "" || out.Kind == job.Eval && t.Score == ""; needs != (t.Model != nil) {
		return nil, fmt.Errorf("task: predict has a model, eval a model or a score, and other tasks have neither")
	}
	if t.Model == nil {
		return out, nil
	}
	out.Revealed = &glm.Result{Link: glm.Link(t.Model.Link), Offset: t.Model.Offset, Base: t.Model.Base, Widths: t.Model.Widths}
	for _, c := range t.Model.Coefficients {
		out.Revealed.Coefficients = append(out.Revealed.Coefficients, glm.Coefficient{Name: c.Name, Value: c.Value})
	}
	if !slices.Contains([]glm.Link{glm.Identity, glm.Logit, glm.Log, glm.Inverse}, out.Revealed.Link) {
		return nil, fmt.Errorf("task: the model has an unknown link %.40q", t.Model.Link)
	}
	if c := out.Revealed.Coefficients; len(c) == 0 || c[0].Name != "const" {
		return nil, fmt.Errorf("task: the model has no intercept as its first coefficient")
	}
	return out, nil
}

// columns returns the columns of this party's tables that the task uses.
func (w *resolvedJob) columns(c *Config) []policy.Column {
	used, _ := w.task.Used(c.Name) // without an error, as in checkTask
	return w.columnsOf(c, used)
}

// keys returns the columns of this party's tables by which the task's join matches rows.
func (w *resolvedJob) keys(c *Config) []policy.Column {
	if w.sub.Task.Join == nil {
		return nil
	}
	return w.columnsOf(c, w.sub.Task.Join.On[c.Name])
}

// columnsOf returns columns of this party's tables.
func (w *resolvedJob) columnsOf(c *Config, columns []string) (out []policy.Column) {
	names, _ := c.inputNames(w.sub.Inputs)
	for _, name := range names {
		for _, column := range columns {
			out = append(out, policy.Column{Entry: name, Name: column})
		}
	}
	return out
}
