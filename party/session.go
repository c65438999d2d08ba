package party

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// session is one party's side of one run. Sessions of one process share
// nothing that is secret: they meet through their links and the dealer.
type session struct {
	spec *Spec
	rank int
	link *link.Endpoint
	plan *forecast

	supplier supplier // nil where nothing is dealt
	begun    correlation.SessionID
	material material
	meter    *meter
	source   correlation.Source
	common   ring.Seed // in common with a party that deals; at that one its own

	zero   map[int]ring.Seed
	orders ring.Seed // in common with all that compute online
	inputs semi2k.Inputs
	memo   *exec.Memo

	// Of a turn of a Service: what was shared before it, and where its operation
	// instances and the messages of its setup begin.
	stays semi2k.Inputs
	first uint32
	turn  uint32
	// declined is why the turn does not take place.
	declined error

	aside *aside // of the online walk; nil for none

	costs   *exec.Costs
	dealt   dealtCost
	phases  [link.Phases]flow.Account
	rounds  [link.Phases]int
	results []exec.Result
	learned []*tensor.Array
}

// forecast is what a weightless run of one party found.
type forecast struct {
	costs   *exec.Costs
	phases  [link.Phases]flow.Account
	rounds  [link.Phases]int
	form    *correlation.Form
	order   *[32]byte // the form's digest, once it was asked for
	ops     int       // operation instances, so far as progress shows them
	ids     uint32    // numbers that operations, inputs and results take
	results []exec.Result
	traces  [link.Phases]*flow.Trace // by phase; nil unless a machine is given
}

func (s *session) computes() bool { return s.rank < s.spec.online() }

// arith makes the arithmetic over a party's protocol.
func (s *Spec) arith(p mpc.Protocol) *fxp.Arith {
	options := s.options()
	return &fxp.Arith{P: p, Ring: ring.Z(s.Ring), Fraction: s.Fraction, Options: options, Note: s.Note}
}

// options are the settings, which have been checked. Where a party deals, what
// is dealt counts like what is sent online, unless the job says otherwise.
func (s *Spec) options() fxp.Options {
	o, _ := fxp.ParseOptions(s.Set)
	if _, set := s.Set["optimize"]; !set && s.dealer() >= 0 {
		o.Optimize = "total"
	}
	return o
}

func (s *session) args() []exec.Arg {
	out := make([]exec.Arg, len(s.spec.Args))
	for i, a := range s.spec.Args {
		out[i] = exec.Arg{Who: exec.Public, Data: a.Data, Stays: a.Stays}
		if a.Owner != Public {
			out[i].Who = a.Owner
		}
	}
	return s.keptArgs(out)
}

// forget drops what owners alone know of the arguments, which has been evaluated;
// protocol plain does that again.
func (s *Spec) forget() {
	if s.Protocol == "plain" {
		return
	}
	s.Args = slices.Clone(s.Args) // whose run this is keeps its own
	for i := range s.Args {
		if a := &s.Args[i]; a.Owner != Public {
			a.Data = nil
		}
	}
}

// prepare is the weightless run: it evaluates what this party knows alone,
// collects what it will share, and counts what all will cost.
func (s *session) prepare(ctx context.Context) error {
	f := &forecast{costs: exec.NewCosts(s.spec.Program)}
	rec := &correlation.Recorder{}
	s.inputs = s.stays.Staying()
	var p mpc.Protocol = plain.Party{}
	sh := s.sharing(ctx, rec)
	evaluates := func(int) bool { return true }
	if sh != nil {
		p = sh
		evaluates = func(owner int) bool { return owner == s.rank }
	}
	online := s.weightless(link.Online, f)
	var err error
	walk := exec.Config{
		Program: s.spec.Program, Arith: s.spec.arith(p), Graph: online, Costs: f.costs,
		Evaluates: evaluates, Args: s.args(), Keep: s.spec.keeps(),
		First: s.first, Memo: s.memo, Facts: s.spec.Facts, Aims: s.spec.aims, Reveals: s.spec.Reveals, Step: func(done int) { f.ops = done },
	}
	walk.Arith.Lost = func(where, what string) { s.spec.notice("warning: " + where + ": " + what) }
	walk.Arith.Unproved = s.spec.Unproved
	s.spec.survey.notes(&walk)
	a := s.setAside(&walk)
	f.results, err = s.walk(ctx, walk)
	if err == nil {
		a.warn()
		err = online.Wait()
	}
	if err != nil {
		return err
	}
	f.rounds[link.Online] = online.Rounds()
	input := s.weightless(link.Input, f)
	if sh != nil {
		sh.ShareInputs(input)
	}
	if err := input.Wait(); err != nil {
		return err
	}
	f.rounds[link.Input] = input.Rounds()
	f.form = rec.Form()
	f.ids = uint32(max(f.ops+1, len(s.inputs), len(f.results))) // one for the results
	s.plan = f
	return nil
}

// terms are what all parties must agree on, by name.
func (s *session) terms() map[string]string {
	if s.plan.order == nil {
		sum := s.plan.form.Digest()
		s.plan.order = &sum
	}
	return s.termsOf(*s.plan.order)
}

// whichKept begins the term of which value a kept argument is.
const whichKept = "value of kept argument "

// termsOf are the terms with an order form of a digest.
func (s *session) termsOf(form [32]byte) map[string]string {
	t := s.spec.terms()
	t["order"] = fmt.Sprintf("%x", form)
	if aims := s.spec.aims; len(aims) > 0 {
		t["choices"] = fmt.Sprint(aims) // in the order of keys
	}
	return t
}

// terms are what the job says.
func (sp *Spec) terms() map[string]string {
	text := sp.Program.Digest()
	t := map[string]string{
		"version":   Version,
		"program":   fmt.Sprintf("%x", text),
		"protocol":  sp.Protocol,
		"ring":      fmt.Sprint(sp.Ring),
		"fraction":  fmt.Sprint(sp.Fraction),
		"parties":   fmt.Sprint(sp.Parties),
		"computing": fmt.Sprint(sp.Computing),
		"reveal":    fmt.Sprint(sp.Reveal),
		"reveals":   fmt.Sprint(sp.Reveals),
		"network":   sp.Network,
	}
	for i, a := range sp.Args {
		t[fmt.Sprintf("owner of argument %d", i)] = fmt.Sprint(a.Owner)
		if a.Range != nil {
			t[fmt.Sprintf("range of argument %d", i)] = fmt.Sprint(*a.Range)
		}
		if a.Stays {
			t[fmt.Sprintf("resident argument %d", i)] = "true"
		}
		if a.Owner == Kept {
			t[fmt.Sprintf("kept argument %d", i)] = a.Held[0].form()
			t[whichKept+fmt.Sprint(i)] = a.Held[0].ID
		}
		if a.Owner == Public {
			t[fmt.Sprintf("public argument %d", i)] = fmt.Sprintf("%x", digest(a.Data))
		}
	}
	if sp.Keep {
		t["keep"] = "true"
	}
	for k, v := range sp.Set {
		t["set "+k] = v
	}
	return t
}

// digest is of an array's type and elements; zeros in a plan that does not have
// it.
func digest(a *tensor.Array) [32]byte {
	if a == nil {
		return [32]byte{}
	}
	h := sha256.New()
	fmt.Fprint(h, a.Type)
	if err := binary.Write(h, binary.LittleEndian, a.Data); err != nil {
		panic("party: " + err.Error()) // a type that arrays do not have
	}
	return [32]byte(h.Sum(nil))
}

// protocol makes the party that runs in earnest.
func (s *session) protocol(ctx context.Context) mpc.Protocol {
	if sh := s.sharing(ctx, s.source); sh != nil {
		return sh
	}
	return plain.Party{Note: s.spec.Note}
}

// share is the input phase.
func (s *session) share(ctx context.Context) error {
	p := s.sharing(ctx, s.source)
	if p == nil {
		return nil
	}
	g := s.graph(ctx, link.Input)
	p.ShareInputs(g)
	if err := g.Wait(); err != nil {
		return err
	}
	s.rounds[link.Input] = g.Rounds()
	s.inputs.Settled()
	return nil
}

// compute is the online phase.
func (s *session) compute(ctx context.Context) error {
	s.costs = exec.NewCosts(s.spec.Program)
	if !s.computes() {
		s.results = s.plan.results
		return s.finish(ctx)
	}
	p := s.protocol(ctx)
	g := s.graph(ctx, link.Online)
	clear := s.spec.Protocol == "plain"
	walk := exec.Config{
		Program: s.spec.Program, Arith: s.spec.arith(p), Graph: g, Costs: s.costs,
		Evaluates: func(int) bool { return clear }, Args: s.args(), Keep: s.spec.keeps(),
		First: s.first, Memo: s.memo, Facts: s.spec.Facts, Aims: s.spec.aims, Reveals: s.spec.Reveals, Watch: s.spec.watch, Step: s.progress,
	}
	s.setAside(&walk)
	var err error
	s.results, err = s.walk(ctx, walk)
	if err != nil {
		g.Fail(err)
	}
	if werr := g.Wait(); werr != nil {
		return werr
	}
	s.rounds[link.Online] = g.Rounds()
	if s.meter != nil {
		s.dealt = s.meter.cost(s.costs, s.first)
	}
	return nil
}

func (s *session) progress(done int) {
	if s.rank == 0 && s.spec.Progress != nil {
		s.spec.Progress(Progress{Phase: "online", Done: done, All: s.plan.ops})
	}
}

// reveal is the output phase: every result to those who learn it.
func (s *session) reveal(ctx context.Context) error {
	p := s.protocol(ctx)
	g := s.graph(ctx, link.Output)
	out := make([]*flow.Of[*tensor.Array], len(s.results))
	for i, r := range s.results {
		op := g.Op(s.first+uint32(i), &flow.Cost{}, fmt.Sprintf("result %d", i))
		if r.Who != exec.Secret {
			clear := s.plan.results[i].Data
			if r.Data != nil {
				clear = r.Data
			}
			out[i] = s.tell(op, r, clear)
			continue
		}
		v := p.Reveal(op, r.Secret.S, s.spec.Reveal)
		out[i] = flow.Do(op, 0, func() *tensor.Array {
			if v.Get().Len() == 0 && r.Type.Shape.Size() > 0 {
				return nil // this party does not learn it
			}
			return fxp.Decode(v.Get(), r.Type, r.Secret.Scale)
		}, v)
	}
	if err := g.Wait(); err != nil {
		return err
	}
	s.rounds[link.Output] = g.Rounds()
	if slices.Contains(s.spec.Reveal, s.rank) || s.spec.Protocol == "plain" {
		for _, v := range out {
			s.learned = append(s.learned, v.Get())
		}
	}
	return nil
}

// tell passes on a result that one party knows, as it is, to those who learn
// it.
func (s *session) tell(op *flow.Op, r exec.Result, clear *tensor.Array) *flow.Of[*tensor.Array] {
	if r.Who == exec.Public || s.spec.Protocol == "plain" {
		return flow.Known(clear)
	}
	var t flow.Talk
	if r.Who == s.rank {
		for _, i := range s.spec.Reveal {
			if i != s.rank {
				t.To = append(t.To, i)
			}
		}
		t.Pack = func() ring.Payload {
			var w ring.Writer
			w.Vec(patterns(clear))
			return w.Payload()
		}
	} else if slices.Contains(s.spec.Reveal, s.rank) {
		t.From = []int{r.Who}
		t.Size = (r.Type.Shape.Size()*r.Type.DType.Bits() + 7) / 8
	}
	return flow.Exchange(op, 0, t, func(in []ring.Payload) (*tensor.Array, error) {
		if len(in) == 0 {
			return clear, nil
		}
		rd := ring.NewReader(in[0])
		v := rd.Vec(ring.Z(r.Type.DType.Bits()), r.Type.Shape.Size())
		if err := rd.Close(); err != nil {
			return nil, err
		}
		return fromPatterns(v, r.Type), nil
	})
}
