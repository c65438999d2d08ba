package job

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// hiddenJoin is what a job with a hidden join knows between the reading of its tables and its run.
type hiddenJoin struct {
	hidden.Join
	keys   [][]psi.Key                  // by rank, of all rows; nil in a plan without tables
	shares map[int][]*party.StoredShare // of the arguments that the join has made; nil before it ran
}

// checkHidden refuses a hidden join that the job's task or its protocol cannot have.
func (j *Job) checkHidden() error {
	at := j.place("join")
	if j.Task == nil {
		return wrong(at, "join: method hidden is for a task")
	}
	if k := j.Task.kind(); k == Predict {
		return wrong(at, "join: predictions of single rows show which rows match, and method hidden is to hide it (take method psi)")
	}
	settings, err := j.Settings()
	if err != nil {
		return err
	}
	if d, err := protocol.Find(settings.Protocol); err != nil || d.Clear || !d.Dealt() || settings.Computing != len(j.Parties) {
		return wrong(at, "join: method hidden needs a protocol of the two parties with a dealer, and the job has protocol %s with %d computing parties",
			settings.Protocol, settings.Computing)
	}
	return nil
}

// keeper returns the rank of the party that keeps its rows: the one that the job names; else the owner of the target, as functions of
// a target that comes as shares are expensive; without a target the party with more of the columns.
func (j *Job) keeper(columns map[string][]string) int {
	if j.Join.Keeper != "" {
		return slices.Index(j.Parties, j.Join.Keeper)
	}
	if owner, _, _ := strings.Cut(j.Task.Target, "."); slices.Contains(j.Parties, owner) {
		return slices.Index(j.Parties, owner)
	}
	if len(columns[j.Parties[1]]) > len(columns[j.Parties[0]]) {
		return 1
	}
	return 0
}

// kindOfJoin returns the kind of the job's join, which checkJoin took.
func (j *Job) kindOfJoin() hidden.Kind {
	k, _ := hidden.ParseKind(j.Join.Kind)
	return k
}

// hide notes what the hidden join of tables needs. Rows without a key get a random one.
func (j *Job) hide(out *Joined, columns map[string][]string) error {
	if err := j.checkHidden(); err != nil {
		return err
	}
	keys, rows, err := j.keys(out)
	if err != nil {
		return err
	}
	h := &hiddenJoin{Join: hidden.Join{Keeper: j.keeper(columns), Kind: j.kindOfJoin()}}
	for rank, name := range j.Parties {
		n := out.Tables[name].Rows
		h.keys, h.Rows = append(h.keys, allKeys(n, keys[rank], rows[rank])), append(h.Rows, n)
	}
	out.Before, out.Rows, j.hidden, j.Task.Hidden = h.Rows, h.Total(), h, &h.Join
	return nil
}

// allKeys returns keys of n rows: those given for some rows, and random ones.
func allKeys(n int, keys []psi.Key, rows []int) []psi.Key {
	out, prg := make([]psi.Key, n), ring.NewPRG(ring.NewSeed())
	for i := range out {
		s := prg.Seed(uint64(i), 0)
		out[i] = psi.Key{binary.LittleEndian.Uint64(s[:]), binary.LittleEndian.Uint64(s[8:])}
	}
	for i, row := range rows {
		out[row] = keys[i]
	}
	return out
}

// hiddenWork is a task whose rows a hidden join matches.
type hiddenWork interface {
	Work
	MatchArg() (int, bool)
}

// movingWork is a task of which a hidden join moves columns to the party that keeps its rows.
type movingWork interface {
	hiddenWork
	Moved() ([]*tensor.Array, error) // the columns to move, by argument; nil for the other arguments
}

// JoinFailure returns the λ of psi.HiddenFailureBits of the job's hidden join, whose tables have been read; false without one.
func (j *Job) JoinFailure() (bits float64, hides bool) {
	if j.hidden == nil {
		return 0, false
	}
	h := &j.hidden.Join
	if h.Kind == hidden.Outer {
		return psi.OuterFailureBits(h.Rows[h.Keeper], h.Rows[1-h.Keeper]), true
	}
	return psi.HiddenFailureBits(h.Rows[h.Keeper], h.Rows[1-h.Keeper]), true
}

// movedArgs returns the numbers of the arguments of a task's program that a hidden join makes of the other party's columns, and how
// many columns each has.
func movedArgs(h *hidden.Join, w hiddenWork, s *party.Spec) (args, widths []int) {
	match, _ := w.MatchArg()
	for i, a := range s.Args {
		if a.Owner == party.Kept && !h.Weight(match, i) {
			width := 1
			for _, n := range s.Program.Main.Body.Params[i].Type.Shape[1:] {
				width *= n
			}
			args, widths = append(args, i), append(widths, width)
		}
	}
	return args, widths
}

// psiSpec returns the hidden join of a task with the given spec, without data.
func (j *Job) psiSpec(s *party.Spec, widths []int) psi.Hidden {
	h := psi.Hidden{Parties: j.Parties, Keeper: j.hidden.Keeper, Ring: s.Ring, One: 1 << s.Fraction, Network: j.Network}
	h.Both = j.hidden.Kind == hidden.Outer
	for _, n := range widths {
		h.Width += n
	}
	return h
}

// planHidden returns the plan of the hidden join of a task.
func (j *Job) planHidden(w Work) (*profile.Report, error) {
	s, err := j.TaskSpec(w)
	if err != nil {
		return nil, err
	}
	_, widths := movedArgs(&j.hidden.Join, w.(hiddenWork), &s)
	return psi.PlanHidden(j.psiSpec(&s, widths), [2]int(j.hidden.Rows))
}

// runHidden runs the hidden join of a task and keeps the shares that it makes for TaskSpec.
func (j *Job) runHidden(ctx context.Context, w Work, out *Joined) error {
	s, err := j.TaskSpec(w)
	if err != nil {
		return err
	}
	task, ok := w.(movingWork)
	if !ok {
		return fmt.Errorf("job: a task %T has no hidden join", w)
	}
	moved, err := task.Moved()
	if err != nil {
		return err
	}
	args, widths := movedArgs(&j.hidden.Join, task, &s)
	h, other := j.psiSpec(&s, widths), j.hidden.Rows[1-j.hidden.Keeper]
	h.Keys = j.hidden.keys
	for _, arg := range args {
		if moved[arg] == nil {
			continue
		}
		if err := CheckValues(moved[arg], s.Ring, s.Fraction); err != nil {
			return fmt.Errorf("%s: %w", j.Parties[1-j.hidden.Keeper], err)
		}
	}
	if h.Columns, err = movedColumns(moved, args, widths, other, &s); err != nil {
		return err
	}
	done, err := psi.RunHidden(ctx, h)
	if err != nil {
		return err
	}
	out.Report, j.hidden.shares = done.Report, map[int][]*party.StoredShare{}
	match, _ := task.MatchArg()
	give := func(arg int, columns [2][]ring.Vec) {
		j.hidden.shares[arg] = j.hiddenShares(&s, arg)
		for rank, h := range j.hidden.shares[arg] {
			h.Words = shareWords(h, columns[rank])
		}
	}
	first := 1
	give(match, [2][]ring.Vec{done.Shares[0][:1], done.Shares[1][:1]})
	if j.hidden.Kind == hidden.Outer {
		give(match+1, [2][]ring.Vec{done.Matched[:1], done.Matched[1:]})
	}
	for i, arg := range args {
		give(arg, [2][]ring.Vec{done.Shares[0][first : first+widths[i]], done.Shares[1][first : first+widths[i]]})
		first += widths[i]
	}
	return nil
}

// every returns elements first, first + step, … of a vector.
func every(v ring.Vec, first, step int) ring.Vec {
	index := make([]int32, v.Len()/step)
	for i := range index {
		index[i] = int32(first + i*step)
	}
	out := ring.NewUninitialised(v.Ring(), len(index))
	ring.Gather(out, v, index)
	return out
}

// interleaved returns the words of a matrix with these columns, row by row.
func interleaved(columns []ring.Vec) []uint64 {
	words := columns[0].Ring().Words()
	out := make([]uint64, 0, words*columns[0].Len()*len(columns))
	for i := range columns[0].Len() {
		for _, c := range columns {
			out = append(out, c.Words()[words*i:words*(i+1)]...)
		}
	}
	return out
}

// hiddenShares describes both parties' shares of an argument that a hidden join makes.
func (j *Job) hiddenShares(s *party.Spec, arg int) []*party.StoredShare {
	var out []*party.StoredShare
	for rank := range s.Parties {
		out = append(out, hiddenShare(s, arg, rank))
	}
	return out
}

// hiddenShare describes a party's share of an argument that a hidden join makes.
func hiddenShare(s *party.Spec, arg, rank int) *party.StoredShare {
	h := &party.StoredShare{
		ID: fmt.Sprintf("hidden join, argument %d", arg), Result: arg, Type: s.Program.Main.Body.Params[arg].Type,
		Protocol: s.Protocol, Parties: s.Parties, Computing: s.Computing, Rank: rank,
		Fraction: s.Fraction, Ring: s.Ring, Scale: s.Fraction, Bound: s.Ring - 2,
	}
	if d := h.Type.DType; !d.IsFloat() {
		h.Ring, h.Scale, h.Bound = d.Bits(), 0, d.Bits()-2
	}
	return h
}

// shareWords returns the words of a share of a matrix with these columns. A share in a narrower ring than that of the columns is their
// low bits.
func shareWords(h *party.StoredShare, columns []ring.Vec) []uint64 {
	from := columns[0].Ring()
	words := interleaved(columns)
	if h.Ring == from.Bits {
		return words
	}
	to := ring.Z(h.Ring)
	low := ring.New(to, len(words)/from.Words())
	ring.Low(low, ring.FromReduced(from, words))
	return low.Words()
}

// setHidden sets the arguments of a task that a hidden join makes.
func (j *Job) setHidden(s *party.Spec) {
	if j.hidden == nil {
		return
	}
	for i := range s.Args {
		if a := &s.Args[i]; a.Owner == party.Kept && a.Shares == nil {
			if a.Shares = j.hidden.shares[i]; a.Shares == nil {
				a.Shares = j.hiddenShares(s, i)
			}
		}
	}
}

// declareHidden is hide for a plan by the numbers of rows that the job declares.
func (j *Job) declareHidden() error {
	if err := j.checkHidden(); err != nil {
		return err
	}
	columns := map[string][]string{}
	h := &hiddenJoin{}
	for _, name := range j.Parties {
		used, err := j.Task.Used(name)
		if err != nil {
			return err
		}
		columns[name] = used
		h.Rows = append(h.Rows, j.Join.Rows[name])
	}
	h.Keeper, h.Kind = j.keeper(columns), j.kindOfJoin()
	j.hidden, j.Task.Hidden = h, &h.Join
	return nil
}
