package party

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkCheckpoints refuses settings of checkpoints that cannot work.
func (s *Spec) checkCheckpoints() error {
	c := s.Checkpoints
	switch {
	case c == nil:
		return nil
	case c.Every < 1:
		return fmt.Errorf("party: want a checkpoint every 1 or more iterations, got %d", c.Every)
	case s.clear():
		return problem.Refusef("protocol %s has no shares to write to a checkpoint", s.Protocol)
	case s.Seed != nil && c.Folder != "":
		return errors.New("party: checkpoints need fresh randomness in each run: with a fixed seed a resumed run would use masks twice " +
			"(leave Seed away)")
	}
	return nil
}

// planCheckpoints plans a run that begins at the program's beginning and may write checkpoints.
func (s *Spec) planCheckpoints() {
	owned := map[int]map[int]string{}
	for i, a := range s.Args {
		if a.Owner < 0 || a.Data == nil {
			continue
		}
		if owned[a.Owner] == nil {
			owned[a.Owner] = map[int]string{}
		}
		owned[a.Owner][i] = fmt.Sprintf("%x", digest(a.Data))
	}
	s.follow(resume.NewPlan(s.Program, s.Parties, s.terms(), owned))
}

// follow has the run begin where a plan says.
func (s *Spec) follow(p *resume.Plan) {
	s.resume, s.Program = p, p.Program
	s.Facts = exec.Analyse(p.Program, s.ranges(p.Program)...)
}

// attachCheckpoints has a walk of the session write the checkpoints that its spec asks for. It
// returns nil if the spec asks for none.
func (s *session) attachCheckpoints(walk *exec.Config) *resume.Writer {
	if s.spec.resume == nil {
		return nil
	}
	return s.spec.resume.Attach(s.rank, s.spec.Checkpoints, s.sessionID, walk)
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
	if err := s.rewrite(ctx); err != nil {
		return s, err
	}
	ranks := slices.Sorted(maps.Keys(ends))
	online := slices.DeleteFunc(slices.Clone(ranks), func(rank int) bool { return rank >= s.online() })
	if s.resume, err = s.resume.Open(s.Checkpoints, online); err != nil {
		return s, err
	}
	var from *resume.Offer
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
	at := from.Checkpoint()
	for _, rank := range ranks {
		if err := s.resume.Rewind(rank, at); err != nil {
			return s, err
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

// agreeCheckpoint agrees with all parties on the newest checkpoint that every online party has; nil
// if there is none.
func (s *Spec) agreeCheckpoint(ctx context.Context, ends map[int]*link.Endpoint) (from *resume.Offer, err error) {
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
	return from, nameParty(err, l.spec.Parties)
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
func (s *session) newestCheckpoint(ctx context.Context) (*resume.Offer, error) {
	mine, damaged, err := s.spec.resume.Offers(s.rank)
	for _, err := range damaged {
		s.spec.notice(fmt.Sprintf("warning: a checkpoint is damaged and ignored: %v", err))
	}
	if err != nil {
		return nil, err
	}
	offers := make([][]resume.Offer, len(s.spec.Parties))
	offers[s.rank] = mine
	err = s.gather(ctx, stepCheckpoints, func(int) any { return mine }, func(from int, data []byte) error {
		if err := json.Unmarshal(data, &offers[from]); err != nil {
			return fmt.Errorf("party: malformed list of checkpoints from %s: %w", s.spec.Parties[from], err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return resume.Newest(offers[:s.spec.online()]), nil
}

// resumeFrom has the spec begin at a checkpoint. The program takes the live-in values as further
// arguments: secrets as kept arguments with the checkpoint's shares, other values as they are.
func (s *Spec) resumeFrom(ctx context.Context, from *resume.Offer, ranks []int) error {
	at := exec.ProgramPoint{Loop: from.Loop, Iteration: from.Iteration}
	held := make([]*checkpoint.Checkpoint, len(s.Parties))
	var known []exec.Result
	for _, rank := range ranks {
		var err error
		if held[rank], err = s.resume.Load(rank, from); err != nil {
			return err
		}
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
	s.follow(s.resume.BeginAt(at))
	return nil
}

// acceptsLiveIn reports whether the i-th live-in value, of type t, can have the form v.
func (s *Spec) acceptsLiveIn(v checkpoint.Value, i int, t tensor.Type) bool {
	return v.Index == i && v.Elements == t.Shape.Size() && s.acceptsForm(v.Ring, v.Scale, v.Bound, t)
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
		Evaluates: func(owner int) bool { return owner == rank }, Args: x.args(), Facts: s.Facts, Reveals: s.Reveals, Online: s.online(),
		Loops: s.resume.Loops,
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
	return nil, fmt.Errorf("party: the program does not reach %s, the place of its checkpoint (start the run from its beginning)", resume.Checkpoint{Loop: at.Loop, Iteration: at.Iteration}.Place())
}
