package job

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
)

// stackedKinds are the kinds of tasks on stacked tables.
var stackedKinds = []Kind{Stats, GLM}

// checkStacked refuses tasks that stacked tables do not have.
func (j *Job) checkStacked() error {
	at := j.place("join")
	if j.Task == nil {
		return wrong(at, "join: method stacked is for a task")
	}
	if k := j.Task.kind(); !slices.Contains(stackedKinds, k) {
		return wrong(at, "join: method stacked is for stats, glm and lr, not for kind %s", k)
	}
	for i := range j.Inputs {
		in := &j.Inputs[i]
		if in.named() {
			return wrong(in.at, "join: method stacked is for tables in one process, and %s is an entry of the catalogue of %s", in.Name, in.Owner)
		}
		if len(in.Table.Steps) > 0 {
			return wrong(in.at, "prepare: tables that are stacked have columns as they are (levels of the task name those of texts)")
		}
	}
	return nil
}

// stacked returns the tables of all parties and the columns that the task names, or with all every column, which each of them has.
func (j *Job) stacked(names []string, all bool) (map[string]*table.Table, []string, error) {
	if err := j.checkStacked(); err != nil {
		return nil, nil, err
	}
	for i := range j.Inputs {
		in := &j.Inputs[i]
		has, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return nil, nil, taskError(in, err)
		}
		if all && i == 0 {
			names = has
		}
		if extra := len(has) - len(names); all && extra != 0 {
			return nil, nil, wrong(in.at, "the table of %s has %d columns, and that of %s %d: stacked tables have the same (name those to describe)",
				in.Owner, len(has), j.Inputs[0].Owner, len(names))
		}
		for _, name := range names {
			if owner, column, ok := strings.Cut(name, "."); ok && slices.Contains(j.Parties, owner) && !slices.Contains(has, name) {
				return nil, nil, wrong(j.place("task"), "task: %s: columns of stacked tables are of all parties: name it %s", name, column)
			}
			if !slices.Contains(has, name) {
				return nil, nil, wrong(in.at, "the table of %s has no column %q, and each of the stacked tables has all columns of the task", in.Owner, name)
			}
		}
	}
	columns := map[string][]string{}
	for _, name := range j.Parties {
		columns[name] = names
	}
	tables, err := j.readTables(columns)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range j.Parties {
		if tables[name].Rows == 0 {
			return nil, nil, wrong(j.tableOf(name).at, "the table of %s has no rows", name)
		}
	}
	return tables, names, nil
}

// stackedWork is Work for stacked tables.
func (j *Job) stackedWork() (Work, error) {
	if err := j.checkStacked(); err != nil {
		return nil, err
	}
	if j.Task.kind() == GLM {
		m, err := j.stackedModel()
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	s, err := j.stackedStatistics()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// counts returns the numbers of rows of tables, by rank.
func (j *Job) counts(tables map[string]*table.Table) []int {
	var out []int
	for _, name := range j.Parties {
		out = append(out, tables[name].Rows)
	}
	return out
}

// stackedStatistics is Work for kind Stats of stacked tables.
func (j *Job) stackedStatistics() (*statistics.Stacked, error) {
	t := j.Task
	tables, names, err := j.stacked(t.Listed, t.Listed == nil)
	if err != nil {
		return nil, err
	}
	if q := t.Quantiles; len(q) > 0 && !slices.Equal(q, defaultQuantiles) {
		return nil, fmt.Errorf("stacked tables have no quantiles (leave them out)")
	}
	s := &statistics.Stacked{Parties: j.Parties, Rows: j.counts(tables), Correlation: t.Correlation}
	for rank, owner := range j.Parties {
		var own []statistics.Column
		for i, name := range names {
			c, err := j.described(tables[owner], owner, name, t.Fill)
			if err != nil {
				return nil, err
			}
			if own = append(own, *c); rank == 0 {
				s.Columns = append(s.Columns, statistics.Column{Name: name, Text: c.Text})
			} else if c.Text != s.Columns[i].Text {
				return nil, wrong(j.tableOf(owner).at, "column %q is one of texts at one of %s and %s, and one of numbers at the other (declare types)",
					name, j.Parties[0], owner)
			}
		}
		s.Data = append(s.Data, own)
	}
	return s, nil
}

// stackedModel is Work for kind GLM of stacked tables.
func (j *Job) stackedModel() (*glm.Stacked, error) {
	t := j.Task
	names := slices.Clone(t.Features)
	roles := []string{t.Target, t.Offset, t.Weights}
	for _, name := range roles {
		if name != "" {
			names = append(names, name)
		}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, wrong(j.place("task"), "task: column %s is named twice (target, offset and weights are no features)", name)
		}
	}
	if t.Target == "" {
		return nil, wrong(j.place("task"), "task: target is missing")
	}
	tables, _, err := j.stacked(names, false)
	if err != nil {
		return nil, err
	}
	levels, err := j.stackedLevels(tables)
	if err != nil {
		return nil, err
	}
	m := &glm.Stacked{Shape: glm.Shape{
		Family: t.Family, Link: t.Link, Parties: j.Parties, Iterations: t.Iterations, Hessians: t.Hessians, Condition: t.Condition,
		Power: t.Power, Alpha: t.Alpha, L2: t.L2, L1: t.L1, Stacked: j.counts(tables), OffsetOwner: -1, WeightsOwner: -1,
	}}
	for rank, owner := range j.Parties {
		in := j.tableOf(owner)
		declared := map[string][]string{}
		for name, of := range levels {
			declared[owner+"."+name] = of
		}
		features, apart, base, err := in.features(tables[owner], names, declared, owner+"."+t.Target, owner+"."+t.Offset, owner+"."+t.Weights)
		if err != nil {
			return nil, err
		}
		m.Data = append(m.Data, glm.Data{
			Features: features, Target: apart[owner+"."+t.Target], Offset: apart[owner+"."+t.Offset], Weights: apart[owner+"."+t.Weights],
		})
		if rank > 0 {
			if got, want := table.Names(features), table.Names(m.Data[0].Features); !slices.Equal(got, want) {
				return nil, wrong(in.at, "the features of %s are %.200q, and those of %s %.200q", owner, got, j.Parties[0], want)
			}
			continue
		}
		m.Features = append([]int{len(features)}, make([]int, len(j.Parties)-1)...)
		for full, level := range base {
			if m.Base == nil {
				m.Base = map[string]string{}
			}
			m.Base[full[len(owner)+1:]] = level
		}
	}
	if t.Offset != "" {
		m.OffsetOwner, m.Offset = 0, t.Offset
	}
	if t.Weights != "" {
		m.WeightsOwner, m.Weights = 0, t.Weights
	}
	s, err := m.Resolve()
	if err != nil {
		return nil, wrong(j.place("task"), "%w", err)
	}
	m.Shape = *s
	return m, nil
}

// stackedLevels returns the levels of the task's columns of texts: those that it declares, else those of all tables.
func (j *Job) stackedLevels(tables map[string]*table.Table) (map[string][]string, error) {
	out := map[string][]string{}
	for _, name := range j.Task.Features {
		if levels := j.Task.Levels[name]; levels != nil {
			out[name] = levels
			continue
		}
		found, texts := map[string]bool{}, 0
		for _, owner := range j.Parties {
			c := tables[owner].Column(name)
			if c.Kind != table.Category && c.Kind != table.String {
				continue
			}
			texts++
			for row := range tables[owner].Rows {
				if !c.IsMissing(row) {
					found[c.Level(row)] = true
				}
			}
		}
		switch {
		case texts > 0 && texts < len(j.Parties):
			return nil, wrong(j.place("task"), "task: column %q is one of texts at some parties and one of numbers at others (declare types)", name)
		case len(found) > table.MaxLevels:
			return nil, wrong(j.place("task"), "task: column %q has %d different values, more than %d", name, len(found), table.MaxLevels)
		case texts > 0:
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
