package job

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
)

// Statistics reads columns of the job's tables (none: all but the keys), matches their rows, and returns what is to be
// described. fill replaces missing values of numbers for correlations: mean, median, or "" to leave them missing; the
// columns' own statistics are then those of the values that are there.
func (j *Job) Statistics(ctx context.Context, columns []string, fill string) (*statistics.Statistics, *Joined, error) {
	of, err := j.namedColumns(columns)
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.join(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	out := &statistics.Statistics{Rows: -1}
	for _, name := range j.Parties {
		p, t := statistics.Party{Name: name}, joined.Tables[name]
		if t == nil || len(of[name]) == 0 {
			out.Parties = append(out.Parties, p)
			continue
		}
		if j.hidden == nil && out.Rows >= 0 && out.Rows != t.Rows {
			return nil, nil, fmt.Errorf("the tables have %d and %d rows, and row i of both must belong together (match rows by keys with --on)", out.Rows, t.Rows)
		}
		out.Rows = t.Rows
		for _, column := range of[name] {
			c, err := j.described(t, name, column, fill)
			if err != nil {
				return nil, nil, err
			}
			p.Columns = append(p.Columns, *c)
		}
		out.Parties = append(out.Parties, p)
	}
	if j.hidden != nil {
		out.Hidden, out.Rows = &j.hidden.Join, joined.Rows
	}
	return out, joined, nil
}

// described returns a column of a table as package statistics takes it.
func (j *Job) described(t *table.Table, owner, name, fill string) (*statistics.Column, error) {
	c := t.Column(name)
	out := &statistics.Column{Name: name, Missing: c.Missing}
	if !isNumber(c) {
		out.Text = true
		return out, nil
	}
	if !slices.Contains(c.Missing, true) {
		var err error
		out.Values, err = j.number(t, owner, name)
		return out, err
	}
	// Missing values get some value here; whether they count as missing follows from Missing.
	present := []int{}
	for row := range t.Rows {
		if !c.IsMissing(row) {
			present = append(present, row)
		}
	}
	out.Values = make([]float64, t.Rows)
	if len(present) == 0 {
		return out, nil
	}
	some := t.Select(present)
	values, err := j.number(some, owner, name)
	if err != nil {
		return nil, err
	}
	for i, row := range present {
		out.Values[row] = values[i]
	}
	if fill != "" {
		out.Fill = &fill
	}
	return out, nil
}

// isNumber reports whether a column's values are numbers or truth values.
func isNumber(c *table.Column) bool {
	return c.Kind == table.Integer || c.Kind == table.Float || c.Kind == table.Boolean
}

// namedColumns returns columns by owner: those of these names, or all but the keys.
func (j *Job) namedColumns(columns []string) (map[string][]string, error) {
	names, out := map[string][]string{}, map[string][]string{}
	for i := range j.Inputs {
		in := &j.Inputs[i]
		all, err := table.ColumnNames(in.File, in.Table.Options)
		if err != nil {
			return nil, taskError(in, err)
		}
		names[in.Owner] = all
		if columns == nil {
			for _, name := range all {
				if !slices.Contains(j.Join.On[in.Owner], name) {
					out[in.Owner] = append(out[in.Owner], name)
				}
			}
		}
	}
	for _, full := range columns {
		owner, name, ok := strings.Cut(full, ".")
		if !ok || !slices.Contains(j.Parties, owner) {
			var owners []string
			for _, p := range j.Parties {
				if slices.Contains(names[p], full) {
					owners = append(owners, p)
				}
			}
			if len(owners) != 1 {
				return nil, fmt.Errorf("column %q is in %d tables (name it PARTY.COLUMN)", full, len(owners))
			}
			owner, name = owners[0], full
		}
		if !slices.Contains(names[owner], name) {
			return nil, fmt.Errorf("the table of %s has no column %q", owner, name)
		}
		if slices.Contains(out[owner], name) {
			return nil, fmt.Errorf("column %s.%s is named twice", owner, name)
		}
		out[owner] = append(out[owner], name)
	}
	return out, nil
}
