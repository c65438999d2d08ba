package job

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// JoinAtNodes declares that nodes match the task's rows by c, among the given parties with a protocol, and sets Task.Hidden or
// Task.Stacked. It refuses a join that nodes cannot run.
func (t *Task) JoinAtNodes(parties []string, c Join, protocol string, computing int) error {
	j := &Job{File: "join", Parties: parties, Protocol: protocol, Computing: computing, Join: c, Task: t, at: map[string]string{}}
	for _, name := range parties {
		j.Inputs = append(j.Inputs, Input{Owner: name})
	}
	if err := j.checkJoin(); err != nil {
		return err
	}
	return j.joinAtNodes()
}

// joinAtNodes refuses a join that nodes cannot run, and sets Task.Hidden or Task.Stacked.
func (j *Job) joinAtNodes() error {
	c, at := &j.Join, j.place("join")
	if c.Method == Stacked {
		return j.declareStacked()
	}
	if c.Rows == nil {
		return wrong(at, "join: rows is missing: at nodes a join declares the parties' numbers of rows, which all of them know: rows: {%s: N, %s: N}",
			j.Parties[0], j.Parties[1])
	}
	for _, name := range j.Parties {
		if n, most := c.Rows[name], j.maxRows(); n < 1 || n > most {
			return wrong(at, "join: rows: %s has %d rows, want 1 to %d", name, n, most)
		}
	}
	if c.Method == Hidden {
		return j.declareHidden()
	}
	settings, err := j.Settings()
	if err != nil {
		return err
	}
	if d, err := protocol.Find(settings.Protocol); err != nil || d.Clear || d.Dealt() && d.Supply != protocol.OutsideDealer ||
		settings.Computing != len(j.Parties) {
		return wrong(at, "join: method psi at nodes needs a protocol of the two parties, and the job has protocol %s with %d computing parties",
			settings.Protocol, settings.Computing)
	}
	if least := min(c.Rows[j.Parties[0]], c.Rows[j.Parties[1]]); j.Task.Rows < 1 || j.Task.Rows > least {
		return wrong(at, "join: task: rows is %d: with method psi it is the number of rows that match, 1 to %d; all parties learn it, and a job that "+
			"declares another number ends with an error that names the right one", j.Task.Rows, least)
	}
	return nil
}

// maxRows returns the largest number of rows of a party's table in a join.
func (j *Job) maxRows() int {
	if j.Join.Method == Hidden {
		return psi.MaxJoined
	}
	return psi.MaxKeys
}

// counts returns the declared numbers of rows, by rank.
func (f *Fit) counts() [2]int {
	return [2]int{f.Join.Rows[f.Parties[0]], f.Join.Rows[f.Parties[1]]}
}

// Joined reports whether an argument of the task's program is what a hidden join makes.
func (f *Fit) Joined(arg int) bool {
	return f.Task.Hidden != nil && arg >= 0 && arg < len(f.Owners) && f.Owners[arg] == party.Kept
}

// JoinedShare describes a party's share of an argument that a hidden join makes, without its words.
func (f *Fit) JoinedShare(s *party.Spec, arg, rank int) *party.StoredShare {
	return hiddenShare(s, arg, rank)
}

// psiSpec returns the intersection of method psi, without keys.
func (f *Fit) psiSpec(s *party.Spec) psi.Spec {
	return psi.Spec{Method: methodWith(s.Descriptor()), Parties: f.Parties, Network: s.Network}
}

// pairs returns the intersections of the keys of the table beside stacked ones with those of each of these, and the numbers of rows by
// rank.
func (f *Fit) pairs(s *party.Spec) (psi.Pairs, []int) {
	counts := make([]int, len(f.Parties))
	for rank, name := range f.Parties {
		counts[rank] = f.Join.Rows[name]
	}
	return psi.Pairs{
		Method: methodWith(s.Descriptor()), Parties: f.Parties, Hub: slices.Index(f.Parties, f.Join.Beside[0]), Network: s.Network,
	}, counts
}

// hiddenSpec returns the hidden join, without keys and columns.
func (f *Fit) hiddenSpec(s *party.Spec) psi.Hidden {
	_, widths := movedArgs(f.Task.Hidden, f.Work.(hiddenWork), s)
	h := psi.Hidden{Parties: f.Parties, Keeper: f.Task.Hidden.Keeper, Ring: s.Ring, One: 1 << s.Fraction, Network: s.Network}
	h.Both = f.Task.Hidden.Kind == hidden.Outer
	for _, n := range widths {
		h.Width += n
	}
	return h
}

// PlanJoin returns the plan of the join before a run with this spec; nil without a join. That of stacked tables is a chain of plans, one
// for each of them (psi.PairsOutcome.Chain).
func (f *Fit) PlanJoin(s *party.Spec) (*profile.Report, error) {
	switch {
	case f.Join == nil:
		return nil, nil
	case f.Join.Method == Hidden:
		return psi.PlanHidden(f.hiddenSpec(s), f.counts())
	case f.Join.Method == Stacked:
		pairs, counts := f.pairs(s)
		planned, err := pairs.Plan(counts)
		if err != nil {
			return nil, err
		}
		return planned.Chain(), nil
	}
	return psi.Plan(f.psiSpec(s), f.counts())
}

// JoinSide is one party's side of a join at nodes: its table, which has been read.
type JoinSide struct {
	fitted *fitted
	rank   int
	read   *table.Table // with key columns
	keys   []psi.Key    // of all rows
	terms  map[string]string
}

// JoinSide reads the table of party owner, whose task has a join. Every error may depend on the table and is only for its owner.
func (j *Job) JoinSide(owner string) (*JoinSide, error) {
	in := j.tableOf(owner)
	if in == nil || in.Fit == nil || in.Fit.Join == nil {
		return nil, errors.New("job: no input of a task with a join")
	}
	f := &fitted{Input: *in}
	s := &JoinSide{fitted: f, rank: slices.Index(in.Fit.Parties, owner), terms: map[string]string{}}
	if err := s.take(); err != nil {
		return nil, &Error{Place: in.File, Err: ownersError(err)}
	}
	return s, nil
}

func (s *JoinSide) take() error {
	f, c := s.fitted, s.fitted.Fit.Join
	on := c.On[f.Owner]
	read, err := f.readTable(on)
	if err != nil {
		return err
	}
	if by := c.aggregate(f.Owner, read, on); by != nil {
		if read, err = read.Aggregate(on, c.Normal, by); err != nil {
			return taskError(&f.Input, err)
		}
	}
	if want := c.Rows[f.Owner]; read.Rows != want {
		return fmt.Errorf("the table has %d rows, and the join declares %d", read.Rows, want)
	}
	keys, rows, err := read.Keys(on, c.Normal)
	if err != nil {
		return taskError(&f.Input, err)
	}
	s.read, s.keys = read, allKeys(read.Rows, keys, rows)
	for i, name := range on {
		s.terms[fmt.Sprintf("the kind of key column %d", i+1)] = read.Column(name).Kind.KeyKind()
	}
	return nil
}

// RowsError says that another number of rows match than a task declares.
type RowsError struct{ Match, Declared int }

// Error says how many rows match, and what to declare.
func (e *RowsError) Error() string {
	if e.Match == 0 {
		return "no rows of the tables match"
	}
	return fmt.Sprintf("%d rows of the tables match, and the task declares %d: submit it again with rows: %d", e.Match, e.Declared, e.Match)
}

// JoinEvents are told of a join's steps. Their errors end it.
type JoinEvents struct {
	// Begin is told which parties' rows are about to be matched, before anything is sent: all parties of the join, or a stacked table's and
	// the one beside it.
	Begin func(parties []string) error
	// Matched is told how many of these rows match as soon as it is known, if the method reveals it.
	Matched func(parties []string, rows int) error
}

// Run runs the party's side of the join at a seat, before a run with spec s, and completes the arguments of s: with data of the matching
// rows, or with shares. The report is that of the join.
func (x *JoinSide) Run(ctx context.Context, s *party.Spec, seat psi.Seat, events JoinEvents) (*profile.Report, error) {
	f := x.fitted.Fit
	seat.Terms = x.terms
	if f.Join.Method == Stacked {
		return x.runPairs(ctx, s, seat, events)
	}
	if err := events.Begin(f.Parties); err != nil {
		return nil, err
	}
	keys := make([][]psi.Key, 2)
	keys[x.rank] = x.keys
	if f.Join.Method == Hidden {
		return x.runHidden(ctx, s, seat, keys)
	}
	spec := f.psiSpec(s)
	spec.Keys = keys
	out, err := psi.Join(ctx, spec, f.counts(), seat)
	if err != nil {
		return nil, err
	}
	rows := out.Rows[x.rank]
	if err := events.Matched(f.Parties, len(rows)); err != nil {
		return nil, err
	}
	if len(rows) != f.Task.Rows {
		return nil, &RowsError{len(rows), f.Task.Rows}
	}
	return out.Report, x.provide(rows, s)
}

// provide sets the party's arguments of s from rows of its table.
func (x *JoinSide) provide(rows []int, s *party.Spec) error {
	args, err := x.arguments(x.read.Select(rows), s)
	if err != nil {
		return err
	}
	for arg, a := range args {
		if a != nil && x.fitted.Fit.Owners[arg] == x.rank {
			s.Args[arg].Data = a
		}
	}
	return nil
}

// runPairs is Run for stacked tables: it matches their rows with those beside them.
func (x *JoinSide) runPairs(ctx context.Context, s *party.Spec, seat psi.Seat, events JoinEvents) (*profile.Report, error) {
	f := x.fitted.Fit
	pairs, counts := f.pairs(s)
	of := func(other int) []string { return []string{f.Parties[other], f.Parties[pairs.Hub]} }
	out, err := pairs.Join(ctx, x.keys, counts, seat,
		func(other int) error { return events.Begin(of(other)) },
		func(other, rows int) error { return events.Matched(of(other), rows) })
	if err != nil {
		return nil, err
	}
	if err := checkMatches(f.Join, f.Parties, out.Matches); err != nil {
		return nil, err
	}
	var rows []int
	for _, other := range pairs.Others() {
		side := 0
		if x.rank == pairs.Hub {
			side = 1
		}
		rows = append(rows, out.Rows[other][side]...)
	}
	return out.Chain(), x.provide(rows, s)
}

// arguments returns the party's arguments from rows of its table.
func (x *JoinSide) arguments(read *table.Table, s *party.Spec) ([]*tensor.Array, error) {
	f := x.fitted
	args, err := f.fromTable(read)
	if err != nil {
		return nil, &Error{Place: f.File, Err: err}
	}
	for arg, a := range args {
		if a == nil {
			continue
		}
		if err := CheckValues(a, s.Ring, s.Fraction); err != nil {
			return nil, wrong(f.File, "argument %d, %w", arg, err)
		}
	}
	return args, nil
}

// Args returns the party's own arguments of a task with a hidden join, which are those of all rows.
func (x *JoinSide) Args(s *party.Spec) ([]*tensor.Array, error) {
	all, err := x.arguments(x.read, s)
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Array, len(all))
	for _, arg := range x.fitted.Fit.Args(x.fitted.Owner) {
		out[arg] = all[arg]
	}
	return out, nil
}

func (x *JoinSide) runHidden(ctx context.Context, s *party.Spec, seat psi.Seat, keys [][]psi.Key) (*profile.Report, error) {
	f := x.fitted.Fit
	h := f.hiddenSpec(s)
	h.Keys = keys
	args, widths := movedArgs(f.Task.Hidden, f.Work.(hiddenWork), s)
	if x.rank != h.Keeper {
		moved, err := x.arguments(x.read, s)
		if err != nil {
			return nil, err
		}
		if h.Columns, err = movedColumns(moved, args, widths, x.read.Rows, s); err != nil {
			return nil, err
		}
	}
	done, err := psi.JoinHidden(ctx, h, f.counts(), seat)
	if err != nil {
		return nil, err
	}
	shares := done.Shares[x.rank]
	match, _ := f.Work.(hiddenWork).MatchArg()
	give := func(arg int, columns []ring.Vec) {
		h := hiddenShare(s, arg, x.rank)
		h.Words = shareWords(h, columns)
		s.Args[arg].Shares = []*party.StoredShare{h}
	}
	give(match, shares[:1])
	if h.Both {
		give(match+1, done.Matched[x.rank:][:1])
	}
	first := 1
	for i, arg := range args {
		give(arg, shares[first:first+widths[i]])
		first += widths[i]
	}
	return done.Report, nil
}

// movedColumns returns the columns of the arguments that a hidden join moves to the keeper's rows, over the ring of s.
func movedColumns(moved []*tensor.Array, args, widths []int, rows int, s *party.Spec) ([]ring.Vec, error) {
	r, out := ring.Z(s.Ring), []ring.Vec{}
	for i, arg := range args {
		if moved[arg] == nil || moved[arg].Len() != rows*widths[i] {
			return nil, errors.New("job: a column of a hidden join is missing")
		}
		scale := s.Fraction
		if !moved[arg].DType.IsFloat() {
			scale = 0
		}
		all := fxp.Encode(moved[arg], r, scale)
		for c := range widths[i] {
			out = append(out, every(all, c, widths[i]))
		}
	}
	return out, nil
}
