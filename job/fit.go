package job

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// named reports whether the input is an entry of its owner's catalogue.
func (in *Input) named() bool { return in.File == "" && in.Name != "" }

// owner returns the owner of a column with a full name.
func (t *Task) owner(column string, parties []string) (owner, name string, err error) {
	owner, name, ok := strings.Cut(column, ".")
	if !ok || name == "" || !slices.Contains(parties, owner) {
		return "", "", fmt.Errorf("column %q: want PARTY.COLUMN, with one of the parties %s (before a table is read, nobody knows whose the column is)",
			column, strings.Join(parties, ", "))
	}
	return owner, name, nil
}

// Columns returns the names of the features' columns of a party, in order, and its target and offset, "" if they are
// another party's. The task's columns have full names.
func (t *Task) Columns(party string) (features []string, target, offset string) {
	mine := func(column string) string {
		if owner, name, _ := strings.Cut(column, "."); owner == party {
			return name
		}
		return ""
	}
	for _, f := range t.Features {
		if name := mine(f); name != "" {
			features = append(features, name)
		}
	}
	return features, mine(t.Target), mine(t.Offset)
}

// width returns the number of features of a column.
func (t *Task) width(column string) int {
	if n, ok := t.Widths[column]; ok {
		return n
	}
	return 1
}

// Shape returns what all parties know of the task's model, from its declarations alone: rows, widths, and columns with
// full names.
func (t *Task) Shape(parties []string) (*glm.Shape, error) {
	if t.Rows == 0 {
		return nil, errors.New("rows is missing: the number of rows, which all parties know before any table is read")
	}
	s := glm.Shape{
		Family: t.Family, Link: t.Link, Parties: parties, Features: make([]int, len(parties)), Rows: t.Rows, OffsetOwner: -1,
		Iterations: t.Iterations, Condition: t.Condition,
	}
	seen := map[string]bool{}
	for _, column := range append(slices.Clone(t.Features), t.Target, t.Offset) {
		if column == "" && t.Offset == "" {
			continue
		}
		owner, _, err := t.owner(column, parties)
		if err != nil {
			return nil, err
		}
		if seen[column] {
			return nil, fmt.Errorf("column %s is named twice (the target and the offset are no features)", column)
		}
		seen[column] = true
		switch rank := slices.Index(parties, owner); column {
		case t.Target:
			s.Owner = rank
		case t.Offset:
			s.OffsetOwner = rank
		default:
			n := t.width(column)
			if n < 1 || n > table.MaxLevels {
				return nil, fmt.Errorf("widths: column %s has %d features, want 1 to %d", column, n, table.MaxLevels)
			}
			s.Features[rank] += n
		}
	}
	for _, column := range slices.Sorted(maps.Keys(t.Widths)) {
		if !slices.Contains(t.Features, column) {
			return nil, fmt.Errorf("widths names %q, which is no feature", column)
		}
	}
	return s.Resolve()
}

// FeatureNames returns names of all features in rank order. Features of a column that has several are numbered: nobody
// but the owner knows their levels.
func (t *Task) FeatureNames(parties []string) []string {
	var out []string
	for _, party := range parties {
		features, _, _ := t.Columns(party)
		for _, name := range features {
			full := party + "." + name
			if _, several := t.Widths[full]; !several {
				out = append(out, full)
				continue
			}
			for i := range t.width(full) {
				out = append(out, fmt.Sprintf("%s.%d", full, i+1))
			}
		}
	}
	return out
}

// Fit says that an input is the table of a party of a task's model, and provides that party's arguments of the
// model's program.
type Fit struct {
	Task  *Task
	Shape *glm.Shape
}

// Args returns the arguments of the party, ascending.
func (f *Fit) Args(party string) []int {
	var out []int
	for arg, rank := range f.Shape.Owners() {
		if f.Shape.Parties[rank] == party {
			out = append(out, arg)
		}
	}
	return out
}

// fitted makes a party's arguments of a model from its table, which is read once.
type fitted struct {
	Input
	once sync.Once
	all  []*tensor.Array
	err  error
}

func (f *fitted) Close() error { return nil }

func (f *fitted) args() ([]int, error) { return f.Fit.Args(f.Owner), nil }

func (f *fitted) check(int, tensor.Type) error { return nil } // the program is that of the shape

// read returns an argument. Every error may depend on the table and is only for its owner.
func (f *fitted) read(arg int, _ tensor.Type) (*tensor.Array, error) {
	f.once.Do(func() { f.all, f.err = f.make() })
	if f.err != nil {
		return nil, f.err
	}
	if arg >= len(f.all) || f.all[arg] == nil {
		return nil, fmt.Errorf("argument %d is not one of %s", arg, f.Owner)
	}
	return f.all[arg], nil
}

// make reads the table.
func (f *fitted) make() ([]*tensor.Array, error) {
	fail := func(err error) error { return &ElementError{At: err.Error(), Err: err} }
	features, target, offset := f.Fit.Task.Columns(f.Owner)
	columns := slices.Clone(features)
	for _, name := range []string{target, offset} {
		if name != "" {
			columns = append(columns, name)
		}
	}
	in := f.Input
	t := *f.Table
	if all := t.Options.Columns; all != nil {
		for _, name := range columns {
			if !slices.Contains(all, name) {
				return nil, fail(fmt.Errorf("column %q is not among those that the entry of the catalogue has", name))
			}
		}
	}
	t.Options.Columns, t.Options.Types = columns, maps.Clone(t.Options.Types)
	maps.DeleteFunc(t.Options.Types, func(name string, _ table.Type) bool { return !slices.Contains(columns, name) })
	in.Table = &t
	read, err := table.Read(f.File, t.Options)
	if err != nil {
		return nil, tableError(err)
	}
	made, roles, _, err := in.features(read, columns, f.Owner+"."+target, f.Owner+"."+offset)
	if err != nil {
		var element *ElementError
		if errors.As(err, &element) {
			return nil, err
		}
		return nil, fail(err)
	}
	if err := f.checkWidths(features, made); err != nil {
		return nil, fail(err)
	}
	d := glm.Data{Features: made, Target: roles[f.Owner+"."+target], Offset: roles[f.Owner+"."+offset]}
	out, err := f.Fit.Shape.Args(slices.Index(f.Fit.Shape.Parties, f.Owner), d)
	if err != nil {
		return nil, fail(err)
	}
	return out, nil
}

// checkWidths refuses columns with other numbers of features than the task declares.
func (f *fitted) checkWidths(columns []string, made []table.Feature) error {
	want := 0
	for _, name := range columns {
		want += f.Fit.Task.width(f.Owner + "." + name)
	}
	if len(made) != want {
		return fmt.Errorf("the table has %d features (%.300s), and the task declares %d (widths)", len(made), strings.Join(table.Names(made), ", "), want)
	}
	return nil
}

// NodeTask returns the shape of the job's task and its run at nodes, without data. All parties know both from the job
// file alone: rows and widths are declared, columns have full names, and tables are entries of catalogues.
func (j *Job) NodeTask() (*glm.Shape, party.Spec, error) {
	fail := func(err error) (*glm.Shape, party.Spec, error) {
		return nil, party.Spec{}, &Error{Place: j.place("task"), Err: err}
	}
	if j.Join.Method != Aligned {
		return nil, party.Spec{}, wrong(j.place("join"), "join: nodes take aligned tables only; method %s runs in one process (tacet run)", j.Join.Method)
	}
	shape, err := j.Task.Shape(j.Parties)
	if err != nil {
		return fail(err)
	}
	f := Fit{j.Task, shape}
	for _, in := range j.Inputs {
		if !in.named() {
			return nil, party.Spec{}, wrong(in.at, "table %s of %s: at nodes, an owner declares its table in its node's catalogue "+
				"(catalogue: {NAME: {table: FILE, columns: …, prepare: …}} there, and {owner: %s, name: NAME} in the job)", in.Name, in.Owner, in.Owner)
		}
		if len(f.Args(in.Owner)) == 0 {
			return nil, party.Spec{}, wrong(in.at, "the task uses no column of %s", in.Owner)
		}
	}
	for _, rank := range shape.Owners() {
		if name := j.Parties[rank]; j.tableOf(name) == nil {
			return fail(fmt.Errorf("the task uses columns of %s, of whom no input is named (inputs: {owner: %s, name: ENTRY})", name, name))
		}
	}
	s, err := j.TaskSpec(shape)
	if err == nil && len(s.Reveal) == 0 {
		err = wrong(j.place("outputs"), "a task needs a party that learns the fit (outputs: {reveal: [NAME]})")
	}
	return shape, s, err
}
