package party

import (
	"cmp"
	"context"
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
)

// Inspection lists what parties can learn about each other's data while a program runs, beyond its results.
type Inspection struct {
	Reveals   []Reveal   // calls that reveal tensors, in the order of the run
	Tensors   int        // number of tensors that these calls reveal in all
	Decisions []Decision // loops and branches whose conditions are owner-local

	reveals   map[*hlo.Op]int
	decisions map[Decision]bool
}

// Reveal is a call of tacet.reveal or tacet.reveal_to, which reveals its operands to the online parties, or to one of them, while the
// program runs (exec.RevealsTo).
type Reveal struct {
	Op    *hlo.Op  // the call
	Names []string // for each operand, the tensor's name in the program's text
	Times int      // how often the run executes the call
}

// Decision is a loop or a branch that its owner evaluates alone, because the condition is owner-local (known in
// cleartext to that party only). The other parties can measure how long the owner takes.
type Decision struct {
	Op    *hlo.Op // the loop or branch
	Owner int     // rank of the party that evaluates it
}

// Inspect runs a program without data, as all parties will do to plan it, and returns what the run will reveal
// to the online parties, and which loops and branches have owner-local conditions. Only public arguments need
// Data. s.Reveals is ignored.
func Inspect(ctx context.Context, s Spec) (*Inspection, error) {
	s.inspection = &Inspection{reveals: map[*hlo.Op]int{}, decisions: map[Decision]bool{}}
	s.Reveals = math.MaxInt
	s, err := s.validate(needsPublic)
	if err != nil {
		return nil, err
	}
	l, err := newLocal(ctx, &s)
	if err != nil {
		return nil, err
	}
	if err := l.sessions[0].prepare(ctx); err != nil { // the walks of all sessions are alike
		return nil, err
	}
	s.inspection.nameTensors(s.Program)
	return s.inspection, nil
}

// nameTensors sets Names: the location of the revealing call, or else of the operation that defines
// the tensor, and the value's name.
func (v *Inspection) nameTensors(p *hlo.Program) {
	made := map[*hlo.Value]string{}
	p.Each(func(o *hlo.Op) {
		for _, r := range o.Results {
			made[r] = o.Loc
		}
	})
	for i := range v.Reveals {
		r := &v.Reveals[i]
		for _, x := range r.Op.Operands {
			name := "%" + x.Name
			if loc := cmp.Or(r.Op.Loc, made[x]); loc != "" {
				name = loc + " (" + name + ")"
			}
			r.Names = append(r.Names, name)
		}
	}
}

// observe has a walk fill the inspection; v may be nil.
func (v *Inspection) observe(walk *exec.Config) {
	if v == nil {
		return
	}
	walk.Revealing = func(o *hlo.Op) {
		v.Tensors += len(o.Operands)
		i, seen := v.reveals[o]
		if !seen {
			i = len(v.Reveals)
			v.reveals[o] = i
			v.Reveals = append(v.Reveals, Reveal{Op: o})
		}
		v.Reveals[i].Times++
	}
	walk.Deciding = func(o *hlo.Op, owner int) {
		if d := (Decision{o, owner}); !v.decisions[d] {
			v.decisions[d] = true
			v.Decisions = append(v.Decisions, d)
		}
	}
}

// Online returns the names of the online parties: the parties that take part in the online phase and learn what
// a program reveals to all of them while it runs.
func (s *Spec) Online() []string { return s.Parties[:s.online()] }
