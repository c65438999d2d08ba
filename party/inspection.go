package party

import (
	"cmp"
	"context"
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
)

// Inspection is what owners of inputs can learn about a program before it runs: what it reveals
// while it runs.
type Inspection struct {
	Reveals   []Reveal // in the order of the run
	Tensors   int      // number of tensors revealed while the program runs
	Decisions []Decision

	reveals   map[*hlo.Op]int
	decisions map[Decision]bool
}

// Reveal is a call that reveals tensors to the online parties.
type Reveal struct {
	Op    *hlo.Op
	Names []string // by operand: the tensor's name in the program's text
	Times int      // number of executions
}

// Decision is a loop or a branch that one party evaluates alone, since its condition is
// owner-local. The other parties can measure how long it takes.
type Decision struct {
	Op    *hlo.Op
	Owner int // rank
}

// Inspect walks a program without data, as all parties will, and returns what is revealed while it
// runs and which loops and branches have owner-local conditions.
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

// Online are the names of the online parties, which learn what a program reveals while it runs.
func (s *Spec) Online() []string { return s.Parties[:s.online()] }
