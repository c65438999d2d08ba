package party

import (
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
)

// rewrite makes of the program what costs less, and finds its facts.
func (s *Spec) rewrite() {
	if s.Facts != nil {
		return
	}
	if options, _ := fxp.ParseOptions(s.Set); options.Passes == "all" {
		args := make([]hlo.Visibility, len(s.Args))
		for i, a := range s.Args {
			switch a.Owner {
			case Public:
			case Kept:
				args[i] = hlo.Secret
			default:
				args[i] = hlo.Known(a.Owner)
			}
		}
		s.Program = pass.Rewrite(s.Program, pass.Options{Args: args, Guard: s.guard()})
	}
	if s.Checkpoints != nil {
		s.set()
		return
	}
	s.Facts = exec.Study(s.Program)
}

// guard is how many bits of room a product leaves to spare: 4 in Z_2^64 with
// 18 fraction bits, whose products then hold 2^22.
func (s *Spec) guard() int {
	room := s.Ring - 2 - 2*s.Fraction // whole bits of a product
	return max(0, min(4, (room-14)/3))
}
