package job

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/table"
)

// Growth holds the settings of a task of kind GBT. Zero fields stand for the defaults of package gbt.
type Growth struct {
	Trees, Depth, Bins                 int
	Rate, Lambda, MinWeight, Subsample float64
	Holdout                            int    // gbt.Shape.Holdout
	Splits                             string // gbt.Shape.Splits; "" too: hidden
	Seed                               int
}

// shape returns the shape of trees without parties and rows.
func (g *Growth) shape() gbt.Shape {
	return gbt.Shape{
		Trees: g.Trees, Depth: g.Depth, Bins: g.Bins, Rate: g.Rate, Lambda: g.Lambda, MinWeight: g.MinWeight, Subsample: g.Subsample,
		Seed: uint32(g.Seed), Holdout: g.Holdout, Splits: g.Splits,
	}
}

// treeShape returns what all parties know of the task's trees, from its declarations alone.
func (t *Task) treeShape(parties []string) (*gbt.Shape, error) {
	s := t.Growth.shape()
	var err error
	s.Parties, s.Rows, s.Hidden = parties, t.Rows, t.Hidden
	if s.Features, s.Owner, _, err = t.count(parties); err != nil {
		return nil, err
	}
	return s.Resolve()
}

// training returns the task's trees on these tables, by owner. rows is their number of rows.
func (j *Job) training(tables map[string]*table.Table, columns map[string][]string, rows int) (*gbt.Training, error) {
	t := j.Task
	s := t.Growth.shape()
	s.Parties, s.Rows, s.Owner, s.Hidden = j.Parties, rows, -1, t.Hidden
	if s.Hidden != nil {
		s.Rows = s.Hidden.Rows[s.Hidden.Keeper]
	}
	out := &gbt.Training{}
	for rank, name := range j.Parties {
		d := gbt.Data{}
		if in := j.tableOf(name); in != nil && len(columns[name]) > 0 {
			features, roles, _, err := in.features(tables[name], columns[name], t.Levels, t.Target)
			if err != nil {
				return nil, err
			}
			d.Features = features
			if target := roles[t.Target]; target != nil {
				d.Target, s.Owner = target, rank
			}
		}
		out.Data, s.Features = append(out.Data, d), append(s.Features, len(d.Features))
	}
	var err error
	out.Shape, err = s.Resolve()
	return out, err
}

// trees is Work for kind GBT.
func (j *Job) trees(ctx context.Context) (Work, *Joined, error) {
	columns, err := j.taskColumns()
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.join(ctx, columns)
	if err != nil {
		return nil, nil, err
	}
	owner, _, err := j.Task.owner(j.Task.Target, j.Parties)
	if err != nil {
		return nil, nil, err
	}
	w, err := j.training(joined.Tables, columns, joined.Tables[owner].Rows)
	return w, joined, err
}

// planTrees is PlanWork for kind GBT, by its tables.
func (j *Job) planTrees() (Work, *profile.Report, error) {
	columns, err := j.taskColumns()
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.planJoin(columns)
	if err != nil {
		return nil, nil, err
	}
	owner, _, err := j.Task.owner(j.Task.Target, j.Parties)
	if err != nil {
		return nil, nil, err
	}
	rows := joined.Rows
	if joined.Report == nil {
		rows = joined.Tables[owner].Rows
	}
	w, err := j.training(joined.Tables, columns, rows)
	if err != nil {
		return nil, nil, err
	}
	return w.Shape, joined.Report, nil
}

// treeModel reads the task's model; nil if it is not one of trees.
func (t *Task) treeModel() (*gbt.Model, error) {
	if t.Revealed != nil || t.Model == "" {
		return nil, nil
	}
	return ReadTrees(t.Model)
}

// ReadTrees reads revealed trees: the JSON file that gbt writes. It returns nil if the file is that of another task.
func ReadTrees(path string) (*gbt.Model, error) {
	text, err := regular.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &gbt.Model{}
	if json.Unmarshal(text, m) != nil || m.Kind != gbt.KindName {
		return nil, nil
	}
	if m.Few > 0 {
		return nil, fmt.Errorf("%s: no trees were trained, since fewer than %d rows matched", path, m.Few)
	}
	return m, nil
}

// nameTrees gives features that have no party, as those of stacked tables, the party whose table alone has their column.
func (j *Job) nameTrees(m *gbt.Model) (*gbt.Model, error) {
	used, _ := m.Used()
	names := map[string]string{}
	for _, name := range used {
		owner, _, ok := strings.Cut(name, ".")
		if ok && slices.Contains(j.Parties, owner) {
			continue
		}
		of := func(columns []string) string { // the column of the feature
			if column, _, level := strings.Cut(name, "="); level && !slices.Contains(columns, name) {
				return column
			}
			return name
		}
		column, _, _ := strings.Cut(name, "=")
		var owners []string
		for i := range j.Inputs {
			in := &j.Inputs[i]
			all, err := table.ColumnNames(in.File, in.Table.Options)
			if err != nil {
				return nil, taskError(in, err)
			}
			if slices.Contains(all, of(all)) {
				owners = append(owners, in.Owner)
			}
		}
		if len(owners) != 1 {
			return nil, noParty(column, len(owners))
		}
		names[name] = owners[0] + "." + name
	}
	return m.Renamed(names), nil
}

// treePrediction reads the tables and matches their rows.
func (j *Job) treePrediction(ctx context.Context, m *gbt.Model) (Work, *Joined, error) {
	m, err := j.nameTrees(m)
	if err != nil {
		return nil, nil, err
	}
	used, _ := m.Used()
	columns, levels := map[string][]string{}, map[string]string{} // levels: of a feature of a category
	for _, full := range used {
		if err := checkPrepared(m.Prepared, full); err != nil {
			return nil, nil, err
		}
		owner, name, ok := strings.Cut(full, ".")
		in := j.tableOf(owner)
		if !ok || in == nil {
			return nil, nil, fmt.Errorf("the model has the feature %q, and there is no table of its party", full)
		}
		all, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return nil, nil, taskError(in, err)
		}
		if column, level, is := strings.Cut(name, "="); is && !slices.Contains(all, name) {
			name, levels[full] = column, level
		}
		if !slices.Contains(all, name) {
			return nil, nil, fmt.Errorf("the model has the feature %q, and the table of %s has no such column (models of prepared columns are not predicted from)",
				full, owner)
		}
		if !slices.Contains(columns[owner], name) {
			columns[owner] = append(columns[owner], name)
		}
	}
	if len(used) == 0 {
		return nil, nil, fmt.Errorf("the model has no splits: all rows have the same prediction")
	}
	joined, err := j.join(ctx, columns)
	if err != nil {
		return nil, nil, err
	}
	p := &gbt.Prediction{Parties: j.Parties, Model: m}
	for _, name := range j.Parties {
		own := map[string][]float64{}
		for _, full := range used {
			owner, column, _ := strings.Cut(full, ".")
			if owner != name {
				continue
			}
			read := joined.Tables[name]
			if p.Rows == 0 {
				p.Rows = read.Rows
			}
			if level, is := levels[full]; is {
				column, _, _ = strings.Cut(column, "=")
				c := read.Column(column)
				if slices.Contains(c.Missing, true) {
					return nil, nil, fmt.Errorf("%s.%s has missing values, which trees do not take", name, column)
				}
				own[full] = make([]float64, read.Rows)
				for i := range own[full] {
					if c.Level(i) == level {
						own[full][i] = 1
					}
				}
				continue
			}
			if own[full], err = j.number(read, name, column); err != nil {
				return nil, nil, err
			}
		}
		p.Columns = append(p.Columns, own)
	}
	return p, joined, nil
}
