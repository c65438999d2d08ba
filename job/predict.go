package job

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/table"
)

// ReadFit reads a revealed model: the JSON file that glm and lr write.
func ReadFit(path string) (*glm.Result, error) {
	text, err := regular.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r glm.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: it is no model that tacet glm or tacet lr wrote: %w", path, err)
	}
	if r.Few > 0 {
		return nil, fmt.Errorf("%s: no model was fitted, since fewer than %d rows matched", path, r.Few)
	}
	if len(r.Coefficients) == 0 || r.Coefficients[0].Name != "const" || r.Link == "" {
		return nil, fmt.Errorf("%s: it is no model that tacet glm or tacet lr wrote: it has no link or no intercept", path)
	}
	return &r, nil
}

// Linear is the linear predictor of a model on the job's tables, in parts.
type Linear struct {
	Parts  [][]float64 // by rank; nil: the party has no column of the model
	Rows   int
	Owner  int       // rank of the target's owner
	Target []float64 // nil if no target was asked for
	Joined *Joined
}

// nameModel gives columns of the task's model that have no party, as those of a fit of stacked tables, the party whose table alone has
// them; at nodes, where nobody knows, that of the only table.
func (j *Job) nameModel() error {
	t := j.Task
	if k := t.kind(); k != Predict && k != Eval || t.Kept != "" || t.Score != "" || j.Join.Method == Stacked {
		return nil
	}
	if trees, err := t.treeModel(); err != nil || trees != nil {
		return err
	}
	fit, err := t.revealed()
	if err != nil {
		return err
	}
	tables := map[string][]string{} // names of columns
	for _, in := range j.Inputs {
		if in.named() {
			continue
		}
		if tables[in.Owner], err = table.ColumnNames(in.File, in.Table.Options); err != nil {
			return taskError(&in, err)
		}
	}
	var wrong error
	t.Revealed = fit.Renamed(func(column string) string {
		if owner, _, ok := strings.Cut(column, "."); ok && slices.Contains(j.Parties, owner) || strings.HasSuffix(column, glm.JoinedName) {
			return column
		}
		var owners []string
		for _, in := range j.Inputs {
			if in.named() && len(j.Inputs) == 1 || slices.Contains(tables[in.Owner], column) {
				owners = append(owners, in.Owner)
			}
		}
		if len(owners) != 1 {
			wrong = noParty(column, len(owners))
			return column
		}
		return owners[0] + "." + column
	})
	return wrong
}

// noParty is the error of a model's column without a party that is not in one table.
func noParty(column string, tables int) error {
	return fmt.Errorf("the model's column %q has no party, and is in %d tables (predict for one table, or evaluate with join: {method: stacked})",
		column, tables)
}

// term is a coefficient as its owner computes it.
type term struct {
	column, level string // level is of a category; hasLevel says that there is one
	hasLevel      bool
	number, of    int  // of a column with numbered coefficients: which of how many, from 1; 0 otherwise
	joined        bool // the coefficient of all rows of the party that a left join adds
	value         float64
}

// terms assigns coefficients to the columns of the owners' tables.
func (j *Job) terms(fit *glm.Result) (map[string][]term, error) {
	out := map[string][]term{}
	for _, c := range fit.Coefficients[1:] {
		if name, ok := strings.CutSuffix(c.Name, glm.JoinedName); ok && j.tableOf(name) != nil {
			out[name] = append(out[name], term{joined: true, value: c.Value})
			continue
		}
		owner, rest, ok := strings.Cut(c.Name, ".")
		if !ok || j.tableOf(owner) == nil {
			return nil, fmt.Errorf("the model has the coefficient %q, and there is no table of its party", c.Name)
		}
		if err := checkPrepared(fit.Prepared, c.Name); err != nil {
			return nil, err
		}
		in := j.tableOf(owner)
		if column, _, _, number := fit.Column(c.Name); number > 0 {
			out[owner] = append(out[owner], term{column: column[len(owner)+1:], number: number, of: fit.Widths[column], value: c.Value})
			continue
		}
		names, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return nil, taskError(in, err)
		}
		t, found := term{column: rest, value: c.Value}, slices.Contains(names, rest)
		for i := 0; i < len(rest) && !found; i++ {
			if rest[i] == '=' && slices.Contains(names, rest[:i]) {
				t.column, t.level, t.hasLevel, found = rest[:i], rest[i+1:], true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("the model has the coefficient %q, and the table of %s has no such column (models of prepared columns are not predicted from)",
				c.Name, owner)
		}
		out[owner] = append(out[owner], t)
	}
	return out, nil
}

// Linear reads the tables, matches their rows and computes each party's part of a model's linear predictor. target is
// the full name of a further column, or "".
func (j *Job) Linear(ctx context.Context, fit *glm.Result, target string) (*Linear, error) {
	terms, err := j.terms(fit)
	if err != nil {
		return nil, err
	}
	columns := map[string][]string{}
	add := func(owner, column string) {
		if !slices.Contains(columns[owner], column) {
			columns[owner] = append(columns[owner], column)
		}
	}
	for owner, of := range terms {
		for _, t := range of {
			if !t.joined {
				add(owner, t.column)
			}
		}
	}
	for _, full := range []string{target, fit.Offset} {
		if full != "" {
			owner, column, err := (&Task{}).owner(full, j.Parties)
			if err != nil {
				return nil, err
			}
			if j.tableOf(owner) == nil {
				return nil, fmt.Errorf("%s: there is no table of %s", full, owner)
			}
			add(owner, column)
		}
	}
	if err := j.checkColumns(columns); err != nil {
		return nil, err
	}
	joined, err := j.join(ctx, columns)
	if err != nil {
		return nil, err
	}
	out := &Linear{Joined: joined, Parts: make([][]float64, len(j.Parties)), Rows: -1}
	for rank, name := range j.Parties {
		t := joined.Tables[name]
		if t == nil {
			continue
		}
		if j.hidden == nil && out.Rows >= 0 && out.Rows != t.Rows {
			return nil, fmt.Errorf("the tables have %d and %d rows, and row i of both must belong together (match rows by keys with --on)", out.Rows, t.Rows)
		}
		out.Rows = t.Rows
		part, err := j.part(t, name, fit, terms[name])
		if err != nil {
			return nil, err
		}
		out.Parts[rank] = part
		if owner, column, _ := strings.Cut(target, "."); owner == name {
			f, err := j.number(t, name, column)
			if err != nil {
				return nil, err
			}
			out.Owner, out.Target = rank, f
		}
	}
	if out.Rows <= 0 {
		return nil, fmt.Errorf("no rows match")
	}
	var owners []int
	for rank, part := range out.Parts {
		if part != nil {
			owners = append(owners, rank)
		}
	}
	if rank := j.Task.interceptOwner(owners); rank >= 0 {
		for i := range out.Parts[rank] {
			out.Parts[rank][i] += fit.Coefficients[0].Value
		}
	}
	return out, nil
}

// interceptOwner returns which of the owners of parts of a linear predictor adds the intercept: the one that keeps its rows in a hidden
// join, else the first; -1 if there are none.
func (t *Task) interceptOwner(owners []int) int {
	if h := t.Hidden; h != nil && slices.Contains(owners, h.Keeper) {
		return h.Keeper
	}
	if len(owners) == 0 {
		return -1
	}
	return owners[0]
}

// checkColumns refuses columns that tables do not have.
func (j *Job) checkColumns(columns map[string][]string) error {
	for owner, names := range columns {
		in := j.tableOf(owner)
		all, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return taskError(in, err)
		}
		for _, name := range names {
			if !slices.Contains(all, name) {
				return wrong(in.at, "the table of %s has no column %q", owner, name)
			}
		}
	}
	return nil
}

// number returns a numeric column of a party.
func (j *Job) number(t *table.Table, owner, column string) ([]float64, error) {
	made, err := prepareOne(t, t.Column(column), nil)
	if err != nil {
		return nil, taskError(j.tableOf(owner), err)
	}
	return made[0].Values, nil
}

// part returns a party's part of the linear predictor without the intercept; nil if the party has no column of it.
func (j *Job) part(t *table.Table, owner string, fit *glm.Result, terms []term) ([]float64, error) {
	var out []float64
	add := func(values []float64, by float64) {
		if out == nil {
			out = make([]float64, t.Rows)
		}
		for i, x := range values {
			out[i] += by * x
		}
	}
	if offset, column, _ := strings.Cut(fit.Offset, "."); offset == owner {
		x, err := j.number(t, owner, column)
		if err != nil {
			return nil, err
		}
		add(x, 1)
	}
	levels := map[string][]string{} // of a column
	for _, m := range terms {
		if m.hasLevel {
			levels[m.column] = append(levels[m.column], m.level)
		}
	}
	made := map[string][]table.Feature{} // of columns with numbered coefficients
	for _, m := range terms {
		if m.joined {
			add(slices.Repeat([]float64{1}, t.Rows), m.value)
			continue
		}
		if m.number > 0 {
			if made[m.column] == nil {
				var err error
				if made[m.column], err = j.declared(t, owner, m.column); err != nil {
					return nil, err
				}
			}
			if n := len(made[m.column]); n != m.of {
				return nil, fmt.Errorf("column %q has %d features by its preparation, and the model %d", m.column, n, m.of)
			}
			add(made[m.column][m.number-1].Values, m.value)
			continue
		}
		if !m.hasLevel {
			x, err := j.number(t, owner, m.column)
			if err != nil {
				return nil, err
			}
			add(x, m.value)
			continue
		}
		all := levels[m.column]
		if base, ok := fit.Base[owner+"."+m.column]; ok {
			all = append(slices.Clone(all), base)
		}
		made, err := prepareOne(t, t.Column(m.column), []table.Step{{Column: m.column, OneHot: true, Levels: all}})
		if err != nil {
			return nil, taskError(j.tableOf(owner), err)
		}
		add(made[slices.Index(all, m.level)].Values, m.value)
	}
	return out, nil
}

// prepared lists the columns of the task, by full name, that the job file prepares otherwise than as one feature a level.
func (j *Job) prepared() []string {
	var out []string
	for _, in := range j.Inputs {
		if in.Table == nil {
			continue
		}
		for _, s := range in.Table.Steps {
			if !s.OneHot || s.Fill != nil || s.Indicator || s.Bins != 0 || s.Edges != nil {
				out = append(out, in.Owner+"."+s.Column)
			}
		}
	}
	return out
}

// checkPrepared refuses a feature of a column that a model was fitted on as a job file prepared it.
func checkPrepared(prepared []string, feature string) error {
	for _, column := range prepared {
		if rest, ok := strings.CutPrefix(feature, column); ok && (rest == "" || rest[0] == '=' || rest[0] == '.') {
			return fmt.Errorf("the model was fitted on column %s as its job file prepared it (to predict, fit a model on the columns as they are; "+
				"columns with one feature a level are predicted from)", column)
		}
	}
	return nil
}

// declared returns the features of a column as its owner's preparation makes them. Their number and meaning must follow from the
// declaration alone, since the model was fitted on another table.
func (j *Job) declared(t *table.Table, owner, column string) ([]table.Feature, error) {
	in := j.tableOf(owner)
	c := t.Column(column)
	if c == nil {
		return nil, fmt.Errorf("the table of %s has no column %q, which the model has", owner, column)
	}
	one := *t
	one.Columns = []*table.Column{c}
	for _, s := range in.Table.Steps {
		if s.Column == column {
			made, err := one.Prepare([]table.Step{s}, true)
			if err != nil {
				return nil, fmt.Errorf("column %q is predicted from by its preparation, whose constants and levels must be declared: %w", column, err)
			}
			return made, nil
		}
	}
	levels := in.Table.Options.Types[column].Levels
	if levels == nil {
		return nil, fmt.Errorf("the model has numbered coefficients of column %q: predict where the column has a preparation, or levels in types, as at the fit "+
			"(at the nodes at which it was fitted)", column)
	}
	made, err := one.Prepare([]table.Step{{Column: column, OneHot: true, Levels: levels}}, true)
	if err != nil {
		return nil, err
	}
	return made[1:], nil
}

// Score is Linear for a score that one party has as a column, which is compared with a target.
func (j *Job) Score(ctx context.Context, score, target string) (*Linear, error) {
	columns := map[string][]string{}
	ranks := [2]int{}
	for i, full := range []string{score, target} {
		owner, column, err := (&Task{}).owner(full, j.Parties)
		if err != nil {
			return nil, err
		}
		if j.tableOf(owner) == nil {
			return nil, fmt.Errorf("%s: there is no table of %s", full, owner)
		}
		ranks[i] = slices.Index(j.Parties, owner)
		columns[owner] = append(columns[owner], column)
	}
	if score == target {
		return nil, fmt.Errorf("the score and the target are the same column")
	}
	if err := j.checkColumns(columns); err != nil {
		return nil, err
	}
	joined, err := j.join(ctx, columns)
	if err != nil {
		return nil, err
	}
	out := &Linear{Joined: joined, Parts: make([][]float64, len(j.Parties)), Owner: ranks[1]}
	values := [2][]float64{}
	for i, full := range []string{score, target} {
		owner, column, _ := strings.Cut(full, ".")
		if values[i], err = j.number(joined.Tables[owner], owner, column); err != nil {
			return nil, err
		}
	}
	if j.hidden == nil && len(values[0]) != len(values[1]) {
		return nil, fmt.Errorf("the tables have %d and %d rows, and row i of both must belong together (match rows by keys with --on)",
			len(values[0]), len(values[1]))
	}
	out.Parts[ranks[0]], out.Target, out.Rows = values[0], values[1], len(values[1])
	return out, nil
}
