package party

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/party/report"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/version"
)

// session is one party's side of one execution. Sessions in one process share no secret state: they
// interact through their links and the dealer.
type session struct {
	spec *Spec
	rank int
	link *link.Endpoint
	plan *prediction
	// requests is the correlation manifest if the plan is that of another request (servedProgram.planWithoutData); else nil.
	requests *correlation.Manifest

	provider     offline.Provider // nil if the protocol needs no correlations
	witness      *witness         // nil without a store that has a memory
	sessionID    correlation.SessionID
	correlations offline.Correlations
	meter        *meter
	products     map[correlation.ID]ring.Vec // of a service's request: what was computed before it began (multiplyAhead)
	offers       []correlation.SessionID     // in a plan: what the party could begin with
	ahead        bool                        // the session makes correlations for a later one
	madeAhead    bool                        // the session's correlations were made ahead of time between the parties
	keepsAlone   bool                        // another computing party keeps nothing from one session to the next
	kept         protocol.Kept               // what the offline phase between the parties begins with; nil if nothing is kept
	source       correlation.Source
	dealerSeed   ring.Seed // seed in common with the party that deals; at that party, its own seed

	zero       map[int]ring.Seed
	onlineSeed ring.Seed // in common with all online parties, unknown to the dealer
	inputs     protocol.Inputs
	memo       *exec.Memo
	early      *exec.Early   // what the online walk reads of the dry run
	encodings  fxp.Encodings // of public arrays: the dry run makes what the online walk reads

	// Of a Service: resident is what was shared before, firstOp the number of the first operation instance of this
	// request or opening, openedOp that of its program's opening, setupOp the Op of its setup messages' keys.
	resident protocol.Inputs   // nil if there is none
	earlier  []protocol.Inputs // of the opening of a further program: what those of earlier programs have shared
	firstOp  uint32
	openedOp uint32
	setupOp  uint32
	// declined is the reason for which the request is not evaluated, else nil.
	declined error

	checkpoints *resume.Writer // of the online walk; nil if there are none

	measured report.Costs
	dealt    report.Dealt
	results  []exec.Result
	learned  []*tensor.Array
}

// prediction is the result of one party's dry run.
type prediction struct {
	report.Costs
	manifest       *correlation.Manifest // nil when the session has begun (dropManifest)
	corrections    int64                 // size of the manifest's corrections in bytes
	demand         protocol.Demand       // demand of an offline phase between the parties, else nil
	offline        protocol.OfflineGraph // this party's phases
	manifestDigest *[32]byte             // digest of manifest or demand, nil until it is computed
	instances      int                   // number of operation instances
	ids            uint32                // number of ids that operations, inputs and results use
	results        []exec.Result
	traces         [link.Phases]*flow.Trace // by phase; nil without Spec.Machine
}

// computes reports whether the party is online.
func (s *session) computes() bool { return s.rank < s.spec.online() }

// arith makes the fixed-point arithmetic over a party's protocol.
func (s *Spec) arith(p mpc.Protocol) *fxp.Arith {
	options := s.options()
	return &fxp.Arith{P: p, Ring: ring.Z(s.Ring), Fraction: s.Fraction, Options: options, Note: s.Note}
}

// options are the settings, which Resolve has checked. Where parties send the offline phase's
// bytes, these count like online bytes, unless the job says otherwise.
func (s *Spec) options() fxp.Options {
	o, _ := fxp.ParseOptions(s.Set)
	if _, set := s.Set["optimize"]; !set && s.Descriptor().OfflineIsOwn() {
		o.Optimize = "total"
	}
	return o
}

// args are the arguments as this party knows them.
func (s *session) args() []exec.Arg {
	out := make([]exec.Arg, len(s.spec.Args))
	for i, a := range s.spec.Args {
		out[i] = exec.Arg{Who: exec.Public, Data: a.Data, Stays: a.Resident}
		if a.Owner != Public {
			out[i].Who = a.Owner
		}
	}
	return s.keptArgs(out)
}

// forget drops the data of owned arguments, which the dry run has evaluated; a protocol in
// cleartext needs it again and keeps it.
func (s *Spec) forget() {
	if s.clear() {
		return
	}
	s.Args = slices.Clone(s.Args) // the caller's Args stay unchanged
	for i := range s.Args {
		if a := &s.Args[i]; a.Owner != Public {
			a.Data = nil
		}
	}
}

// prepare is the dry run: it evaluates the values that this party knows, collects the vectors that
// it will share, and counts the costs of all phases.
func (s *session) prepare(ctx context.Context) error {
	f := &prediction{Costs: report.Costs{Ops: exec.NewCosts(s.spec.Program)}}
	if s.inputs = s.spec.noInputs(); s.resident != nil {
		s.inputs = s.resident.Staying()
	}
	c, rec := s.dryConfig()
	side, clear := s.newProtocolSession(ctx, c), s.spec.clear()
	evaluates := func(owner int) bool { return clear || owner == s.rank }
	online := s.newDryRunGraph(ctx, link.Online, f)
	var err error
	walk := exec.Config{
		Program: s.spec.Program, Arith: s.spec.arith(completed(side)), Graph: online, Costs: f.Ops,
		Evaluates: evaluates, Args: s.args(), Keep: s.spec.keptResults(),
		First: s.firstOp, Memo: s.memo, Shared: s.resident != nil,
		Facts: s.spec.Facts, Aims: s.spec.objectives, Reveals: s.spec.Reveals, Online: s.spec.online(), Learns: evaluates, Early: s.newEarly(),
		Step: func(done, _ int) { f.instances = done },
	}
	walk.Arith.Encodings = &s.encodings
	walk.Arith.Lost = func(where, what string) { s.spec.notice("warning: " + where + ": " + what) }
	if text := s.spec.Facts.SmallGradients(walk.Arith); text != "" {
		s.spec.notice("warning: " + text)
	}
	walk.Arith.Unproved = s.spec.Unproved
	s.spec.inspection.observe(&walk)
	a := s.attachCheckpoints(&walk)
	f.results, err = s.walk(ctx, walk)
	if err == nil {
		if a != nil {
			if w := a.Warning(); w != "" {
				s.spec.notice("warning: " + w)
			}
		}
		err = online.Wait()
	}
	if err != nil {
		return err
	}
	f.Rounds[link.Online] = online.Rounds()
	input := s.newDryRunGraph(ctx, link.Input, f)
	side.ShareInputs(input)
	if err := input.Wait(); err != nil {
		return err
	}
	f.Rounds[link.Input] = input.Rounds()
	f.setManifest(rec.Manifest())
	f.demand = c.Demand
	if err := s.predictOffline(f, c); err != nil {
		return err
	}
	f.ids = uint32(max(f.instances+1, len(f.results))) // one for the results
	if s.inputs != nil {
		f.ids = max(f.ids, uint32(s.inputs.Len()))
	}
	s.plan, s.requests = f, nil
	return nil
}

// newEarly sets early to an empty one, for a dry run, and returns it.
func (s *session) newEarly() *exec.Early {
	s.early = &exec.Early{}
	return s.early
}

// setManifest sets the correlation manifest.
func (f *prediction) setManifest(m *correlation.Manifest) {
	f.manifest, f.corrections = m, m.Bytes()
}

// dropManifest drops the manifest, of which a session that has begun needs the size only. It has several objects for each operation
// instance, which the collector would mark again and again while a long loop runs.
func (f *prediction) dropManifest() { f.manifest = nil }

// digest is the digest of the correlation manifest, or of the demand of an offline phase between
// the parties.
func (f *prediction) digest() [32]byte {
	if f.demand != nil {
		return f.demand.Digest()
	}
	return f.manifest.Digest()
}

// terms are the values that all parties must agree on, by name.
func (s *session) terms() map[string]string {
	if s.plan.manifestDigest == nil {
		sum := s.plan.digest()
		s.plan.manifestDigest = &sum
	}
	return s.termsOf(*s.plan.manifestDigest)
}

// keptValueTerm is the prefix of terms with the id of a kept argument's value.
const keptValueTerm = "value of kept argument "

// termsOf are the terms with the given manifest digest.
func (s *session) termsOf(manifest [32]byte) map[string]string {
	t := s.spec.terms()
	t["order"] = fmt.Sprintf("%x", manifest)
	if aims := s.spec.objectives; len(aims) > 0 {
		t["choices"] = fmt.Sprint(aims) // fmt sorts keys
	}
	return t
}

// versionTerm is the name of the term with the first release that has the protocol number. Release 0.1.0
// compares it with its own release, and stores hold it.
const versionTerm = "version"

// terms are the terms that follow from the job. Their names are part of the wire format and of
// stores.
func (sp *Spec) terms() map[string]string {
	text := sp.Program.Digest()
	t := map[string]string{
		versionTerm: version.Since,
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
		if a.Resident {
			t[fmt.Sprintf("resident argument %d", i)] = "true"
		}
		if a.Owner == Kept {
			t[fmt.Sprintf("kept argument %d", i)] = a.Shares[0].publicForm()
			t[keptValueTerm+fmt.Sprint(i)] = a.Shares[0].ID
		}
		if a.Owner == Public {
			t[fmt.Sprintf("public argument %d", i)] = fmt.Sprintf("%x", digest(a.Data))
		}
	}
	for i, p := range sp.served {
		t[fmt.Sprintf("further program %d", i)] = fmt.Sprintf("%s: %x", p.Name, p.Program.Digest())
	}
	if sp.Keep {
		t["keep"] = "true"
	}
	for _, st := range sp.State {
		t[fmt.Sprintf("state of argument %d", st.Arg)] = fmt.Sprintf("result %d", st.Result)
	}
	for k, v := range sp.Set {
		t["set "+k] = v
	}
	return t
}

// digest is the SHA-256 of an array's type and elements; zeros in a plan without the array.
func digest(a *tensor.Array) [32]byte {
	if a == nil {
		return [32]byte{}
	}
	h := sha256.New()
	fmt.Fprint(h, a.Type)
	if err := binary.Write(h, binary.LittleEndian, a.Data); err != nil {
		panic("party: " + err.Error()) // no array has such a type
	}
	return [32]byte(h.Sum(nil))
}

// protocol makes this party's protocol session of the online and output phases.
func (s *session) protocol(ctx context.Context) mpc.Protocol {
	c := s.config(s.source)
	c.Note, c.Products = s.spec.Note, s.products
	return completed(s.newProtocolSession(ctx, c))
}

// shareInputs is the input phase.
func (s *session) shareInputs(ctx context.Context) error {
	if s.spec.clear() {
		return nil
	}
	g := s.graph(ctx, link.Input)
	s.newProtocolSession(ctx, s.config(s.source)).ShareInputs(g)
	if err := g.Wait(); err != nil {
		return err
	}
	s.measured.Rounds[link.Input] = g.Rounds()
	s.inputs.EndPhase()
	return nil
}

// compute is the online phase.
func (s *session) compute(ctx context.Context) error {
	s.measured.Ops = exec.NewCosts(s.spec.Program)
	if !s.computes() {
		s.results = s.plan.results
		return s.finishDealing(ctx)
	}
	p := s.protocol(ctx)
	g := s.graph(ctx, link.Online)
	clear := s.spec.clear()
	var at place
	walk := exec.Config{
		Program: s.spec.Program, Arith: s.spec.arith(p), Graph: g, Costs: s.measured.Ops,
		Evaluates: func(int) bool { return clear }, Args: s.args(), Keep: s.spec.keptResults(),
		First: s.firstOp, Memo: s.memo, Facts: s.spec.Facts, Aims: s.spec.objectives, Reveals: s.spec.Reveals, Watch: s.spec.watch,
		Online: s.spec.online(), Learns: func(rank int) bool { return clear || rank == s.rank }, Early: s.early,
		Step: func(done, iteration int) { at.done, at.iteration = done, iteration; s.progress(at, g.Rounds()) },
	}
	walk.Arith.Encodings = &s.encodings
	s.checkpoints = s.attachCheckpoints(&walk)
	var err error
	s.results, err = s.walk(ctx, walk)
	if err != nil {
		g.Fail(err)
	}
	told := s.tellRounds(g, at)
	werr := g.Wait()
	told()
	if werr != nil {
		return s.ownError(werr)
	}
	s.measured.Rounds[link.Online] = g.Rounds()
	if s.meter != nil {
		s.dealt = s.meter.cost(s.measured.Ops, s.firstOp)
	}
	return nil
}

// place is how far the walk through the program is: the number of operations, and the iteration of the outermost loop.
type place struct{ done, iteration int }

func (s *session) progress(at place, round int) {
	if s.rank == 0 && s.spec.Progress != nil {
		s.spec.Progress(Progress{
			Phase: "online", Done: at.done, All: s.plan.instances,
			Round: round, Rounds: s.plan.Rounds[link.Online], Iteration: at.iteration,
		})
	}
}

// tellEvery is the time between two reports of the rounds that are done.
const tellEvery = 100 * time.Millisecond

// tellRounds reports the rounds that are done until the function that it returns is called, which returns after the last report: on a
// slow link the walk has ended long before the rounds of its steps.
func (s *session) tellRounds(g *flow.Graph, at place) (stop func()) {
	if s.rank != 0 || s.spec.Progress == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(tellEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.progress(at, g.Rounds())
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// reveal is the output phase: it reveals every result to the parties that learn it.
func (s *session) reveal(ctx context.Context) error {
	p := s.protocol(ctx)
	g := s.graph(ctx, link.Output)
	shown := s.results[:len(s.results)-len(s.spec.State)]
	out := make([]*flow.Future[*tensor.Array], len(shown))
	for i, r := range shown {
		op := g.Op(s.firstOp+uint32(i), &flow.Cost{}, fmt.Sprintf("result %d", i))
		if r.Owner != exec.Secret {
			clear := s.plan.results[i].Data
			if r.Data != nil {
				clear = r.Data
			}
			out[i] = s.sendCleartext(op, r, clear)
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
	s.measured.Rounds[link.Output] = g.Rounds()
	if slices.Contains(s.spec.Reveal, s.rank) || s.spec.clear() {
		for _, v := range out {
			s.learned = append(s.learned, v.Get())
		}
	}
	return nil
}

// sendCleartext sends a result that one party knows to the parties that learn it, in cleartext.
func (s *session) sendCleartext(op *flow.Op, r exec.Result, clear *tensor.Array) *flow.Future[*tensor.Array] {
	if r.Owner == exec.Public || s.spec.clear() {
		return flow.Resolved(clear)
	}
	var t flow.ExchangeSpec
	if r.Owner == s.rank {
		for _, i := range s.spec.Reveal {
			if i != s.rank {
				t.To = append(t.To, i)
			}
		}
		t.Pack = func() ring.Payload {
			var w ring.Writer
			w.Vec(bitPatterns(clear))
			return w.Payload()
		}
	} else if slices.Contains(s.spec.Reveal, s.rank) {
		t.From = []int{r.Owner}
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
		return fromBitPatterns(v, r.Type), nil
	})
}
