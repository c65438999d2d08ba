package node

import (
	"fmt"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

// survey notes what a job reveals on its way, and on which loop or branch this
// party's inputs alone decide, for who approves it and for policies. Who of the other
// parties owns which argument is not known yet and makes no difference to either: the
// walk takes all that is not this party's for one other party's. If it fails (with the
// owners as they are it might not), what is revealed is listed by the text, and the
// rest is found when the owners are known (needs).
func (n *Node) survey(t *task) error {
	w := t.work
	reveals := exec.CountReveals(w.program)
	if reveals == 0 && !n.policy.Policy().RefusesOwnControl() {
		return nil
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
	var s *party.Survey
	if err == nil {
		s, err = party.Surveyed(n.ctx, spec)
	}
	if err != nil {
		n.log.Debug("a program is not surveyed", "job", t.ID, "error", err.Error())
		if reveals > 0 {
			t.Reveals = append(t.Reveals, api.Learned{What: fmt.Sprintf("on its way, %d tensors or more", reveals), By: w.online})
		}
		return nil
	}
	t.facts.OwnControl = ownControl(s, t.rank)
	if s.Tensors > w.sub.Reveals {
		return fmt.Errorf("the program reveals %d tensors on its way, and the job allows %d (if that is meant, write reveals: %d into the job file)", s.Tensors, w.sub.Reveals, s.Tensors)
	}
	for _, r := range s.Reveals {
		for i, v := range r.Op.Operands {
			what := fmt.Sprintf("on its way %s: %v, at %v", r.Names[i], v.Type, r.Op.Pos)
			if r.Times > 1 {
				what += fmt.Sprintf(", %d times", r.Times)
			}
			t.Reveals = append(t.Reveals, api.Learned{What: what, By: w.online})
		}
	}
	return nil
}

// ownControl is the first loop or branch on which a party alone decides, as messages
// and policies have it; "" if there is none.
func ownControl(s *party.Survey, rank int) string {
	for _, d := range s.Decides {
		if d.Owner == rank {
			return fmt.Sprintf("%s at %v", d.Op.Name, d.Op.Pos)
		}
	}
	return ""
}
