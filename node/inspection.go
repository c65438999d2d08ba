package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/problem"
)

// inspect returns what the job reveals while it runs, for approvals, and records in t.facts the first
// loop or branch whose condition depends on this party's inputs alone, for policies. The other parties' arguments are
// not assigned to owners yet; that makes no difference to either, so all of them are treated as
// arguments of one other party. If the inspection fails (with the real owners it might not), the
// reveals are listed as counted in the program's text, and planMemory inspects again when the owners
// are known. A program that exceeds the limits of a plan is refused.
func (n *Node) inspect(ctx context.Context, t *task) (reveal []api.Learned, err error) {
	w := t.resolved
	reveals := exec.CountReveals(w.program)
	if reveals == 0 && !n.policy.Policy().RefusesOwnerLocalControl() {
		return nil, nil
	}
	owners := make([]int, len(w.program.Main.Body.Params))
	for arg := range owners {
		owners[arg] = (t.rank + 1) % len(t.Parties)
		if w.public[arg] != nil {
			owners[arg] = party.Public
		}
		if _, ok := w.kept[arg]; ok {
			owners[arg] = party.Kept
		}
	}
	for _, arg := range w.own {
		owners[arg] = t.rank
	}
	spec, err := w.job.OwnSpec(w.program, n.config.Name, owners, w.public)
	if err == nil {
		err = w.useKept(n.config, &spec)
	}
	var s *party.Inspection
	if err == nil {
		s, err = n.inspectWithin(ctx, spec, t.Submitter)
	}
	if err != nil && (errors.Is(err, problem.Limit) || ctx.Err() != nil) {
		return nil, err
	}
	if err != nil {
		n.log.Debug("cannot inspect a program", "job", t.ID, "error", err.Error())
		if reveals > 0 {
			reveal = append(reveal, api.Learned{What: fmt.Sprintf("at least %d intermediate tensors", reveals), By: w.online})
		}
		return reveal, nil
	}
	t.facts.OwnerLocalControl = ownControl(s, t.rank)
	t.facts.Outputs = append(t.facts.Outputs, revealedTypes(s)...)
	if s.Tensors > w.sub.Reveals {
		return nil, fmt.Errorf("the program reveals %d intermediate tensors, and the job allows %d (to allow it, set reveals: %d in the job file)",
			s.Tensors, w.sub.Reveals, s.Tensors)
	}
	if w.fit != nil {
		if early := job.Early(w.fit.Work); early != nil {
			return listedEarly(early, s, w.sub.Parties, len(w.online)), nil
		}
	}
	for _, r := range s.Reveals {
		for i, v := range r.Op.Operands {
			what := fmt.Sprintf("intermediate %s: %v, at %v", r.Names[i], v.Type, r.Op.Pos)
			if r.Times > 1 {
				what += fmt.Sprintf(", %d times", r.Times)
			}
			var by []string
			for _, rank := range exec.RevealsTo(r.Op, len(w.online)) {
				by = append(by, w.sub.Parties[rank])
			}
			reveal = append(reveal, api.Learned{What: what, By: by})
		}
	}
	return reveal, nil
}

// listedEarly returns what a task tells parties while it runs, in its own words, with the number of tensors that the inspection has counted
// for each party.
func listedEarly(early []gbt.Early, s *party.Inspection, parties []string, online int) (out []api.Learned) {
	tensors := map[string]int{}
	for _, r := range s.Reveals {
		for _, rank := range exec.RevealsTo(r.Op, online) {
			tensors[parties[rank]] += r.Times * len(r.Op.Operands)
		}
	}
	for _, e := range early {
		what := fmt.Sprintf("%d intermediate tensors", tensors[e.Party])
		out = append(out, api.Learned{What: what, By: []string{e.Party}, Name: e.What})
		delete(tensors, e.Party)
	}
	for _, name := range slices.Sorted(maps.Keys(tensors)) { // the task does not list them
		out = append(out, api.Learned{What: fmt.Sprintf("%d intermediate tensors", tensors[name]), By: []string{name}})
	}
	return out
}

// inspectWithin inspects a submitter's program within the limits of a plan.
func (n *Node) inspectWithin(ctx context.Context, spec party.Spec, submitter string) (*party.Inspection, error) {
	ctx, end, err := n.planning(ctx, submitter)
	if err != nil {
		return nil, err
	}
	defer end()
	return party.Inspect(ctx, spec)
}

// revealedTypes returns the types of the tensors that a program reveals while it runs.
func revealedTypes(s *party.Inspection) []string {
	var out []string
	for _, r := range s.Reveals {
		for _, v := range r.Op.Operands {
			out = append(out, v.Type.String())
		}
	}
	return out
}

// ownControl returns the first loop or branch whose condition depends on the inputs of the party of
// this rank alone, with its position; "" if there is none.
func ownControl(s *party.Inspection, rank int) string {
	for _, d := range s.Decisions {
		if d.Owner == rank {
			return fmt.Sprintf("%s at %v", d.Op.Title(), d.Op.Pos)
		}
	}
	return ""
}
