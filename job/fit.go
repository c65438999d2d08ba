package job

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/statistics"
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

// Columns returns the names of a party's columns that are features, in order, and of its columns that are target,
// offset and weights, each "" if another party or none has it. The task must name columns by PARTY.COLUMN.
func (t *Task) Columns(party string) (features []string, target, offset, weights string) {
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
	return features, mine(t.Target), mine(t.Offset), mine(t.Weights)
}

// width returns the number of features of a column.
func (t *Task) width(column string) int {
	if n, ok := t.Widths[column]; ok {
		return n
	}
	if levels := t.Levels[column]; levels != nil {
		return len(levels) - 1
	}
	return 1
}

// Shape returns what all parties know of the task's model, from its declarations alone: rows, widths, and columns with
// full names.
func (t *Task) Shape(parties []string) (*glm.Shape, error) {
	if t.Rows == 0 {
		return nil, errors.New("rows is missing: the number of rows, which all parties know before any table is read")
	}
	if t.Stacked != nil {
		return t.stackedShape(parties)
	}
	s := t.model(parties)
	s.Hidden, s.Rows = t.Hidden, t.Rows
	var err error
	if t.Weights != "" {
		owner, _, err := t.owner(t.Weights, parties)
		if err != nil {
			return nil, err
		}
		s.WeightsOwner = slices.Index(parties, owner)
	}
	if s.Features, s.Owner, s.OffsetOwner, err = t.count(parties); err != nil {
		return nil, err
	}
	return s.Resolve()
}

// model returns the task's model without features, rows and owners of columns.
func (t *Task) model(parties []string) glm.Shape {
	return glm.Shape{
		Family: t.Family, Link: t.Link, Parties: parties, Iterations: t.Iterations, Hessians: t.Hessians, Condition: t.Condition,
		Power: t.Power, Alpha: t.Alpha, L2: t.L2, L1: t.L1, SGD: t.SGD, CG: t.CG, OffsetOwner: -1, WeightsOwner: -1,
	}
}

// count returns the numbers of features of the parties, and the ranks of the owners of the target and of the offset (-1:
// none), from the task's declarations.
func (t *Task) count(parties []string) (features []int, target, offset int, err error) {
	fail := func(format string, args ...any) ([]int, int, int, error) {
		return nil, 0, 0, fmt.Errorf(format, args...)
	}
	features, offset = make([]int, len(parties)), -1
	seen := map[string]bool{}
	columns := slices.Clone(t.Features)
	for _, column := range []string{t.Target, t.Offset, t.Weights} {
		if column != "" {
			columns = append(columns, column)
		}
	}
	if k := t.kind(); t.Target == "" && (k == GLM || k == GBT) {
		return fail("target is missing, such as bob.claims")
	}
	for _, column := range columns {
		owner, _, err := t.owner(column, parties)
		if err != nil {
			return nil, 0, 0, err
		}
		if seen[column] {
			return fail("column %s is named twice (target, offset and weights are no features)", column)
		}
		seen[column] = true
		switch rank := slices.Index(parties, owner); column {
		case t.Target:
			target = rank
		case t.Offset:
			offset = rank
		case t.Weights:
		default:
			n := t.width(column)
			if t.Levels[column] != nil && (n == 0 || t.Widths[column] != 0) {
				return fail("levels: %s: want two or more levels, and no widths beside them", column)
			}
			if n < 1 || n > table.MaxLevels {
				return fail("widths: column %s has %d features, want 1 to %d", column, n, table.MaxLevels)
			}
			features[rank] += n
		}
	}
	for _, column := range slices.Sorted(maps.Keys(t.Widths)) {
		if !slices.Contains(t.Features, column) {
			return fail("widths names %q, which is no feature", column)
		}
	}
	return features, target, offset, t.checkLevels(seen)
}

// FeatureNames returns the names of all features in rank order. A column with several features has one for each level
// that the task declares; without declared levels, numbers replace the names, which only the column's owner knows.
func (t *Task) FeatureNames(parties []string) []string {
	var out []string
	if t.Stacked != nil {
		for _, owner := range append([]string{""}, parties...) {
			for _, name := range t.Features {
				if t.besideOf(name) != owner {
					continue
				}
				if levels := t.Levels[name]; levels != nil {
					out = append(out, levelNames(name, levels)...)
				} else {
					out = append(out, name)
				}
			}
		}
		return out
	}
	for _, party := range parties {
		features, _, _, _ := t.Columns(party)
		for _, name := range features {
			full := party + "." + name
			if levels := t.Levels[full]; levels != nil {
				out = append(out, levelNames(full, levels)...)
				continue
			}
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

// Fit is a task as all its parties know it, with what an input that is a party's table needs to provide the party's
// arguments.
type Fit struct {
	Task    *Task
	Parties []string // in rank order
	Work    Work     // the task's program, without data
	Owners  []int    // for each argument of the program, the rank of its owner
	Join    *Join    // how nodes match the rows before; nil: row i of all tables belongs together
}

// NewFit returns a Fit for the task among the given parties, and the spec of the task's run without data.
func (t *Task) NewFit(parties []string) (*Fit, party.Spec, error) {
	w, err := t.Declared(parties)
	if err != nil {
		return nil, party.Spec{}, err
	}
	s, err := w.Spec()
	if err != nil {
		return nil, party.Spec{}, err
	}
	f := &Fit{Task: t, Parties: parties, Work: w}
	for _, a := range s.Args {
		f.Owners = append(f.Owners, a.Owner)
	}
	return f, s, nil
}

// KeptResults returns the positions, among the results of an earlier task's program, of this program's last arguments,
// which nodes keep as shares. It returns nil unless the task predicts with a kept model.
func (f *Fit) KeptResults() []int {
	if w, ok := f.Work.(interface{ KeptResults() []int }); ok {
		return w.KeptResults()
	}
	return nil
}

// Args returns the numbers of the arguments of the task's program that the party owns, ascending.
func (f *Fit) Args(party string) []int {
	var out []int
	for arg, rank := range f.Owners {
		if rank >= 0 && f.Parties[rank] == party { // a kept argument is nobody's
			out = append(out, arg)
		}
	}
	return out
}

// fitted makes a party's arguments of a task from its table, which is read once.
type fitted struct {
	Input
	once sync.Once
	all  []*tensor.Array
	err  error
}

func (f *fitted) Close() error { return nil }

func (f *fitted) args() ([]int, error) { return f.Fit.Args(f.Owner), nil }

func (f *fitted) check(int, tensor.Type) error { return nil } // the program is that of the task

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

// make reads the table and makes the arguments.
func (f *fitted) make() ([]*tensor.Array, error) {
	read, err := f.readTable(nil)
	if err != nil {
		return nil, err
	}
	return f.fromTable(read)
}

// ownersError returns an error as one that only the table's owner may read.
func ownersError(err error) error {
	var element *ElementError
	if err == nil || errors.As(err, &element) {
		return err
	}
	return &ElementError{At: err.Error(), Err: err}
}

// readTable reads the columns that the task uses, and further ones.
func (f *fitted) readTable(further []string) (*table.Table, error) {
	columns, err := f.Fit.Task.Used(f.Owner)
	if err != nil {
		return nil, ownersError(err)
	}
	for _, name := range further {
		if !slices.Contains(columns, name) {
			columns = append(columns, name)
		}
	}
	t := *f.Table
	if all := t.Options.Columns; all != nil {
		for _, name := range columns {
			if !slices.Contains(all, name) {
				return nil, ownersError(fmt.Errorf("column %q is not among those that the entry of the catalogue has", name))
			}
		}
	}
	t.Options.Columns, t.Options.Types = columns, maps.Clone(t.Options.Types)
	maps.DeleteFunc(t.Options.Types, func(name string, _ table.Type) bool { return !slices.Contains(columns, name) })
	read, err := table.Read(f.File, t.Options)
	if err != nil {
		return nil, tableError(err)
	}
	return read, nil
}

// fromTable makes the arguments from the table's rows.
func (f *fitted) fromTable(read *table.Table) ([]*tensor.Array, error) {
	columns, err := f.Fit.Task.Used(f.Owner)
	if err != nil {
		return nil, ownersError(err)
	}
	in, t := f.Input, *f.Table
	in.Table = &t
	out, err := f.arguments(&in, read, columns)
	return out, ownersError(err)
}

// keptArguments is arguments for a model that is kept: features are made as declarations say, since they must be those of the fit.
func (f *fitted) keptArguments(in *Input, read *table.Table) ([]*tensor.Array, error) {
	t := f.Fit.Task
	j := &Job{Parties: f.Fit.Parties, Inputs: []Input{*in}, at: map[string]string{}}
	features, _, offset, _ := t.Columns(f.Owner)
	var d glm.Data
	for _, name := range features {
		c := read.Column(name)
		prepared := slices.ContainsFunc(in.Table.Steps, func(s table.Step) bool { return s.Column == name })
		var made []table.Feature
		var err error
		switch levels := t.Levels[f.Owner+"."+name]; {
		case prepared || levels == nil && !isNumber(c) && c.Kind != table.Date:
			made, err = j.declared(read, f.Owner, name)
		case levels != nil:
			if made, err = prepareOne(read, c, []table.Step{{Column: name, OneHot: true, Levels: levels}}); err == nil {
				made = made[1:]
			}
		default:
			made, err = prepareOne(read, c, nil)
		}
		if err != nil {
			return nil, err
		}
		d.Features = append(d.Features, made...)
	}
	if err := f.checkWidths(features, d.Features); err != nil {
		return nil, err
	}
	if offset != "" {
		made, err := prepareOne(read, read.Column(offset), nil)
		if err != nil {
			return nil, err
		}
		d.Offset = &made[0]
	}
	rank := slices.Index(f.Fit.Parties, f.Owner)
	if trees, ok := f.Fit.Work.(*gbt.KeptPrediction); ok {
		return trees.Args(rank, d.Features)
	}
	return f.Fit.Work.(*glm.KeptPrediction).Args(rank, d)
}

// arguments returns the party's arguments, nil for those of others.
func (f *fitted) arguments(in *Input, read *table.Table, columns []string) ([]*tensor.Array, error) {
	if len(f.Fit.KeptResults()) > 0 {
		return f.keptArguments(in, read)
	}
	if f.Fit.Task.Stacked != nil {
		return f.stackedArguments(in, read, columns)
	}
	if f.Fit.Task.fits() {
		features, target, offset, weights := f.Fit.Task.Columns(f.Owner)
		made, roles, _, err := in.features(read, columns, f.Fit.Task.Levels, f.Owner+"."+target, f.Owner+"."+offset, f.Owner+"."+weights)
		if err != nil {
			return nil, err
		}
		if err := f.checkWidths(features, made); err != nil {
			return nil, err
		}
		rank := slices.Index(f.Fit.Parties, f.Owner)
		if w, ok := f.Fit.Work.(featured); ok {
			return w.Args(rank, made)
		}
		if trees, ok := f.Fit.Work.(*gbt.Shape); ok {
			return trees.Args(rank, gbt.Data{Features: made, Target: roles[f.Owner+"."+target]})
		}
		d := glm.Data{Features: made, Target: roles[f.Owner+"."+target], Offset: roles[f.Owner+"."+offset], Weights: roles[f.Owner+"."+weights]}
		return f.Fit.Work.(*glm.Shape).Args(rank, d)
	}
	numbered := map[string]bool{}
	if m := f.Fit.Task.Revealed; m != nil {
		for full := range m.Widths {
			if owner, name, _ := strings.Cut(full, "."); owner == f.Owner {
				numbered[name] = true
			}
		}
	}
	for _, step := range in.Table.Steps {
		if slices.Contains(columns, step.Column) && !numbered[step.Column] {
			return nil, fmt.Errorf("column %q has a preparation in the catalogue, and tasks of kind %s take columns as they are", step.Column, f.Fit.Task.kind())
		}
	}
	want := f.Fit.Task.Rows
	if h := f.Fit.Task.Hidden; h != nil {
		want = h.Rows[slices.Index(f.Fit.Parties, f.Owner)]
	}
	if read.Rows != want {
		return nil, fmt.Errorf("the table has %d rows, and the task declares %d", read.Rows, want)
	}
	w, err := f.own(in, read)
	if err != nil {
		return nil, err
	}
	s, err := w.Spec()
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Array, len(s.Args))
	if m, ok := w.(movingWork); ok && f.Fit.Task.Hidden != nil && f.Fit.Parties[1-f.Fit.Task.Hidden.Keeper] == f.Owner {
		if out, err = m.Moved(); err != nil {
			return nil, err
		}
	}
	for i, a := range s.Args {
		if a.Data != nil {
			out[i] = a.Data
		}
	}
	return out, nil
}

// stackedArguments is arguments for stacked tables.
func (f *fitted) stackedArguments(in *Input, read *table.Table, columns []string) ([]*tensor.Array, error) {
	t, rank := f.Fit.Task, slices.Index(f.Fit.Parties, f.Owner)
	for _, step := range in.Table.Steps {
		if slices.Contains(columns, step.Column) {
			return nil, fmt.Errorf("column %q has a preparation in the catalogue, and stacked tables have columns as they are", step.Column)
		}
	}
	want, beside := t.Stacked[rank], ""
	if want == 0 {
		want, beside = t.Rows, f.Owner
	}
	if read.Rows != want {
		return nil, fmt.Errorf("the table has %d rows, and the task declares %d", read.Rows, want)
	}
	for _, full := range t.Features {
		if t.besideOf(full) != beside {
			continue
		}
		name := strings.TrimPrefix(full, beside+".")
		if c := read.Column(name); t.Levels[full] == nil && (c.Kind == table.Category || c.Kind == table.String) {
			return nil, fmt.Errorf("column %q is a %s, and the task declares no levels of it", name, c.Kind)
		}
	}
	if w, ok := f.Fit.Work.(*bins.Binning); ok {
		own := *w
		own.Data = make([]*bins.BinRows, len(w.Parties))
		var err error
		if own.Data[rank], err = t.binRows(read, f.Owner, w.Features); err != nil {
			return nil, err
		}
		return dataOf(own.Spec())
	}
	if w, ok := f.Fit.Work.(*bins.Groups); ok {
		own := *w
		own.Data = make([]*bins.GroupRows, len(w.Parties))
		var err error
		if own.Data[rank], err = t.groupRows(read, f.Owner, w.Levels); err != nil {
			return nil, err
		}
		return dataOf(own.Spec())
	}
	j := &Job{Parties: f.Fit.Parties, Inputs: []Input{*in}, at: map[string]string{}}
	if w, ok := f.Fit.Work.(*statistics.Stacked); ok {
		return f.stackedStatistics(j, w, read)
	}
	if w, ok := f.Fit.Work.(*metrics.Evaluation); ok {
		own := *w
		own.Data = make([]*metrics.Rows, len(w.Parties))
		var err error
		if own.Data[rank], err = t.evaluatedRows(j, read, f.Owner, t.hasIntercept(w, f.Owner)); err != nil {
			return nil, err
		}
		return dataOf(own.Spec())
	}
	d, _, err := t.stackedData(in, read, t.Levels)
	if err != nil {
		return nil, err
	}
	switch w := f.Fit.Work.(type) {
	case *gbt.Shape:
		return w.Args(rank, gbt.Data{Features: d.Features, Target: d.Target})
	case *glm.Shape:
		return w.Args(rank, d)
	case featured:
		return w.Args(rank, d.Features)
	}
	return nil, fmt.Errorf("job: there is no task %T on stacked tables", f.Fit.Work)
}

// stackedStatistics is arguments for statistics of stacked tables.
func (f *fitted) stackedStatistics(j *Job, declared *statistics.Stacked, read *table.Table) ([]*tensor.Array, error) {
	w, t, rank := *declared, f.Fit.Task, slices.Index(f.Fit.Parties, f.Owner)
	of, besides := w.Columns, w.Rows[rank] == 0
	if besides {
		of = w.Beside[rank].Columns
	}
	var columns []statistics.Column
	for _, c := range of {
		got, err := j.described(read, f.Owner, c.Name, t.Fill)
		if err != nil {
			return nil, err
		}
		if got.Text != c.Text {
			return nil, fmt.Errorf("column %q holds numbers or texts, other than the task declares (texts)", c.Name)
		}
		n := len(got.Values)
		for _, missing := range got.Missing {
			if missing {
				n--
			}
		}
		if few := !c.Text && n > 0 && n < bins.DefaultMinGroup; few && !besides {
			return nil, fmt.Errorf("column %q has fewer than %d values, which would follow from its moments for those who know the other rows (leave it out)",
				c.Name, bins.DefaultMinGroup)
		} else if few && w.Correlation {
			return nil, fmt.Errorf("column %q has fewer than %d values, and its correlations would show the stacked tables' values of their rows (leave it out)",
				c.Name, bins.DefaultMinGroup)
		}
		columns = append(columns, *got)
	}
	if besides {
		w.Beside = slices.Clone(w.Beside)
		w.Beside[rank] = statistics.Party{Name: f.Owner, Columns: columns}
	} else {
		w.Data = make([][]statistics.Column, len(w.Parties))
		w.Data[rank] = columns
	}
	return dataOf(w.Spec())
}

// dataOf returns the arguments' data of a spec, or the error.
func dataOf(s party.Spec, err error) ([]*tensor.Array, error) {
	out := make([]*tensor.Array, len(s.Args))
	for i, a := range s.Args {
		out[i] = a.Data
	}
	return out, err
}

// partOwners returns the ranks of the owners of parts of the task's linear predictor.
func (f *fitted) partOwners() []int {
	switch w := f.Fit.Work.(type) {
	case *glm.Prediction:
		return w.Absent
	case *metrics.Evaluation:
		return w.Owners
	}
	return nil
}

// own returns the task with the data of the table's owner.
func (f *fitted) own(in *Input, read *table.Table) (Work, error) {
	t, rank := f.Fit.Task, slices.Index(f.Fit.Parties, f.Owner)
	j := &Job{Parties: f.Fit.Parties, Inputs: []Input{*in}, at: map[string]string{}}
	part := func(parts [][]float64) ([][]float64, error) {
		fit, err := t.revealed()
		if err != nil {
			return nil, err
		}
		of := map[string][]term{}
		for _, c := range fit.Coefficients[1:] {
			if name, ok := strings.CutSuffix(c.Name, glm.JoinedName); ok {
				of[name] = append(of[name], term{joined: true, value: c.Value})
				continue
			}
			full, level, has, number := fit.Column(c.Name)
			owner, column, _ := strings.Cut(full, ".")
			of[owner] = append(of[owner], term{column: column, level: level, hasLevel: has, number: number, of: fit.Widths[full], value: c.Value})
		}
		parts = slices.Clone(parts)
		if parts[rank], err = j.part(read, f.Owner, fit, of[f.Owner]); err != nil {
			return nil, err
		}
		if t.interceptOwner(f.partOwners()) == rank {
			for i := range parts[rank] {
				parts[rank][i] += fit.Coefficients[0].Value
			}
		}
		return parts, nil
	}
	if t.grouped() {
		return t.fillBins(f.Fit.Work, f.Owner, rank, read)
	}
	switch declared := f.Fit.Work.(type) {
	case *statistics.Statistics:
		w := *declared
		w.Parties = slices.Clone(w.Parties)
		p := statistics.Party{Name: f.Owner}
		for _, c := range w.Parties[rank].Columns {
			got, err := j.described(read, f.Owner, c.Name, t.Fill)
			if err != nil {
				return nil, err
			}
			if got.Text != c.Text {
				return nil, fmt.Errorf("column %q holds numbers or texts, other than the task declares (texts)", c.Name)
			}
			p.Columns = append(p.Columns, *got)
		}
		w.Parties[rank] = p
		return &w, nil
	case *glm.Prediction:
		w := *declared
		var err error
		w.Parts, err = part(w.Parts)
		return &w, err
	case *metrics.Evaluation:
		w := *declared
		w.Absent = slices.DeleteFunc(slices.Clone(w.Absent), func(r int) bool { return r == rank })
		var err error
		if rank == w.Owner {
			_, column, _ := strings.Cut(t.Target, ".")
			if w.Target, err = j.number(read, f.Owner, column); err != nil {
				return nil, err
			}
		}
		if owner, column, _ := strings.Cut(t.Score, "."); owner == f.Owner {
			w.Parts = slices.Clone(w.Parts)
			w.Parts[rank], err = j.number(read, f.Owner, column)
		} else if t.Score == "" && slices.Contains(w.Owners, rank) {
			w.Parts, err = part(w.Parts)
		}
		return &w, err
	}
	return nil, fmt.Errorf("job: there is no task %T", f.Fit.Work)
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

// NodeTask returns the job's task and the spec of its run at nodes, without data. Both follow from the job file alone:
// it declares the numbers of rows and the widths of columns, and names columns by PARTY.COLUMN. A solver of a task with Auto
// is chosen first, by plans that ctx ends.
func (j *Job) NodeTask(ctx context.Context) (*Fit, party.Spec, error) {
	fail := func(err error) (*Fit, party.Spec, error) {
		return nil, party.Spec{}, &Error{Place: j.place("task"), Err: err}
	}
	if err := j.chooseSolver(ctx, nodeSpec); err != nil {
		return nil, party.Spec{}, j.placed(err)
	}
	if j.Join.Method != Aligned {
		if err := j.joinAtNodes(); err != nil {
			return nil, party.Spec{}, err
		}
	}
	if err := j.nameModel(); err != nil {
		return fail(err)
	}
	f, _, err := j.Task.NewFit(j.Parties)
	if err != nil {
		return fail(err)
	}
	if j.Join.Method != Aligned && (j.Join.Method != Stacked || j.Join.On != nil) { // the rows of stacked tables alone need no matching
		c := j.Join
		if j.hidden != nil {
			c.Keeper, c.Kind = j.Parties[j.hidden.Keeper], j.hidden.Kind.String()
		}
		f.Join = &c
	}
	for _, in := range j.Inputs {
		if !in.named() {
			return nil, party.Spec{}, wrong(in.at, "table %s of %s: at nodes, an owner declares its table in its node's catalogue "+
				"(catalogue: {NAME: {table: FILE, columns: …, prepare: …}} there, and {owner: %s, name: NAME} in the job)", in.Name, in.Owner, in.Owner)
		}
		if used, err := j.Task.Used(in.Owner); len(f.Args(in.Owner)) == 0 && (j.hidden == nil || len(used) == 0 || err != nil) {
			return nil, party.Spec{}, wrong(in.at, "the task uses no column of %s", in.Owner)
		}
	}
	for _, rank := range f.Owners {
		if rank < 0 {
			continue
		}
		if name := j.Parties[rank]; j.tableOf(name) == nil {
			return fail(fmt.Errorf("the task uses columns of %s, of whom no input is named (inputs: {owner: %s, name: ENTRY})", name, name))
		}
	}
	s, err := j.TaskSpec(f.Work)
	if err == nil && len(s.Reveal) == 0 && j.Keep == "" {
		err = wrong(j.place("outputs"), "a task needs a party that learns the results (outputs: {reveal: [NAME]})")
	}
	return f, s, err
}
