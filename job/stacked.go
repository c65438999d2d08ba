package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
)

// stackedKinds are the kinds of tasks on stacked tables.
var stackedKinds = []Kind{Stats, GLM, GBT, Eval, Bin, Group, KMeans, PCA}

// checkStacked refuses tasks that stacked tables do not have.
func (j *Job) checkStacked() error {
	at := j.place("join")
	if j.Task == nil {
		return wrong(at, "join: method stacked is for a task")
	}
	if k := j.Task.kind(); k == Predict && len(j.Join.Beside) > 0 {
		return wrong(at, "join: beside is not for predict: predict the rows of each stacked table in a job of its own, with the tables of its party and "+
			"of %s (join: {method: psi} or aligned)", strings.Join(j.Join.Beside, ", "))
	} else if !slices.Contains(stackedKinds, k) {
		return wrong(at, "join: method stacked is for stats, bin, group, glm, lr, gbt, eval, kmeans and pca, not for kind %s", k)
	}
	for i := range j.Inputs {
		if in := &j.Inputs[i]; in.Table != nil && len(in.Table.Steps) > 0 {
			return wrong(in.at, "prepare: tables that are stacked have columns as they are (levels of the task name those of texts)")
		}
	}
	return nil
}

// declareStacked sets the task's Stacked and Rows from the numbers of rows that the join declares, as nodes run it.
func (j *Job) declareStacked() error {
	if err := j.checkStacked(); err != nil {
		return err
	}
	c, at, sum := &j.Join, j.place("join"), 0
	if c.Rows == nil {
		return wrong(at, "join: rows is missing: at nodes a join declares the parties' numbers of rows, which all of them know: rows: {%s: N}",
			strings.Join(j.Parties, ": N, "))
	}
	if c.On != nil {
		return j.declareMatches()
	}
	j.Task.Stacked = nil
	for _, name := range j.Parties {
		n := c.Rows[name]
		if n < 1 || n > maxStacked {
			return wrong(at, "join: rows: %s has %d rows, want 1 to %d", name, n, maxStacked)
		}
		if slices.Contains(c.Beside, name) {
			n = 0
		}
		j.Task.Stacked, sum = append(j.Task.Stacked, n), sum+n
	}
	for _, name := range c.Beside {
		if n := c.Rows[name]; n != sum {
			return wrong(at, "join: rows: %s has %d rows, and the stacked tables have %d together", name, n, sum)
		}
	}
	if n := j.Task.Rows; n != 0 && n != sum {
		return wrong(at, "join: the parties have %d rows together, and the task declares rows: %d (leave the latter out)", sum, n)
	}
	j.Task.Rows = sum
	return nil
}

// declareMatches is declareStacked for tables whose rows are matched by keys with those of one beside them.
func (j *Job) declareMatches() error {
	c, at, stacked := &j.Join, j.place("join"), j.stackedParties()
	settings, err := j.Settings()
	if err != nil {
		return err
	}
	if d, err := protocol.Find(settings.Protocol); err != nil || d.Clear || settings.Computing != len(j.Parties) {
		return wrong(at, "join: on: keys of stacked tables are matched at nodes if all %d parties compute, and the job has protocol %s with %d "+
			"computing parties", len(j.Parties), settings.Protocol, settings.Computing)
	}
	if c.Matches == nil {
		return wrong(at, "join: matches is missing: at nodes a join of stacked tables by keys declares how many rows of each match, "+
			"matches: {%s: N}; all parties learn these numbers, and a job that declares others ends with an error that names the right ones",
			strings.Join(stacked, ": N, "))
	}
	j.Task.Stacked = make([]int, len(j.Parties))
	beside, sum := c.Beside[0], 0
	if n := c.Rows[beside]; n < 1 || n > psi.MaxKeys {
		return wrong(at, "join: rows: %s has %d rows, want 1 to %d", beside, n, psi.MaxKeys)
	}
	for rank, name := range j.Parties {
		if name == beside {
			continue
		}
		if n := c.Rows[name]; n < 1 || n > maxStacked {
			return wrong(at, "join: rows: %s has %d rows, want 1 to %d", name, n, maxStacked)
		}
		n, most := c.Matches[name], min(c.Rows[name], c.Rows[beside])
		if n < 1 || n > most {
			return wrong(at, "join: matches: %d rows of %s, want 1 to %d, as many as it or %s has", n, name, most, beside)
		}
		j.Task.Stacked[rank], sum = n, sum+n
	}
	if n := j.Task.Rows; n != 0 && n != sum {
		return wrong(at, "join: %d rows match together, and the task declares rows: %d (leave the latter out)", sum, n)
	}
	j.Task.Rows = sum
	return nil
}

// maxStacked is the largest declared number of rows of a stacked table.
const maxStacked = 1 << 22

// stackedColumns returns the names of the task's columns, each once, which all stacked tables have. It refuses names with a party.
func (t *Task) stackedColumns(parties []string) ([]string, error) {
	if len(t.Widths) > 0 {
		return nil, errors.New("widths: tables that are stacked have columns as they are (levels of the task name those of texts)")
	}
	var out, model []string
	seen, used := map[string]bool{}, map[string]bool{} // lists may be long
	if t.kind() == Eval && t.Score == "" {
		fit, err := t.revealed()
		if err != nil {
			return nil, err
		}
		for _, c := range fit.Coefficients[1:] {
			if column, _, _, _ := fit.Column(c.Name); !used[column] { // one for each of its levels
				model, used[column] = append(model, column), true
			}
		}
		model = append(model, fit.Offset)
	}
	for _, name := range slices.Concat(t.Listed, t.Features, t.By, t.Values, model, []string{t.Target, t.Offset, t.Weights, t.Score}) {
		if name == "" {
			continue
		}
		if t.besideOf(name) != "" && !seen[name] {
			seen[name] = true
			continue
		}
		if owner, column, ok := strings.Cut(name, "."); ok && slices.Contains(parties, owner) && !seen[name] {
			return nil, fmt.Errorf("%s: columns of stacked tables are of all parties: name it %s", name, column)
		}
		if seen[name] {
			return nil, fmt.Errorf("column %s is named twice (target, offset and weights are no features)", name)
		}
		out, seen[name] = append(out, name), true
	}
	return out, nil
}

// besideOf returns the party beside stacked tables that has a column, "" for a column of the stacked ones.
func (t *Task) besideOf(column string) string {
	if owner, _, ok := strings.Cut(column, "."); ok && slices.Contains(t.Beside, owner) {
		return owner
	}
	return ""
}

// stackedOwner returns the rank of the owner of a column: 0 for those of stacked tables, −1 for none.
func (t *Task) stackedOwner(column string, parties []string) int {
	if column == "" {
		return -1
	}
	return max(0, slices.Index(parties, t.besideOf(column)))
}

// setStackedOwners sets the owners of target, offset and weights of a model of stacked tables.
func (t *Task) setStackedOwners(s *glm.Shape) {
	s.Owner, s.OffsetOwner = t.stackedOwner(t.Target, s.Parties), t.stackedOwner(t.Offset, s.Parties)
	s.WeightsOwner = t.stackedOwner(t.Weights, s.Parties)
}

// declaredStacked is Declared for stacked tables.
func (t *Task) declaredStacked(parties []string) (Work, error) {
	columns, err := t.stackedColumns(parties)
	if err != nil {
		return nil, err
	}
	switch t.kind() {
	case GLM:
		return t.stackedShape(parties)
	case KMeans, PCA:
		k, err := t.stackedWidths(parties)
		if err != nil {
			return nil, err
		}
		return t.featureShape(parties, k, t.Rows, t.Stacked)
	case GBT:
		k, err := t.stackedWidths(parties)
		if err != nil {
			return nil, err
		}
		return t.stackedTrees(parties, k, t.Stacked, t.Levels)
	case Bin:
		return t.stackedBins(parties, t.Stacked, t.Levels)
	case Group:
		return t.stackedGroups(parties, t.Stacked, t.Levels)
	case Eval:
		return t.stackedEvaluation(parties, t.Stacked)
	}
	if len(t.Listed) == 0 {
		return nil, errors.New("columns is missing: the columns, such as [age, claims]")
	}
	if q := t.Quantiles; len(q) > 0 && !slices.Equal(q, defaultQuantiles) {
		return nil, errNoQuantiles
	}
	texts := map[string]bool{}
	for _, name := range t.Texts {
		texts[name] = true
	}
	s := &statistics.Stacked{Parties: parties, Rows: t.Stacked, Correlation: t.Correlation}
	for _, name := range columns {
		s.Columns = append(s.Columns, statistics.Column{Name: name, Text: texts[name]})
		delete(texts, name)
	}
	for _, owner := range parties {
		if len(t.Beside) == 0 {
			break
		}
		var p statistics.Party
		if slices.Contains(t.Beside, owner) {
			of, err := t.Used(owner)
			if err != nil {
				return nil, err
			}
			p = statistics.Party{Name: owner, Absent: true}
			for _, name := range of {
				p.Columns = append(p.Columns, statistics.Column{Name: name, Text: texts[owner+"."+name]})
				delete(texts, owner+"."+name)
			}
		}
		s.Beside = append(s.Beside, p)
	}
	for name := range texts {
		return nil, fmt.Errorf("texts names %q, which is not among columns", name)
	}
	return s, nil
}

// stackedEvaluation returns the evaluation of stacked tables, without data.
func (t *Task) stackedEvaluation(parties []string, rows []int) (*metrics.Evaluation, error) {
	e, err := t.evaluation(parties)
	if err != nil {
		return nil, err
	}
	if e.Parts, e.Stacked = nil, rows; len(t.Beside) == 0 {
		return e, nil
	}
	e.Owner = t.stackedOwner(t.Target, parties)
	e.Owners, err = t.partSides(parties)
	return e, err
}

// partSides returns the owners of parts of the linear predictor of a task of kind Eval on stacked tables and others beside them, ascending:
// 0 for the stacked tables, or the ranks of others.
func (t *Task) partSides(parties []string) ([]int, error) {
	columns := []string{t.Score}
	if t.Score == "" {
		fit, err := t.revealed()
		if err != nil {
			return nil, err
		}
		columns = []string{fit.Offset}
		for _, c := range fit.Coefficients[1:] {
			column, _, _, _ := fit.Column(c.Name)
			columns = append(columns, column)
		}
	}
	var out []int
	for _, name := range columns {
		if name != "" {
			out = append(out, t.stackedOwner(name, parties))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// evaluatedRows returns the rows of a party's table of a task of kind Eval. withIntercept says that its part of the linear predictor has
// the intercept.
func (t *Task) evaluatedRows(j *Job, read *table.Table, owner string, withIntercept bool) (*metrics.Rows, error) {
	out := &metrics.Rows{}
	var err error
	if target := t.own(t.Target, owner); target != "" {
		if out.Target, err = j.number(read, owner, target); err != nil {
			return nil, err
		}
	}
	if t.Score != "" {
		if score := t.own(t.Score, owner); score != "" {
			out.Linear, err = j.number(read, owner, score)
		}
		return out, err
	}
	fit, err := t.revealed()
	if err != nil {
		return nil, err
	}
	var terms []term
	for _, c := range fit.Coefficients[1:] {
		column, level, has, number := fit.Column(c.Name)
		if number > 0 {
			return nil, fmt.Errorf("the model was fitted on column %s as a catalogue prepares it, and stacked tables have columns as they are", column)
		}
		if column = t.own(column, owner); column == "" {
			continue
		}
		terms = append(terms, term{column: column, level: level, hasLevel: has, value: c.Value})
	}
	full := func(column string) string { // as part takes names
		if own := t.own(column, owner); own != "" {
			return owner + "." + own
		}
		return column
	}
	if out.Linear, err = j.part(read, owner, fit.Renamed(full), terms); err != nil {
		return nil, err
	}
	for i := range out.Linear {
		if withIntercept {
			out.Linear[i] += fit.Coefficients[0].Value
		}
	}
	return out, nil
}

// hasIntercept reports whether a party's part of the linear predictor of an evaluation has the intercept: that of the first owner of parts.
func (t *Task) hasIntercept(e *metrics.Evaluation, owner string) bool {
	if !slices.Contains(t.Beside, owner) {
		return len(t.Beside) == 0 || slices.Contains(e.Owners, 0)
	}
	return e.Parties[e.Owners[0]] == owner
}

// stackedGroups returns the groups of stacked tables with these levels of the columns that make them, without data.
func (t *Task) stackedGroups(parties []string, rows []int, levels map[string][]string) (*bins.Groups, error) {
	g := &bins.Groups{Parties: parties, Stacked: rows, MinGroup: t.minGroup(), By: t.By}
	g.Rows = g.Stacked.Total()
	used := map[string]bool{}
	for i, name := range t.By {
		owner := t.stackedOwner(name, parties)
		if i > 0 && owner != g.Owner {
			return nil, fmt.Errorf("by: %s and %s have different owners, and groups are of columns of the stacked tables, or of one party beside them",
				t.By[0], name)
		}
		g.Owner = owner
		if levels[name] == nil {
			return nil, fmt.Errorf("levels is missing for %s: its values, which all parties know before any table is read", name)
		}
		g.Levels, used[name] = append(g.Levels, levels[name]), true
	}
	for _, name := range t.Values {
		g.Values = append(g.Values, bins.Value{Name: name, Owner: t.stackedOwner(name, parties)})
	}
	return g, t.checkLevels(used)
}

// own returns the name that a party's table has for a column of a task on stacked tables and others beside them; "" for a column of others.
func (t *Task) own(column, party string) string {
	switch owner := t.besideOf(column); {
	case owner == "" && !slices.Contains(t.Beside, party):
		return column
	case owner == party:
		return strings.TrimPrefix(column, party+".")
	}
	return ""
}

// groupRows returns the rows of a party's table of a task of kind Group with these levels.
func (t *Task) groupRows(read *table.Table, party string, levels [][]string) (*bins.GroupRows, error) {
	out := &bins.GroupRows{}
	var by []string
	for _, name := range t.By {
		if own := t.own(name, party); own != "" {
			by = append(by, own)
		}
	}
	if by != nil {
		var err error
		if out.Of, err = groupsOf(read, by, levels); err != nil {
			return nil, err
		}
	}
	for _, name := range t.Values {
		own := t.own(name, party)
		if own == "" {
			out.Values = append(out.Values, nil)
			continue
		}
		made, err := prepareOne(read, read.Column(own), nil)
		if err != nil {
			return nil, err
		}
		out.Values = append(out.Values, made[0].Values)
	}
	return out, nil
}

// errNoQuantiles refuses quantiles of stacked tables.
var errNoQuantiles = errors.New("stacked tables have no quantiles (leave them out)")

// stackedWidths returns the numbers of features by rank, the first of which is that of stacked tables, from the task's declarations.
func (t *Task) stackedWidths(parties []string) ([]int, error) {
	columns, err := t.stackedColumns(parties)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, name := range append(columns, t.Features...) {
		used[name] = true
	}
	if err := t.checkLevels(used); err != nil {
		return nil, err
	}
	k := make([]int, len(parties))
	for _, name := range t.Features {
		n := t.width(name)
		if n < 1 {
			return nil, fmt.Errorf("levels: %s: want two or more levels", name)
		}
		k[t.stackedOwner(name, parties)] += n
	}
	for _, name := range []string{t.Target, t.Offset, t.Weights} {
		if t.Levels[name] != nil {
			return nil, fmt.Errorf("levels names %q, which is no feature", name)
		}
	}
	return k, nil
}

// stackedShape is Shape for stacked tables.
func (t *Task) stackedShape(parties []string) (*glm.Shape, error) {
	k, err := t.stackedWidths(parties)
	if err != nil {
		return nil, err
	}
	if t.Target == "" {
		return nil, errors.New("target is missing, such as claims")
	}
	s := t.model(parties)
	s.Stacked, s.Features = t.Stacked, k
	t.setStackedOwners(&s)
	return s.Resolve()
}

// stackedData returns a party's data of a fit of stacked tables, and the levels without a feature, by column.
func (t *Task) stackedData(in *Input, read *table.Table, levels map[string][]string) (d glm.Data, base map[string]string, err error) {
	owner, declared := in.Owner, map[string][]string{}
	if slices.Contains(t.Beside, owner) {
		columns, err := t.Used(owner)
		if err != nil {
			return d, nil, err
		}
		features, apart, base, err := in.features(read, columns, levels, t.Target, t.Offset, t.Weights)
		return glm.Data{Features: features, Target: apart[t.Target], Offset: apart[t.Offset], Weights: apart[t.Weights]}, base, err
	}
	for name, of := range levels {
		declared[owner+"."+name] = of
	}
	var columns []string
	for _, name := range append(slices.Clone(t.Features), t.Target, t.Offset, t.Weights) {
		if name != "" && t.besideOf(name) == "" {
			columns = append(columns, name)
		}
	}
	features, apart, of, err := in.features(read, columns, declared, owner+"."+t.Target, owner+"."+t.Offset, owner+"."+t.Weights)
	if err != nil {
		return d, nil, err
	}
	base = map[string]string{}
	for full, level := range of {
		base[full[len(owner)+1:]] = level
	}
	return glm.Data{
		Features: features, Target: apart[owner+"."+t.Target], Offset: apart[owner+"."+t.Offset], Weights: apart[owner+"."+t.Weights],
	}, base, nil
}

// readStacked returns the tables of all parties and the columns that the task names, or with all every column, which each of them has.
func (j *Job) readStacked(names []string, all bool) (map[string]*table.Table, []string, error) {
	if err := j.checkStacked(); err != nil {
		return nil, nil, err
	}
	for i := range j.Inputs {
		if in := &j.Inputs[i]; in.named() {
			return nil, nil, j.onlyAtNode(in)
		}
	}
	columns := map[string][]string{}
	for _, owner := range j.Parties {
		in := j.tableOf(owner)
		has, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return nil, nil, taskError(in, err)
		}
		if slices.Contains(j.Join.Beside, owner) {
			if err := j.checkBesideColumns(in, has, all, columns); err != nil {
				return nil, nil, err
			}
			continue
		}
		if all {
			has = j.Join.withoutKeys(owner, has)
		}
		if all && names == nil {
			names = has
		}
		if extra := len(has) - len(names); all && extra != 0 {
			return nil, nil, wrong(in.at, "the table of %s has %d columns, and that of %s %d: stacked tables have the same (name those to describe)",
				in.Owner, len(has), j.Parties[0], len(names))
		}
		columns[in.Owner] = names
		for _, name := range names {
			if owner, column, ok := strings.Cut(name, "."); ok && slices.Contains(j.Parties, owner) && !slices.Contains(has, name) {
				return nil, nil, wrong(j.place("task"), "task: %s: columns of stacked tables are of all parties: name it %s", name, column)
			}
			if !slices.Contains(has, name) {
				return nil, nil, wrong(in.at, "the table of %s has no column %q, and each of the stacked tables has all columns of the task", in.Owner, name)
			}
		}
	}
	tables, err := j.readTables(columns)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range j.Parties {
		if tables[name].Rows == 0 {
			return nil, nil, wrong(j.tableOf(name).at, "the table of %s has no rows", name)
		}
		if want, ok := j.Join.Rows[name]; ok && want != tables[name].Rows {
			return nil, nil, wrong(j.place("join"), "join: rows: the table of %s has %d rows, and the job declares %d", name, tables[name].Rows, want)
		}
	}
	return tables, names, nil
}

// stacked is readStacked with the rows that belong together, in the same order.
func (j *Job) stacked(ctx context.Context, names []string, all bool) (map[string]*table.Table, []string, error) {
	tables, names, err := j.readStacked(names, all)
	if err != nil {
		return nil, nil, err
	}
	if j.Join.On != nil {
		return tables, names, j.matchBeside(ctx, tables)
	}
	sum := stacked.Rows(j.counts(tables)).Total()
	for _, name := range j.Join.Beside {
		if n := tables[name].Rows; n != sum {
			return nil, nil, wrong(j.tableOf(name).at, "the table of %s has %d rows, and the stacked tables have %d together: it has their rows, in order",
				name, n, sum)
		}
	}
	return tables, names, nil
}

// checkBesideColumns adds the columns of a table beside stacked ones that the task uses, or with all each of them, to those of all
// parties, and refuses columns that it lacks.
func (j *Job) checkBesideColumns(in *Input, has []string, all bool, columns map[string][]string) error {
	used := j.Join.withoutKeys(in.Owner, has)
	if !all {
		var err error
		if used, err = j.Task.Used(in.Owner); err != nil {
			return err
		}
	}
	if len(used) == 0 {
		return wrong(j.place("task"), "task: no column of %s is used, whose table is beside the stacked ones: name it %s.COLUMN", in.Owner, in.Owner)
	}
	for _, name := range used {
		if !slices.Contains(has, name) {
			return wrong(j.place("task"), "task: the table of %s has no column %q", in.Owner, name)
		}
	}
	columns[in.Owner] = used
	return nil
}

// stackedWork is Work for stacked tables.
func (j *Job) stackedWork(ctx context.Context) (Work, error) {
	if err := j.checkStacked(); err != nil {
		return nil, err
	}
	if j.Task.kind() == Stats {
		s, err := j.stackedStatistics(ctx)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	if j.Task.kind() == Group {
		g, err := j.groupedRows(ctx)
		if err != nil {
			return nil, err
		}
		return g, nil
	}
	if j.Task.kind() == Bin {
		b, err := j.binnedRows(ctx)
		if err != nil {
			return nil, err
		}
		return b, nil
	}
	if j.Task.kind() == Eval {
		e, err := j.evaluated(ctx)
		if err != nil {
			return nil, err
		}
		return e, nil
	}
	read, err := j.stackedFeatures(ctx)
	if err != nil {
		return nil, err
	}
	if j.Task.kind() == GLM {
		m, err := j.stackedModel(read)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	if j.Task.kind() == GBT {
		t, err := j.stackedTraining(read)
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	var of [][]table.Feature
	for _, d := range read.data {
		of = append(of, d.Features)
	}
	shape, err := j.Task.featureShape(j.Parties, read.widths(), 0, read.rows)
	if err != nil {
		return nil, err
	}
	return training(shape, of)
}

// counts returns the numbers of rows of tables, by rank, and 0 for those beside stacked ones.
func (j *Job) counts(tables map[string]*table.Table) []int {
	var out []int
	for _, name := range j.Parties {
		n := tables[name].Rows
		if slices.Contains(j.Join.Beside, name) {
			n = 0
		}
		out = append(out, n)
	}
	return out
}

// stackedStatistics is Work for kind Stats of stacked tables.
func (j *Job) stackedStatistics(ctx context.Context) (*statistics.Stacked, error) {
	t := j.Task
	listed, err := t.stackedColumns(nil)
	if err != nil {
		return nil, wrong(j.place("task"), "task: %w", err)
	}
	if t.Listed != nil && len(listed) == 0 {
		return nil, wrong(j.place("task"), "task: columns names none of the stacked tables")
	}
	tables, names, err := j.stacked(ctx, listed, t.Listed == nil)
	if err != nil {
		return nil, err
	}
	if q := t.Quantiles; len(q) > 0 && !slices.Equal(q, defaultQuantiles) {
		return nil, errNoQuantiles
	}
	s := &statistics.Stacked{Parties: j.Parties, Rows: j.counts(tables), Correlation: t.Correlation}
	for rank, owner := range j.Parties {
		read, of, besides := tables[owner], names, slices.Contains(j.Join.Beside, owner)
		if besides {
			if of, err = t.Used(owner); err != nil {
				return nil, err
			}
			if t.Listed == nil {
				of = j.Join.withoutKeys(owner, columnNames(read))
			}
		}
		var own []statistics.Column
		for i, name := range of {
			c, err := j.described(read, owner, name, t.Fill)
			if err != nil {
				return nil, err
			}
			if own = append(own, *c); besides {
				continue
			}
			if rank == 0 {
				s.Columns = append(s.Columns, statistics.Column{Name: name, Text: c.Text})
			} else if c.Text != s.Columns[i].Text {
				return nil, wrong(j.tableOf(owner).at, "column %q is one of texts at one of %s and %s, and one of numbers at the other (declare types)",
					name, j.Parties[0], owner)
			}
		}
		if besides {
			s.Data = append(s.Data, nil)
		} else {
			s.Data = append(s.Data, own)
		}
		if len(j.Join.Beside) > 0 {
			p := statistics.Party{}
			if besides {
				p = statistics.Party{Name: owner, Columns: own}
			}
			s.Beside = append(s.Beside, p)
		}
	}
	return s, nil
}

// binnedRows is Work for kind Bin of stacked tables.
func (j *Job) binnedRows(ctx context.Context) (*bins.Binning, error) {
	tables, levels, err := j.stackedWithLevels(ctx)
	if err != nil {
		return nil, err
	}
	b, err := j.Task.stackedBins(j.Parties, j.counts(tables), levels)
	if err != nil {
		return nil, wrong(j.place("task"), "task: %w", err)
	}
	b.Data, err = rowsOf(j, tables, func(t *table.Table, owner string) (*bins.BinRows, error) { return j.Task.binRows(t, owner, b.Features) })
	return b, err
}

// stackedTables returns the tables of all parties with the columns that the task names.
func (j *Job) stackedTables(ctx context.Context) (map[string]*table.Table, error) {
	names, err := j.Task.stackedColumns(nil)
	if err != nil {
		return nil, wrong(j.place("task"), "task: %w", err)
	}
	tables, _, err := j.stacked(ctx, names, false)
	return tables, err
}

// stackedWithLevels returns what stackedTables and stackedLevels do.
func (j *Job) stackedWithLevels(ctx context.Context) (tables map[string]*table.Table, levels map[string][]string, err error) {
	if tables, err = j.stackedTables(ctx); err == nil {
		levels, err = j.stackedLevels(tables)
	}
	return tables, levels, err
}

// rowsOf returns what f makes of each party's table, in the order of ranks.
func rowsOf[D any](j *Job, tables map[string]*table.Table, f func(t *table.Table, owner string) (D, error)) ([]D, error) {
	var out []D
	for _, owner := range j.Parties {
		d, err := f(tables[owner], owner)
		if err != nil {
			return nil, taskError(j.tableOf(owner), err)
		}
		out = append(out, d)
	}
	return out, nil
}

// groupedRows is Work for kind Group of stacked tables.
func (j *Job) groupedRows(ctx context.Context) (*bins.Groups, error) {
	tables, levels, err := j.stackedWithLevels(ctx)
	if err != nil {
		return nil, err
	}
	g, err := j.Task.stackedGroups(j.Parties, j.counts(tables), levels)
	if err != nil {
		return nil, wrong(j.place("task"), "task: %w", err)
	}
	g.Data, err = rowsOf(j, tables, func(t *table.Table, owner string) (*bins.GroupRows, error) {
		return j.Task.groupRows(t, owner, g.Levels)
	})
	return g, err
}

// evaluated is Work for kind Eval of stacked tables.
func (j *Job) evaluated(ctx context.Context) (*metrics.Evaluation, error) {
	tables, err := j.stackedTables(ctx)
	if err != nil {
		return nil, err
	}
	e, err := j.Task.stackedEvaluation(j.Parties, j.counts(tables))
	if err != nil {
		return nil, err
	}
	e.Data, err = rowsOf(j, tables, func(t *table.Table, owner string) (*metrics.Rows, error) {
		return j.Task.evaluatedRows(j, t, owner, j.Task.hasIntercept(e, owner))
	})
	return e, err
}

// stackedRows are the stacked tables of a task with features.
type stackedRows struct {
	data   []glm.Data          // by rank
	levels map[string][]string // of columns of texts
	base   map[string]string   // the levels without a feature, by column
	rows   []int               // the parties' numbers of rows
}

// widths returns the numbers of features by rank: of the stacked tables those of the first party, and 0 for others.
func (r *stackedRows) widths() []int {
	out := make([]int, len(r.data))
	for rank, d := range r.data {
		if rank == 0 || r.rows[rank] == 0 {
			out[rank] = len(d.Features)
		}
	}
	return out
}

// stackedFeatures reads the tables of a task with features.
func (j *Job) stackedFeatures(ctx context.Context) (*stackedRows, error) {
	t := j.Task
	if t.Target == "" && (t.kind() == GLM || t.kind() == GBT) {
		return nil, wrong(j.place("task"), "task: target is missing")
	}
	tables, levels, err := j.stackedWithLevels(ctx)
	if err != nil {
		return nil, err
	}
	out := &stackedRows{rows: j.counts(tables), levels: levels}
	for rank, owner := range j.Parties {
		in := j.tableOf(owner)
		d, of, err := t.stackedData(in, tables[owner], out.levels)
		if err != nil {
			return nil, err
		}
		out.data = append(out.data, d)
		if out.base == nil {
			out.base = map[string]string{}
		}
		maps.Copy(out.base, of)
		if out.rows[rank] == 0 {
			continue
		}
		if got, want := table.Names(d.Features), table.Names(out.data[0].Features); !slices.Equal(got, want) {
			return nil, wrong(in.at, "the features of %s are %.200q, and those of %s %.200q", owner, got, j.Parties[0], want)
		}
	}
	return out, nil
}

// stackedModel is Work for kind GLM of stacked tables.
func (j *Job) stackedModel(read *stackedRows) (*glm.Stacked, error) {
	t := j.Task
	m := &glm.Stacked{Shape: t.model(j.Parties), Data: read.data}
	m.Shape.Stacked, m.Features = read.rows, read.widths()
	if len(read.base) > 0 {
		m.Base = read.base
	}
	t.setStackedOwners(&m.Shape)
	m.Offset, m.Weights = t.Offset, t.Weights
	s, err := m.Resolve()
	if err != nil {
		return nil, wrong(j.place("task"), "%w", err)
	}
	m.Shape = *s
	return m, nil
}

// stackedLevels returns the levels of the task's columns of texts, and of those that make groups: those that it declares, else those of
// all tables.
func (j *Job) stackedLevels(tables map[string]*table.Table) (map[string][]string, error) {
	out := map[string][]string{}
	for _, name := range slices.Concat(j.Task.Features, j.Task.By) {
		if levels := j.Task.Levels[name]; levels != nil {
			out[name] = levels
			continue
		}
		found, texts, groups := map[string]bool{}, 0, slices.Contains(j.Task.By, name)
		owners, beside := j.Parties, j.Task.besideOf(name)
		if beside != "" {
			owners = []string{beside}
		} else if len(j.Join.Beside) > 0 {
			owners = slices.DeleteFunc(slices.Clone(owners), func(o string) bool { return slices.Contains(j.Join.Beside, o) })
		}
		for _, owner := range owners {
			c := tables[owner].Column(strings.TrimPrefix(name, beside+"."))
			text := c.Kind == table.Category || c.Kind == table.String
			if text {
				texts++
			}
			for row := range tables[owner].Rows {
				if (text || groups) && !c.IsMissing(row) && len(found) <= table.MaxLevels {
					found[c.Level(row)] = true
				}
			}
		}
		switch {
		case texts > 0 && texts < len(owners):
			return nil, wrong(j.place("task"), "task: column %q is one of texts at some parties and one of numbers at others (declare types)", name)
		case len(found) > table.MaxLevels:
			return nil, wrong(j.place("task"), "task: column %q has more than %d different values", name, table.MaxLevels)
		case groups && len(found) > maxGroupLevels:
			return nil, wrong(j.place("task"), "task: column %q has more than %d different values, which are too many groups (bin it, or declare levels)",
				name, maxGroupLevels)
		case len(found) > 0:
			out[name] = slices.Sorted(maps.Keys(found))
		}
	}
	for name := range j.Task.Levels {
		if out[name] == nil {
			return nil, wrong(j.place("task"), "task: levels names %q, which is no feature", name)
		}
	}
	return out, nil
}

// checkEdges refuses edges of columns that the task does not use, and those that are no bounds of bins.
func (t *Task) checkEdges(levels map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(t.Edges)) {
		switch {
		case !slices.Contains(t.Features, name):
			return fmt.Errorf("edges names %q, which is no feature", name)
		case t.besideOf(name) != "":
			return fmt.Errorf("edges: %s is %s's alone, whose bins are at quantiles of its rows (leave it out; bins says how many)", name, t.besideOf(name))
		case levels[name] != nil:
			return fmt.Errorf("edges: %s has levels, which are its bins", name)
		}
		if err := gbt.CheckEdges(t.Edges[name]); err != nil {
			return fmt.Errorf("edges: %s: %w", name, err)
		}
	}
	return t.checkRanges(levels)
}

// checkRanges refuses ranges of columns that the task does not use, or that have other bins.
func (t *Task) checkRanges(levels map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(t.Ranges)) {
		r := t.Ranges[name]
		switch {
		case !slices.Contains(t.Features, name):
			return fmt.Errorf("ranges names %q, which is no feature", name)
		case t.besideOf(name) != "":
			return fmt.Errorf("ranges: %s is %s's alone, whose bins are at quantiles of its rows (leave it out; bins says how many)", name, t.besideOf(name))
		case levels[name] != nil:
			return fmt.Errorf("ranges: %s has levels, which are its bins", name)
		case t.Edges[name] != nil:
			return fmt.Errorf("ranges: %s has edges, which are the bounds of its bins", name)
		case len(r) != 2:
			return fmt.Errorf("ranges: %s: want the least and the largest number, such as [0, 120], got %d numbers", name, len(r))
		}
		if err := (stacked.Grid{Low: r[0], High: r[1]}).Check(); err != nil {
			return fmt.Errorf("ranges: %s: %w", name, err)
		}
	}
	return nil
}

// edges returns the edges of a column of numbers.
func (t *Task) edges(name string) ([]float64, error) {
	if of := t.Edges[name]; of != nil {
		return of, nil
	}
	return nil, fmt.Errorf("edges is missing for %s: bounds of its bins but for the last one, which all parties know before any table is read, such as "+
		"edges: {%s: [10, 20, 30]}, or its range, for bins at quantiles of all rows: ranges: {%s: [0, 120]}", name, name, name)
}

// stackedBins returns the bins of stacked tables with these levels of columns of texts, without data.
func (t *Task) stackedBins(parties []string, rows []int, levels map[string][]string) (*bins.Binning, error) {
	if err := t.checkEdges(levels); err != nil {
		return nil, err
	}
	numbers := slices.ContainsFunc(t.Features, func(name string) bool { return t.besideOf(name) != "" && levels[name] == nil })
	if t.Growth.Bins > 0 && len(t.Ranges) == 0 && !numbers {
		return nil, errors.New("bins: those of stacked tables follow from edges (leave bins out), or from ranges of columns (ranges: {age: [0, 120]})")
	}
	b := &bins.Binning{Parties: parties, Stacked: rows, MinGroup: t.minGroup(), Sample: t.Sample}
	b.Rows, b.Owner = b.Stacked.Total(), t.stackedOwner(t.Target, parties)
	used := map[string]bool{}
	for _, name := range t.Features {
		f := bins.Feature{Name: name, Owner: t.stackedOwner(name, parties), Levels: levels[name], Bins: len(levels[name])}
		if f.Owner > 0 && f.Levels == nil { // bins at its owner's quantiles
			f.Bins = cmp.Or(t.Growth.Bins, bins.DefaultBins)
		} else if r := t.Ranges[name]; r != nil {
			f.Grid, f.Bins = &stacked.Grid{Low: r[0], High: r[1]}, cmp.Or(t.Growth.Bins, bins.DefaultBins)
		} else if f.Levels == nil {
			of, err := t.edges(name)
			if err != nil {
				return nil, err
			}
			f.Bounds = append(slices.Clone(of), math.Inf(1))
			f.Bins = len(f.Bounds)
		}
		b.Features, used[name] = append(b.Features, f), true
	}
	return b, t.checkLevels(used)
}

// binRows returns the rows of a party's table of a task of kind Bin.
func (t *Task) binRows(read *table.Table, party string, features []bins.Feature) (*bins.BinRows, error) {
	out := &bins.BinRows{}
	for _, f := range features {
		own := t.own(f.Name, party)
		if own == "" {
			out.Of, out.Bounds = append(out.Of, nil), append(out.Bounds, nil)
			continue
		}
		c := read.Column(own)
		var of []int
		var bounds []float64
		var err error
		if f.Levels != nil {
			of, err = levelsOf(c, f.Levels, f.Bins)
		} else if f.Grid != nil {
			of, err = cellsOf(read, c, f.Grid)
		} else if f.Owner > 0 {
			of, bounds, err = binsOf(read, c, f.Bins)
		} else {
			of, _, err = binsWithin(read, c, f.Bins, func([]float64) []float64 { return f.Bounds })
		}
		if err != nil {
			return nil, err
		}
		out.Of, out.Bounds = append(out.Of, of), append(out.Bounds, bounds)
	}
	target := t.own(t.Target, party)
	if target == "" {
		return out, nil
	}
	made, err := prepareOne(read, read.Column(target), nil)
	if err != nil {
		return nil, err
	}
	out.Target = made[0].Values
	return out, nil
}

// cellsOf returns the cell of each row's number, stacked.Cells where it is missing.
func cellsOf(t *table.Table, c *table.Column, g *stacked.Grid) ([]int, error) {
	bounds := make([]float64, stacked.Cells)
	for i := range bounds {
		bounds[i] = g.Bound(i)
	}
	of, _, err := binsWithin(t, c, stacked.Cells, func([]float64) []float64 { return bounds })
	return of, err
}

// stackedTrees returns the trees of stacked tables with numbers of features by rank (stackedWidths) and these levels of columns of texts,
// without data.
func (t *Task) stackedTrees(parties []string, k, rows []int, levels map[string][]string) (*gbt.Shape, error) {
	if err := t.checkEdges(levels); err != nil {
		return nil, err
	}
	s := t.Growth.shape()
	s.Parties, s.Stacked, s.Features, s.Owner = parties, rows, k, t.stackedOwner(t.Target, parties)
	for _, name := range t.Features {
		if t.besideOf(name) != "" { // bins at its owner's quantiles
			continue
		}
		if of := levels[name]; of != nil {
			for range len(of) - 1 {
				s.Edges, s.Grids = append(s.Edges, []float64{0}), append(s.Grids, nil) // features of 0 and 1
			}
			continue
		}
		if r := t.Ranges[name]; r != nil {
			s.Edges, s.Grids = append(s.Edges, nil), append(s.Grids, &stacked.Grid{Low: r[0], High: r[1]})
			continue
		}
		of, err := t.edges(name)
		if err != nil {
			return nil, err
		}
		s.Edges, s.Grids = append(s.Edges, of), append(s.Grids, nil)
	}
	return s.Resolve()
}

// stackedTraining is Work for kind GBT of stacked tables.
func (j *Job) stackedTraining(read *stackedRows) (*gbt.Training, error) {
	s, err := j.Task.stackedTrees(j.Parties, read.widths(), read.rows, read.levels)
	if err != nil {
		return nil, wrong(j.place("task"), "task: %w", err)
	}
	out := &gbt.Training{Shape: s}
	for _, d := range read.data {
		out.Data = append(out.Data, gbt.Data{Features: d.Features, Target: d.Target})
	}
	return out, nil
}
