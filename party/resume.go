package party

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkpointOffer describes a checkpoint that a party has. It is public, and sent as JSON.
type checkpointOffer struct {
	ID        string
	Loop      int
	Iteration int `json:"Turn"`
	Values    []checkpoint.Value
}

// before orders checkpoints by place in the program, and those of one place by id.
func (o *checkpointOffer) before(p *checkpointOffer) bool {
	if o.Loop != p.Loop {
		return o.Loop < p.Loop
	}
	if o.Iteration != p.Iteration {
		return o.Iteration < p.Iteration
	}
	return o.ID < p.ID
}

// checkpoint describes the offer; a nil offer is the program's beginning.
func (o *checkpointOffer) checkpoint() Checkpoint {
	if o == nil {
		return Checkpoint{}
	}
	return Checkpoint{ID: o.ID, Loop: o.Loop, Iteration: o.Iteration}
}

// resolveResume opens the checkpoints of the parties of this process and resumes the spec from the
// newest that all parties have. ends are the parties' links by rank.
func (s Spec) resolveResume(ctx context.Context, ends map[int]*link.Endpoint) (Spec, error) {
	if s.Checkpoints == nil || s.Checkpoints.Folder == "" {
		return s, nil
	}
	s, err := s.validate(needsNothing)
	if err != nil {
		return s, err
	}
	s.rewrite()
	ranks := slices.Sorted(maps.Keys(ends))
	if err := s.open(ranks); err != nil {
		return s, err
	}
	var from *checkpointOffer
	if s.Checkpoints.Resume {
		var err error
		if from, err = s.agreeCheckpoint(ctx, ends); err != nil {
			return s, err
		}
	}
	if from != nil {
		if err := s.resumeFrom(ctx, from, ranks); err != nil {
			return s, err
		}
	}
	at := from.checkpoint()
	for _, rank := range ranks {
		if f := s.resume.folders[rank]; f != nil {
			if err := f.Rewind(at.ID, at.Loop, at.Iteration); err != nil {
				return s, err
			}
		}
		at.Party = s.Parties[rank]
		if told := s.Checkpoints.Resumed; told != nil && s.Checkpoints.Resume {
			if err := told(at); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// open opens the checkpoint folders of those ranks that hold shares.
func (s *Spec) open(ranks []int) (err error) {
	c := *s.resume
	c.folders = map[int]*checkpoint.Folder{}
	for _, rank := range ranks {
		if rank >= s.online() {
			continue
		}
		if c.folders[rank], err = checkpoint.Open(s.Checkpoints.partyFolder(s.Parties[rank])); err != nil {
			return err
		}
	}
	s.resume = &c
	return nil
}

// agreeCheckpoint agrees with all parties on the newest checkpoint that every online party has; nil
// if there is none.
func (s *Spec) agreeCheckpoint(ctx context.Context, ends map[int]*link.Endpoint) (from *checkpointOffer, err error) {
	l := &execution{spec: s}
	for _, rank := range slices.Sorted(maps.Keys(ends)) {
		l.sessions = append(l.sessions, &session{spec: s, rank: rank, link: ends[rank]})
	}
	first := l.sessions[0].rank // all sessions find the same
	err = l.each(ctx, func(ctx context.Context, x *session) error {
		o, err := x.newestCheckpoint(ctx)
		if x.rank == first {
			from = o
		}
		return err
	})
	return from, l.nameParty(err)
}

// resolveResumeLocal is resolveResume for a run with all parties in this process.
func (s Spec) resolveResumeLocal(ctx context.Context) (Spec, error) {
	if s.Checkpoints == nil {
		return s, nil
	}
	all := link.Memory(len(s.Parties))
	defer disconnect(all)
	ends := map[int]*link.Endpoint{}
	for rank, end := range all {
		ends[rank] = end
	}
	return s.resolveResume(ctx, ends)
}

// newestCheckpoint sends the list of this party's checkpoints to the others and returns the newest
// that all online parties have; nil if there is none.
func (s *session) newestCheckpoint(ctx context.Context) (*checkpointOffer, error) {
	mine := []checkpointOffer{}
	if f := s.spec.resume.folders[s.rank]; f != nil {
		headers, damaged, err := f.List()
		if err != nil {
			return nil, err
		}
		for _, err := range damaged {
			s.spec.notice(fmt.Sprintf("warning: a checkpoint is damaged and ignored: %v", err))
		}
		fits := s.spec.resume.requirementsOf(s.rank, s.spec)
		for _, h := range headers {
			if in := differs(h.Requirements, fits); in != "" {
				return nil, fmt.Errorf("party: the checkpoints of %s do not fit this run, which differs in %s (repeat the run unchanged, or start it from its beginning)", s.spec.Parties[s.rank], in)
			}
			mine = append(mine, checkpointOffer{h.ID, h.Loop, h.Iteration, h.Values})
		}
	}
	offers := make([][]checkpointOffer, len(s.spec.Parties))
	offers[s.rank] = mine
	err := s.gather(ctx, stepCheckpoints, func(int) any { return mine }, func(from int, data []byte) error {
		if err := json.Unmarshal(data, &offers[from]); err != nil {
			return fmt.Errorf("party: malformed list of checkpoints from %s: %w", s.spec.Parties[from], err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var newest *checkpointOffer
	for i, o := range offers[0] {
		if !slices.ContainsFunc(offers[:s.spec.online()], func(all []checkpointOffer) bool {
			return !slices.ContainsFunc(all, func(p checkpointOffer) bool { return reflect.DeepEqual(o, p) })
		}) && (newest == nil || newest.before(&o)) {
			newest = &offers[0][i]
		}
	}
	return newest, nil
}

// differs describes the first term in which two sets of terms differ, with both values; "" if there
// is none. Of the values of owners' arguments it gives the term's name only, not even hashes, since
// other parties read the message.
func differs(there, here map[string]string) string {
	all := maps.Clone(there)
	maps.Copy(all, here)
	for _, term := range slices.Sorted(maps.Keys(all)) {
		switch {
		case there[term] == here[term]:
		case strings.HasPrefix(term, ownValuesTerm):
			return term
		default:
			return fmt.Sprintf("%s: %.80q in the checkpoint, %.80q in this run", term, there[term], here[term])
		}
	}
	return ""
}

// resumeFrom has the spec begin at a checkpoint. The program takes the live-in values as further
// arguments: secrets as kept arguments with the checkpoint's shares, other values as they are.
func (s *Spec) resumeFrom(ctx context.Context, from *checkpointOffer, ranks []int) error {
	at := exec.ProgramPoint{Loop: from.Loop, Iteration: from.Iteration}
	held := make([]*checkpoint.Checkpoint, len(s.Parties))
	for rank, f := range s.resume.folders {
		var err error
		if held[rank], err = f.Load(checkpoint.Header{ID: from.ID, Loop: from.Loop, Iteration: from.Iteration}); err != nil {
			return err
		}
	}
	var known []exec.Result
	for _, rank := range ranks {
		there, err := s.liveInsAt(ctx, at, rank)
		if err != nil {
			return err
		}
		if known == nil {
			known = there
		}
		for i, r := range there {
			if r.Data != nil {
				known[i].Data = r.Data
			}
		}
	}
	unfit := fmt.Errorf("party: checkpoint %.100q does not fit this program (start the run from its beginning)", from.ID)
	values := from.Values
	s.Args = slices.Clone(s.Args)
	for i, r := range known {
		if r.Owner != exec.Secret {
			s.Args = append(s.Args, Arg{Owner: r.Owner, Data: r.Data})
			continue
		}
		if len(values) == 0 || !s.acceptsLiveIn(values[0], i, r.Type) {
			return unfit
		}
		v := values[0]
		arg := Arg{Owner: Kept}
		for _, rank := range ranks {
			h := &StoredShare{
				ID: fmt.Sprintf("%s-%d", from.ID, i), Result: i, Type: r.Type, Protocol: s.Protocol, Parties: s.Parties, Computing: s.Computing, Rank: rank,
				Fraction: s.Fraction, Ring: v.Ring, Scale: v.Scale, Bound: v.Bound, fromCheckpoint: true,
			}
			if held[rank] != nil {
				h.Words = held[rank].Shares[len(from.Values)-len(values)].Words()
			}
			arg.Shares = append(arg.Shares, h)
		}
		s.Args, values = append(s.Args, arg), values[1:]
	}
	if len(values) > 0 {
		return unfit
	}
	s.beginAt(at)
	return nil
}

// acceptsLiveIn reports whether the i-th live-in value, of type t, can have the form v.
func (s *Spec) acceptsLiveIn(v checkpoint.Value, i int, t tensor.Type) bool {
	most := t.DType.Bits()
	if t.DType.IsFloat() {
		most = fxp.WidestRing(ring.Z(s.Ring), s.Fraction)
	}
	return v.Index == i && v.Elements == t.Shape.Size() && v.Ring > 0 && v.Ring <= most && v.Scale >= 0 && v.Bound >= -1 // −1: a bit
}

// errReached ends a walk that has reached its place.
var errReached = errors.New("party: place reached")

// liveInsAt walks the program in a dry run up to a place and returns the live-in values there, with
// the data of public and owner-local values that the party of the given rank can evaluate.
func (s *Spec) liveInsAt(ctx context.Context, at exec.ProgramPoint, rank int) ([]exec.Result, error) {
	x := &session{spec: s, rank: rank, inputs: s.noInputs(), zero: map[int]ring.Seed{}}
	c, _ := x.dryConfig()
	g := flow.NewDryRun(link.Online, &flow.Account{})
	var out []exec.Result
	_, err := x.walk(ctx, exec.Config{
		Program: s.Program, Arith: s.arith(completed(x.newProtocolSession(ctx, c))), Graph: g, Costs: exec.NewCosts(s.Program),
		Evaluates: func(owner int) bool { return owner == rank }, Args: x.args(), Facts: s.Facts, Reveals: s.Reveals, Loops: s.resume.loops,
		Checkpoint: func(m exec.ProgramPoint, _ *flow.Op, take func() []exec.Result) error {
			if m != at {
				return nil
			}
			out = take()
			return errReached
		},
	})
	switch {
	case errors.Is(err, errReached):
		return out, g.Wait()
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("party: the program does not reach %s, the place of its checkpoint (start the run from its beginning)", Checkpoint{Loop: at.Loop, Iteration: at.Iteration}.Place())
}
