package job

import (
	"context"
	"errors"
	"slices"

	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/table"
)

// withoutKeys returns columns of a party's table without its key columns.
func (c *Join) withoutKeys(owner string, columns []string) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return slices.Contains(c.On[owner], name) })
}

// columnNames returns the names of the columns of a table that were read.
func columnNames(t *table.Table) []string {
	var out []string
	for _, c := range t.Columns {
		out = append(out, c.Name)
	}
	return out
}

// besideKeys returns the keys of stacked tables and of the one beside them, and their rows, by owner.
func (j *Job) besideKeys(tables map[string]*table.Table) (keys map[string][]psi.Key, rows map[string][]int, err error) {
	if err := j.checkKinds(tables); err != nil {
		return nil, nil, err
	}
	keys, rows = map[string][]psi.Key{}, map[string][]int{}
	for _, name := range j.Parties {
		if keys[name], rows[name], err = tables[name].Keys(j.Join.On[name], j.Join.Normal); err != nil {
			return nil, nil, taskError(j.tableOf(name), err)
		}
	}
	return keys, rows, nil
}

// besidePairs calls f with each party of the stacked tables and the one beside them, in rank order. f returns the report of the
// intersection of their keys; these are the chain j.beside, the last one first.
func (j *Job) besidePairs(f func(s psi.Spec) (*profile.Report, error)) error {
	other := j.Join.Beside[0]
	j.beside = nil
	for _, name := range j.Parties {
		if name == other {
			continue
		}
		r, err := f(psi.Spec{Method: j.psiMethod(), Parties: []string{name, other}, Network: j.Network})
		if err != nil {
			return err
		}
		if r != nil {
			r.Join, j.beside = j.beside, r
		}
	}
	return nil
}

// matchBeside intersects the keys of each stacked table with those of the table beside them, and puts in place of each table its rows that
// match, those of the first stacked table first.
func (j *Job) matchBeside(ctx context.Context, tables map[string]*table.Table) error {
	keys, rows, err := j.besideKeys(tables)
	if err != nil {
		return err
	}
	other, found := j.Join.Beside[0], map[string][]int{}
	err = j.besidePairs(func(s psi.Spec) (*profile.Report, error) {
		s.Keys = [][]psi.Key{keys[s.Parties[0]], keys[other]}
		common, err := psi.Run(ctx, s)
		if err != nil {
			return nil, err
		}
		if len(common.Rows[0]) == 0 {
			return nil, wrong(j.place("join"), "join: no rows of %s match: its table has no key in common with that of %s", s.Parties[0], other)
		}
		for rank, name := range s.Parties {
			for _, key := range common.Rows[rank] {
				found[name] = append(found[name], rows[name][key])
			}
		}
		return common.Report, nil
	})
	for name, of := range found {
		tables[name] = tables[name].Select(of)
	}
	return err
}

// planBeside is planWork of stacked tables whose rows are matched with those beside them by keys. The numbers of rows are the largest that
// can match.
func (j *Job) planBeside() (Work, *profile.Report, error) {
	t := *j.Task
	listed, err := t.stackedColumns(nil)
	if err != nil {
		return nil, nil, err
	}
	tables, names, err := j.readStacked(listed, t.kind() == Stats && t.Listed == nil)
	if err != nil {
		return nil, nil, err
	}
	keys, _, err := j.besideKeys(tables)
	if err != nil {
		return nil, nil, err
	}
	if t.Levels, err = j.stackedLevels(tables); err != nil {
		return nil, nil, err
	}
	other, most := j.Join.Beside[0], map[string]int{}
	if err := j.besidePairs(func(s psi.Spec) (*profile.Report, error) {
		counts := [2]int{len(keys[s.Parties[0]]), len(keys[other])}
		most[s.Parties[0]] = min(counts[0], counts[1])
		return psi.Plan(s, counts)
	}); err != nil {
		return nil, nil, err
	}
	t.Stacked, t.Rows = nil, 0
	for _, name := range j.Parties {
		t.Stacked, t.Rows = append(t.Stacked, most[name]), t.Rows+most[name]
	}
	if t.kind() == Stats {
		if err := j.listBeside(&t, names, tables); err != nil {
			return nil, nil, err
		}
	}
	w, err := t.Declared(j.Parties)
	return w, j.beside, err
}

// listBeside sets the columns that a task of kind Stats describes, and which of them hold texts.
func (j *Job) listBeside(t *Task, names []string, tables map[string]*table.Table) error {
	other := j.Join.Beside[0]
	if t.Listed == nil {
		t.Listed = slices.Clone(names)
		for _, name := range j.Join.withoutKeys(other, columnNames(tables[other])) {
			t.Listed = append(t.Listed, other+"."+name)
		}
	}
	used, err := t.Used(other)
	if err != nil {
		return err
	}
	add := func(owner, prefix string, columns []string) {
		for _, name := range columns {
			if !isNumber(tables[owner].Column(name)) {
				t.Texts = append(t.Texts, prefix+name)
			}
		}
	}
	t.Texts = nil
	add(j.Parties[0], "", names)
	add(other, other+".", used)
	if len(names) == 0 {
		return errors.New("columns names none of the stacked tables")
	}
	return nil
}
