package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// besidePairs returns the intersections of the keys of the table beside stacked ones with those of each of these.
func (j *Job) besidePairs() psi.Pairs {
	return psi.Pairs{Method: j.psiMethod(), Parties: j.Parties, Hub: slices.Index(j.Parties, j.Join.Beside[0]), Network: j.Network}
}

// matchBeside intersects the keys of each stacked table with those of the table beside them, and puts in place of each table its rows that
// match, those of the first stacked table first.
func (j *Job) matchBeside(ctx context.Context, tables map[string]*table.Table) error {
	keys, rows, err := j.besideKeys(tables)
	if err != nil {
		return err
	}
	pairs, byRank := j.besidePairs(), make([][]psi.Key, len(j.Parties))
	for rank, name := range j.Parties {
		byRank[rank] = keys[name]
	}
	common, err := pairs.Run(ctx, byRank)
	if err != nil {
		return err
	}
	j.beside = common.Chain()
	if err := checkMatches(&j.Join, j.Parties, common.Matches); err != nil {
		return wrong(j.place("join"), "join: %w", err)
	}
	found := map[string][]int{}
	for _, other := range pairs.Others() {
		for i, rank := range []int{other, pairs.Hub} {
			name := j.Parties[rank]
			for _, key := range common.Rows[other][i] {
				found[name] = append(found[name], rows[name][key])
			}
		}
	}
	for name, of := range found {
		tables[name] = tables[name].Select(of)
	}
	return nil
}

// checkMatches refuses numbers of matching rows by rank, some of which are 0 or not those that a join declares.
func checkMatches(c *Join, parties []string, matches []int) error {
	e := &MatchesError{Beside: c.Beside[0]}
	differ := false
	for rank, name := range parties {
		if name == e.Beside {
			continue
		}
		n := matches[rank]
		e.Parties, e.Match, e.Declared = append(e.Parties, name), append(e.Match, n), append(e.Declared, c.Matches[name])
		differ = differ || n == 0 || c.Matches != nil && n != c.Matches[name]
	}
	if !differ {
		return nil
	}
	return e
}

// MatchesError says that no rows of a stacked table match, or other numbers of rows than a job declares.
type MatchesError struct {
	Parties         []string // with a stacked table, in rank order
	Beside          string   // the party beside them
	Match, Declared []int    // numbers of rows by Parties
}

// Error says how many rows match, and what to declare.
func (e *MatchesError) Error() string {
	declare := func(of []int) string {
		var out []string
		for i, name := range e.Parties {
			out = append(out, fmt.Sprintf("%s: %d", name, of[i]))
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	if i := slices.Index(e.Match, 0); i >= 0 {
		return fmt.Sprintf("no rows of %s match: its table has no key in common with that of %s", e.Parties[i], e.Beside)
	}
	return fmt.Sprintf("other numbers of rows match those of %s than the join declares, matches: %s: run it again with matches: %s",
		e.Beside, declare(e.Declared), declare(e.Match))
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
	pairs, counts := j.besidePairs(), make([]int, len(j.Parties))
	for rank, name := range j.Parties {
		counts[rank] = len(keys[name])
	}
	planned, err := pairs.Plan(counts)
	if err != nil {
		return nil, nil, err
	}
	t.Stacked, t.Rows = make([]int, len(j.Parties)), 0
	for _, other := range pairs.Others() {
		n := min(counts[other], counts[pairs.Hub])
		if declared, ok := j.Join.Matches[j.Parties[other]]; ok {
			n = declared
		}
		t.Stacked[other], t.Rows = n, t.Rows+n
	}
	if t.kind() == Stats {
		if err := j.listBeside(&t, names, tables); err != nil {
			return nil, nil, err
		}
	}
	w, err := t.Declared(j.Parties)
	return w, planned.Chain(), err
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
