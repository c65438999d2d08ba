package party

import (
	"context"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party/plan"
	"github.com/tacet-mpc/tacet/profile"
)

// Plan predicts the costs of Run, without data of owned arguments. If s.Machine is set, it also predicts times:
// on the declared network (Network) and on those of Networks.
func Plan(ctx context.Context, s Spec) (*profile.Report, error) {
	l, err := s.execute(ctx, needsPublic)
	if err != nil {
		return nil, err
	}
	l.planKept()
	if err := l.each(ctx, func(ctx context.Context, x *session) error {
		if err := x.prepare(ctx); err != nil {
			return err
		}
		return x.predictHandshake()
	}); err != nil {
		return nil, err
	}
	r := l.plannedReport()
	if l.spec.Machine != nil {
		plan.Predict(r, l.dryRun())
		r.Plan.Correlations = plan.Correlations(l.sessions[0].plan.manifest)
		r.Plan.Choices = l.spec.choices
	}
	return r, nil
}

// optimized applies the objectives that the plan chooses (plan.Choose). All parties have equal
// plans, so all choose the same.
func (s Spec) optimized(ctx context.Context) (Spec, error) {
	if s.clear() {
		return s, nil
	}
	if err := s.rewrite(ctx); err != nil { // once for all plans
		return s, err
	}
	c, err := plan.Choose(ctx, plan.Job{
		Options: s.options(), Network: s.shape(), Online: s.online(), Dealer: s.Descriptor().Supply == protocol.OutsideDealer,
		Plan: func(ctx context.Context, base flow.Objective, others map[int]flow.Objective) (*profile.Report, error) {
			t := s.withObjectives(base, others)
			t.Progress, t.Machine, t.Networks = nil, &plan.ReferenceMachine, nil
			t.PairState = "" // the choice must not depend on what one party has kept
			return Plan(ctx, t)
		},
	})
	if err != nil || c == nil {
		return s, err
	}
	s = s.withObjectives(c.Base, c.Others)
	s.choices = c.Alternatives
	return s, nil
}

// withObjectives returns the spec with an objective for all operations except those of others.
func (s Spec) withObjectives(base flow.Objective, others map[int]flow.Objective) Spec {
	s.objectives, s.Set = others, maps.Clone(s.Set)
	if s.Set == nil {
		s.Set = map[string]string{}
	}
	s.Set["optimize"] = base.String()
	delete(s.Set, "offline.budget")
	return s
}

// newDryRunGraph makes the graph of a phase of a plan. With a machine's profile its steps are
// recorded, from which times follow.
func (s *session) newDryRunGraph(ctx context.Context, phase link.Phase, f *prediction) *flow.Graph {
	if s.spec.Machine == nil {
		return flow.NewDryRun(phase, &f.Phases[phase]).Bound(ctx)
	}
	f.traces[phase] = &flow.Trace{}
	return flow.NewTraced(phase, &f.Phases[phase], s.spec.Machine.Rates(), f.traces[phase]).Bound(ctx)
}

// dryRun is the dry run of all sessions, which have been prepared with a machine's profile.
func (l *execution) dryRun() *plan.Run {
	s := l.spec
	r := &plan.Run{Machine: *s.Machine, Network: s.Network, Others: s.Networks, Online: s.online()}
	if s.Descriptor().Dealt() {
		r.Manifest = l.sessions[0].plan.manifest
	}
	resident := slices.ContainsFunc(s.Args, func(a Arg) bool { return a.Resident })
	for _, x := range l.sessions {
		p := plan.Party{Traces: x.plan.traces}
		p.Shared, p.Own = x.vectorBytes(x.inputs)
		if x.plan.demand != nil && x.computes() {
			p.Own += x.plan.demand.HeldBytes()
		}
		if resident {
			shared, own := x.vectorBytes(x.inputs.Staying())
			r.Resident = append(r.Resident, shared+own)
		}
		if x.computes() {
			for _, e := range x.plan.Ops.Ops {
				p.MultiplyAdds += e.Products.Load()
			}
		}
		r.Parties = append(r.Parties, p)
	}
	return r
}

// vectorBytes is the memory of a party's input vectors while the program runs, in bytes: shared
// vectors, and additionally the party's own.
func (s *session) vectorBytes(in protocol.Inputs) (shared, own int64) {
	shared, own = in.Bytes(s.rank)
	if !s.computes() {
		shared = 0
	}
	return shared, own
}
