package party

import (
	"cmp"
	"context"
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
)

// Survey is what the owner of inputs may want to know of a program before it runs.
type Survey struct {
	Reveals []Reveal // in the order of the run
	Tensors int      // that are revealed on the way, in all
	Decides []Decision

	reveals   map[*hlo.Op]int
	decisions map[Decision]bool
}

// Reveal is a call that reveals tensors to the parties that compute online.
type Reveal struct {
	Op    *hlo.Op
	Names []string // by operand: what the program's text calls the tensor
	Times int      // the program comes to it
}

// Decision is a loop or a branch that one party evaluates alone, since only that
// party knows what decides on it. How long it takes, the others can measure.
type Decision struct {
	Op    *hlo.Op
	Owner int // rank
}

// Surveyed walks a program without data, as all parties will, and tells what is
// revealed on the way and which loops and branches owners decide on alone.
func Surveyed(ctx context.Context, s Spec) (*Survey, error) {
	s.survey = &Survey{reveals: map[*hlo.Op]int{}, decisions: map[Decision]bool{}}
	s.Reveals = math.MaxInt
	if err := s.check(); err != nil {
		return nil, err
	}
	l := newLocal(&s)
	if err := l.sessions[0].prepare(ctx); err != nil { // all sessions walk alike
		return nil, err
	}
	s.survey.name(s.Program)
	return s.survey, nil
}

// name finds what a program's text calls the tensors that it reveals: the name that
// the location of the call has, or that of the operation that makes the tensor, and
// the value's.
func (v *Survey) name(p *hlo.Program) {
	made := map[*hlo.Value]string{}
	each(p, func(o *hlo.Op) {
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

// notes has a walk fill the survey.
func (v *Survey) notes(walk *exec.Config) {
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
			v.Decides = append(v.Decides, d)
		}
	}
}

// Online are the names of the parties that compute online, which learn what a
// program reveals on its way.
func (s *Spec) Online() []string { return s.Parties[:s.online()] }
