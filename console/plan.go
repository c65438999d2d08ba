package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// Bounds of what planning a job takes in the console's process. Programs come from submitters.
const (
	planMemory     = 2 << 30
	planOperations = 20_000_000_000
	planTime       = 2 * time.Minute
)

// planKey is the key of a job's plan.
func planKey(node, id string) string { return node + "/" + id }

// planned returns the plan of a job, if it is there.
func (s *Server) planned(node, id string) *profile.Report {
	r, _ := s.plans.peek(planKey(node, id))
	return r
}

// planOf plans a submission, within the bounds. A panic of a planner is an error here: the console goes on.
func planOf(ctx context.Context, j api.Job, sub *api.Submission) (r *profile.Report, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = nil, fmt.Errorf("the plan failed: %v", x)
		}
	}()
	ctx, _, end := budget.New(ctx, budget.Limits{Memory: planMemory, Operations: planOperations, Time: planTime})
	defer end()
	p, err := hlo.ParseContext(ctx, j.Program, sub.Program.Text)
	if err != nil {
		return nil, err
	}
	spec, err := specOf(j, sub, p)
	if err != nil {
		return nil, err
	}
	machine, err := timing.Load()
	if err != nil {
		machine = timing.Default
	}
	spec.Machine, spec.Networks = &machine, []string{"lan", "wan"}
	return tacet.Plan(ctx, spec)
}

// specOf returns what is planned of a submission. Arguments whose owner is not known yet count as those of a party
// other than the node's.
func specOf(j api.Job, sub *api.Submission, p *hlo.Program) (party.Spec, error) {
	params := p.Main.Body.Params
	spec := party.Spec{
		Program: p, Protocol: sub.Protocol, Ring: sub.Ring, Fraction: sub.Fraction, Parties: sub.Parties, Computing: sub.Computing,
		Args: make([]party.Arg, len(params)), Reveal: slices.Sorted(slices.Values(sub.Reveal)), Keep: sub.Keep != "",
		Reveals: sub.Reveals,
		Network: sub.Network, Set: sub.Set,
	}
	for _, arg := range slices.Sorted(maps.Keys(sub.State)) {
		spec.State = append(spec.State, party.State{Arg: arg, Result: sub.State[arg]})
	}
	if len(j.Arguments) != len(params) {
		return spec, fmt.Errorf("the job's status lists %d arguments, and its program has %d", len(j.Arguments), len(params))
	}
	public := map[int]*tensor.Array{}
	for _, in := range sub.Public {
		r, err := npy.NewReader(bytes.NewReader(in.Array), int64(len(in.Array)))
		if err != nil {
			return spec, fmt.Errorf("public argument %d: %w", in.Arg, err)
		}
		if public[in.Arg], err = r.Array(); err != nil {
			return spec, fmt.Errorf("public argument %d: %w", in.Arg, err)
		}
	}
	for i, a := range j.Arguments {
		switch a.Owner {
		case policy.Public:
			if public[i] == nil {
				return spec, fmt.Errorf("the value of public argument %d is missing", i)
			}
			spec.Args[i] = party.Arg{Owner: party.Public, Data: public[i]}
		case policy.Kept:
			return spec, errors.New("a job that uses kept results is planned at its nodes only")
		case policy.Joined:
			return spec, errors.New("a job with a hidden join is planned at its nodes only")
		default:
			rank := slices.Index(sub.Parties, a.Owner)
			if rank < 0 {
				rank = (slices.Index(sub.Parties, j.Node) + 1) % max(1, len(sub.Parties))
			}
			_, state := sub.State[i]
			spec.Args[i] = party.Arg{Owner: rank, Resident: state}
		}
	}
	for _, in := range sub.Inputs {
		for arg, r := range in.Ranges {
			if arg >= 0 && arg < len(spec.Args) {
				spec.Args[arg].Range = &pattern.Interval{Lo: r[0], Hi: r[1]}
			}
		}
	}
	return spec, nil
}
