package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/table"
)

// grouped reports whether the task is of a kind of package bins.
func (t *Task) grouped() bool { return t.kind() == Bin || t.kind() == Group }

// minGroup is the task's least number of rows of a group.
func (t *Task) minGroup() int { return cmp.Or(t.MinGroup, bins.DefaultMinGroup) }

// declaredBins is Declared for kinds Bin and Group.
func (t *Task) declaredBins(parties []string) (Work, error) {
	seen := map[string]bool{}
	rank := func(column string) (int, error) {
		owner, _, err := t.owner(column, parties)
		if err == nil && seen[column] {
			err = fmt.Errorf("column %s is named twice", column)
		}
		seen[column] = true
		return slices.Index(parties, owner), err
	}
	var err error
	if t.kind() == Bin {
		b := &bins.Binning{Parties: parties, Rows: t.Rows, Hidden: t.Hidden, MinGroup: t.minGroup(), Sample: t.Sample}
		if b.Owner, err = rank(t.Target); err != nil {
			return nil, err
		}
		for _, full := range t.Features {
			f := bins.Feature{Name: full, Bins: cmp.Or(t.Growth.Bins, bins.DefaultBins), Levels: t.Levels[full]}
			if f.Levels != nil {
				f.Bins = len(f.Levels)
			}
			if f.Owner, err = rank(full); err != nil {
				return nil, err
			}
			b.Features = append(b.Features, f)
		}
		return b, t.checkLevels(seen)
	}
	g := &bins.Groups{Parties: parties, Rows: t.Rows, Hidden: t.Hidden, MinGroup: t.minGroup(), By: t.By}
	for i, full := range t.By {
		owner, err := rank(full)
		if err != nil {
			return nil, err
		}
		if i > 0 && owner != g.Owner {
			return nil, fmt.Errorf("by: %s and %s have different owners, and groups are of columns of one party", t.By[0], full)
		}
		levels := t.Levels[full]
		if levels == nil {
			return nil, fmt.Errorf("levels is missing for %s: its values, which all parties know before any table is read", full)
		}
		g.Owner, g.Levels = owner, append(g.Levels, levels)
	}
	for _, full := range t.Values {
		v := bins.Value{Name: full}
		if v.Owner, err = rank(full); err != nil {
			return nil, err
		}
		g.Values = append(g.Values, v)
	}
	return g, t.checkLevels(seen)
}

// checkLevels refuses levels of columns that the task does not use, and lists that are empty or have a level twice.
func (t *Task) checkLevels(used map[string]bool) error {
	for _, full := range slices.Sorted(maps.Keys(t.Levels)) {
		levels := t.Levels[full]
		if !used[full] {
			return fmt.Errorf("levels names %q, which the task does not use", full)
		}
		if len(levels) == 0 || len(levels) > bins.MaxBins {
			return fmt.Errorf("levels: %s has %d levels, want 1 to %d", full, len(levels), bins.MaxBins)
		}
		for i, level := range levels {
			if slices.Contains(levels[:i], level) {
				return fmt.Errorf("levels: %s has %q twice", full, level)
			}
		}
	}
	return nil
}

// fillBins gives w the data of a party's table.
func (t *Task) fillBins(w Work, owner string, rank int, read *table.Table) (Work, error) {
	column := func(full string) string { return full[len(owner)+1:] }
	switch w := w.(type) {
	case *bins.Binning:
		out := *w
		out.Features = slices.Clone(w.Features)
		for i := range out.Features {
			f := &out.Features[i]
			if f.Owner != rank {
				continue
			}
			c := read.Column(column(f.Name))
			var err error
			if f.Levels != nil {
				f.Of, err = levelsOf(c, f.Levels, len(f.Levels))
			} else {
				f.Of, f.Bounds, err = binsOf(read, c, f.Bins)
			}
			if err != nil {
				return nil, err
			}
		}
		if w.Owner == rank {
			made, err := prepareOne(read, read.Column(column(t.Target)), nil)
			if err != nil {
				return nil, err
			}
			out.Target = made[0].Values
		}
		return &out, nil
	case *bins.Groups:
		out := *w
		if w.Owner == rank {
			var names []string
			for _, full := range w.By {
				names = append(names, column(full))
			}
			var err error
			if out.Of, err = groupsOf(read, names, w.Levels); err != nil {
				return nil, err
			}
		}
		out.Values = slices.Clone(w.Values)
		for i := range out.Values {
			if v := &out.Values[i]; v.Owner == rank {
				made, err := prepareOne(read, read.Column(column(v.Name)), nil)
				if err != nil {
					return nil, err
				}
				v.Values = made[0].Values
			}
		}
		return &out, nil
	}
	return nil, fmt.Errorf("job: %T has no bins", w)
}

// groupsOf returns the group of each row that columns with these levels make.
func groupsOf(read *table.Table, columns []string, levels [][]string) ([]int, error) {
	out := make([]int, read.Rows)
	for i, name := range columns {
		of, err := levelsOf(read.Column(name), levels[i], -1)
		if err != nil {
			return nil, err
		}
		for row := range out {
			out[row] = out[row]*len(levels[i]) + of[row]
		}
	}
	return out, nil
}

// levelsOf returns the position of each row's level among levels, missing where the value is missing (negative: refused).
func levelsOf(c *table.Column, levels []string, missing int) ([]int, error) {
	at := map[string]int{}
	for i, level := range levels {
		at[level] = i
	}
	rows := max(len(c.Ints), len(c.Floats), len(c.Texts))
	out := make([]int, rows)
	for row := range rows {
		if c.IsMissing(row) {
			if missing < 0 {
				return nil, fmt.Errorf("column %q: row %d: a missing value is in no group", c.Name, row+1)
			}
			out[row] = missing
			continue
		}
		i, ok := at[c.Level(row)]
		if !ok {
			return nil, fmt.Errorf("column %q: row %d: the value is not among the levels of the task", c.Name, row+1)
		}
		out[row] = i
	}
	return out, nil
}

// binsOf returns the bin of each row's number, n where it is missing, and the bins' upper bounds.
func binsOf(t *table.Table, c *table.Column, n int) (of []int, bounds []float64, err error) {
	return binsWithin(t, c, n, func(values []float64) []float64 { return gbt.Bounds(values, n) })
}

// binsWithin is binsOf with bounds that follow from the numbers that are not missing.
func binsWithin(t *table.Table, c *table.Column, n int, within func(values []float64) []float64) (of []int, bounds []float64, err error) {
	if !isNumber(c) {
		return nil, nil, fmt.Errorf("column %q is a %s, and the task declares no levels of it", c.Name, c.Kind)
	}
	var present []int
	of = make([]int, t.Rows)
	for row := range of {
		if of[row] = n; !c.IsMissing(row) {
			present = append(present, row)
		}
	}
	var values []float64
	if len(present) > 0 {
		some := t.Select(present)
		made, err := prepareOne(some, some.Column(c.Name), nil)
		if err != nil {
			return nil, nil, err
		}
		values = made[0].Values
		bounds = within(values)
	}
	for i, row := range present {
		of[row] = gbt.Bin(bounds, values[i])
	}
	for len(bounds) < n {
		bounds = append(bounds, math.Inf(1))
	}
	return of, bounds, nil
}

// maxGroupLevels bounds the different values of a column that makes groups, or of texts that make bins.
const maxGroupLevels = bins.MaxBins

// tableLevels adds the levels of columns that tables have to those that the task declares.
func (t *Task) tableLevels(tables map[string]*table.Table, parties []string) (map[string][]string, error) {
	out := map[string][]string{}
	for full, levels := range t.Levels {
		out[full] = levels
	}
	for _, full := range append(slices.Clone(t.Features), t.By...) {
		owner, name, err := t.owner(full, parties)
		if err != nil {
			return nil, err
		}
		c := tables[owner].Column(name)
		if out[full] != nil || t.kind() == Bin && isNumber(c) {
			continue
		}
		found := map[string]bool{}
		for row := range tables[owner].Rows {
			if !c.IsMissing(row) {
				found[c.Level(row)] = true
			}
			if len(found) > maxGroupLevels {
				return nil, fmt.Errorf("%s has more than %d different values, which are too many groups (bin it, or declare levels)", full, maxGroupLevels)
			}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no values", full)
		}
		out[full] = slices.Sorted(maps.Keys(found))
	}
	return out, nil
}

// bins is Work for kinds Bin and Group; PlanWork too with plan.
func (j *Job) bins(ctx context.Context, plan bool) (Work, *Joined, error) {
	t := j.Task
	columns, err := j.taskColumns()
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.joinOrPlan(ctx, columns, plan)
	if err != nil {
		return nil, nil, err
	}
	known := *j.Task
	if known.Levels, err = t.tableLevels(joined.Tables, j.Parties); err != nil {
		return nil, nil, err
	}
	if known.Rows = joined.Rows; joined.Report == nil && j.hidden == nil {
		for _, name := range j.Parties {
			read := joined.Tables[name]
			if read == nil {
				continue
			}
			if known.Rows > 0 && known.Rows != read.Rows {
				return nil, nil, fmt.Errorf("the tables have %d and %d rows, and row i of both must belong together (match rows by keys with --on)",
					known.Rows, read.Rows)
			}
			known.Rows = read.Rows
		}
	}
	if known.Rows == 0 {
		return nil, nil, errors.New("no rows match")
	}
	w, err := known.Declared(j.Parties)
	if err != nil || plan {
		return w, joined, err
	}
	for rank, name := range j.Parties {
		if read := joined.Tables[name]; read != nil {
			if w, err = known.fillBins(w, name, rank, read); err != nil {
				return nil, nil, taskError(j.tableOf(name), err)
			}
		}
	}
	return w, joined, nil
}

// planBins is PlanWork for kinds Bin and Group.
func (j *Job) planBins() (Work, *profile.Report, error) {
	w, joined, err := j.bins(context.Background(), true)
	if err != nil {
		return nil, nil, err
	}
	return w, joined.Report, nil
}
