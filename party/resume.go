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
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// offer is a checkpoint that a party could go on from. All of it is public.
type offer struct {
	ID     string
	Loop   int
	Turn   int
	Values []checkpoint.Value
}

// before is the order of places; of two at one place that of their names.
func (o *offer) before(p *offer) bool {
	if o.Loop != p.Loop {
		return o.Loop < p.Loop
	}
	if o.Turn != p.Turn {
		return o.Turn < p.Turn
	}
	return o.ID < p.ID
}

// checkpoint is what the spec's owner hears of an offer; of none, the beginning.
func (o *offer) checkpoint() Checkpoint {
	if o == nil {
		return Checkpoint{}
	}
	return Checkpoint{ID: o.ID, Loop: o.Loop, Turn: o.Turn}
}

// resumed opens the checkpoints of the parties of this process, which reach the
// others by the ends given, by rank, and has the spec begin where it may.
func (s Spec) resumed(ctx context.Context, ends map[int]*link.Endpoint) (Spec, error) {
	if s.Checkpoints == nil || s.Checkpoints.Folder == "" {
		return s, nil
	}
	if err := s.check(); err != nil {
		return s, err
	}
	s.rewrite()
	ranks := slices.Sorted(maps.Keys(ends))
	if err := s.open(ranks); err != nil {
		return s, err
	}
	var from *offer
	if s.Checkpoints.Resume {
		var err error
		if from, err = s.agreed(ctx, ends); err != nil {
			return s, err
		}
	}
	if from != nil {
		if err := s.takeUp(ctx, from, ranks); err != nil {
			return s, err
		}
	}
	at := from.checkpoint()
	for _, rank := range ranks {
		if f := s.course.folders[rank]; f != nil {
			if err := f.GoOn(at.ID, at.Loop, at.Turn); err != nil {
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

// open opens the folders of those of the ranks that have shares.
func (s *Spec) open(ranks []int) (err error) {
	c := *s.course
	c.folders = map[int]*checkpoint.Folder{}
	for _, rank := range ranks {
		if rank >= s.online() {
			continue
		}
		if c.folders[rank], err = checkpoint.Open(s.Checkpoints.of(s.Parties[rank])); err != nil {
			return err
		}
	}
	s.course = &c
	return nil
}

// agreed is the newest checkpoint that all who have shares have, as all parties
// agree; nil if there is none.
func (s *Spec) agreed(ctx context.Context, ends map[int]*link.Endpoint) (from *offer, err error) {
	l := &local{spec: s}
	for _, rank := range slices.Sorted(maps.Keys(ends)) {
		l.sessions = append(l.sessions, &session{spec: s, rank: rank, link: ends[rank]})
	}
	first := l.sessions[0].rank // all come to the same
	err = l.each(ctx, func(ctx context.Context, x *session) error {
		o, err := x.newest(ctx)
		if x.rank == first {
			from = o
		}
		return err
	})
	return from, l.named(err)
}

// resumedHere is resumed of a run with all parties in this process.
func (s Spec) resumedHere(ctx context.Context) (Spec, error) {
	if s.Checkpoints == nil {
		return s, nil
	}
	all := link.Memory(len(s.Parties))
	defer disconnect(all)
	ends := map[int]*link.Endpoint{}
	for rank, end := range all {
		ends[rank] = end
	}
	return s.resumed(ctx, ends)
}

// newest tells the other parties what this one has, and finds of what they have the
// newest that all have.
func (s *session) newest(ctx context.Context) (*offer, error) {
	mine := []offer{}
	if f := s.spec.course.folders[s.rank]; f != nil {
		headers, damaged, err := f.List()
		if err != nil {
			return nil, err
		}
		for _, err := range damaged {
			s.spec.notice(fmt.Sprintf("warning: a checkpoint is of no use: %v", err))
		}
		fits := s.spec.course.fitsOf(s.rank, s.spec)
		for _, h := range headers {
			if in := differs(h.Fits, fits); in != "" {
				return nil, fmt.Errorf("party: the checkpoints of %s are of another run, which differs in %s (run it as it was, or from its beginning)", s.spec.Parties[s.rank], in)
			}
			mine = append(mine, offer{h.ID, h.Loop, h.Turn, h.Values})
		}
	}
	offers := make([][]offer, len(s.spec.Parties))
	offers[s.rank] = mine
	err := s.gather(ctx, offering, func(int) any { return mine }, func(from int, data []byte) error {
		if err := json.Unmarshal(data, &offers[from]); err != nil {
			return fmt.Errorf("party: %s sent no list of checkpoints: %w", s.spec.Parties[from], err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var newest *offer
	for i, o := range offers[0] {
		if !slices.ContainsFunc(offers[:s.spec.online()], func(all []offer) bool {
			return !slices.ContainsFunc(all, func(p offer) bool { return reflect.DeepEqual(o, p) })
		}) && (newest == nil || newest.before(&o)) {
			newest = &offers[0][i]
		}
	}
	return newest, nil
}

// differs names the first term that two have not in common, and what it is in
// both; "" if there is none. Of an owner's values it says no more, not even what
// their hashes are: others read the message.
func differs(there, here map[string]string) string {
	all := maps.Clone(there)
	maps.Copy(all, here)
	for _, term := range slices.Sorted(maps.Keys(all)) {
		switch {
		case there[term] == here[term]:
		case strings.HasPrefix(term, ownValues):
			return term
		default:
			return fmt.Sprintf("%s: %.80q there and %.80q here", term, there[term], here[term])
		}
	}
	return ""
}

// takeUp has the spec begin with a checkpoint: the program takes the shares as
// kept arguments, and what is not secret as what it is.
func (s *Spec) takeUp(ctx context.Context, from *offer, ranks []int) error {
	at := exec.Mark{Loop: from.Loop, Turn: from.Turn}
	held := make([]*checkpoint.Checkpoint, len(s.Parties))
	for rank, f := range s.course.folders {
		var err error
		if held[rank], err = f.Load(checkpoint.Header{ID: from.ID, Loop: from.Loop, Turn: from.Turn}); err != nil {
			return err
		}
	}
	var known []exec.Result
	for _, rank := range ranks {
		there, err := s.recall(ctx, at, rank)
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
	unfit := fmt.Errorf("party: checkpoint %.100q is not of this program (run it from its beginning)", from.ID)
	values := from.Values
	s.Args = slices.Clone(s.Args)
	for i, r := range known {
		if r.Who != exec.Secret {
			s.Args = append(s.Args, Arg{Owner: r.Who, Data: r.Data})
			continue
		}
		if len(values) == 0 || !s.holds(values[0], i, r.Type) {
			return unfit
		}
		v := values[0]
		arg := Arg{Owner: Kept}
		for _, rank := range ranks {
			h := &Held{
				ID: fmt.Sprintf("%s-%d", from.ID, i), Result: i, Type: r.Type, Protocol: s.Protocol, Parties: s.Parties, Computing: s.Computing, Rank: rank,
				Fraction: s.Fraction, Ring: v.Ring, Scale: v.Scale, Bound: v.Bound, unsettled: true,
			}
			if held[rank] != nil {
				h.Words = held[rank].Shares[len(from.Values)-len(values)].Words()
			}
			arg.Held = append(arg.Held, h)
		}
		s.Args, values = append(s.Args, arg), values[1:]
	}
	if len(values) > 0 {
		return unfit
	}
	s.begin(at)
	return nil
}

// holds reports whether the i-th of what is carried can have that form.
func (s *Spec) holds(v checkpoint.Value, i int, t tensor.Type) bool {
	most := t.DType.Bits()
	if t.DType.IsFloat() {
		most = fxp.WidestRing(ring.Z(s.Ring), s.Fraction)
	}
	return v.At == i && v.Elements == t.Shape.Size() && v.Ring > 0 && v.Ring <= most && v.Scale >= 0 && v.Bound >= -1 // a bit's
}

// errRecalled ends a walk that has come to where it was to come.
var errRecalled = errors.New("party: recalled")

// recall walks the program without weight up to a place, and gives what is
// carried there: of what is not secret, as far as a party evaluates it, the
// values.
func (s *Spec) recall(ctx context.Context, at exec.Mark, rank int) ([]exec.Result, error) {
	x := &session{spec: s, rank: rank, inputs: semi2k.Inputs{}, zero: map[int]ring.Seed{}}
	g := flow.NewWeightless(link.Online, &flow.Account{})
	var out []exec.Result
	_, err := x.walk(ctx, exec.Config{
		Program: s.Program, Arith: s.arith(x.sharing(ctx, &correlation.Recorder{})), Graph: g, Costs: exec.NewCosts(s.Program),
		Evaluates: func(owner int) bool { return owner == rank }, Args: x.args(), Facts: s.Facts, Reveals: s.Reveals, Loops: s.course.loops,
		Aside: func(m exec.Mark, _ *flow.Op, take func() []exec.Result) error {
			if m != at {
				return nil
			}
			out = take()
			return errRecalled
		},
	})
	switch {
	case errors.Is(err, errRecalled):
		return out, g.Wait()
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("party: the program does not come to %s, where its checkpoint is (run it from its beginning)", Checkpoint{Loop: at.Loop, Turn: at.Turn}.Place())
}
