package party

import (
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
	"github.com/tacet-mpc/tacet/hlo/pattern"
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
		s.Program = pass.Rewrite(s.Program, pass.Options{Args: args, Ranges: s.ranges(s.Program), Fold: s.guard() > 0, Guard: s.guard()})
	}
	if s.Checkpoints != nil {
		s.set()
		return
	}
	s.Facts = exec.Study(s.Program, s.ranges(s.Program)...)
}

// ranges are where the arguments of the program p, or one that takes more after
// them, lie: ends rounded outwards to units, so that what they are encoded to lies
// there too.
func (s *Spec) ranges(p *hlo.Program) []pattern.Interval {
	params := p.Main.Body.Params
	out := make([]pattern.Interval, min(len(s.Args), len(params)))
	for i, a := range s.Args[:len(out)] {
		d := params[i].Type.DType
		out[i] = pattern.Any(d)
		if a.Range == nil {
			continue
		}
		if d.IsInt() {
			out[i].Lo, out[i].Hi = max(out[i].Lo, math.Ceil(a.Range.Lo)), min(out[i].Hi, math.Floor(a.Range.Hi))
			continue
		}
		out[i] = *a.Range
		unit := math.Ldexp(1, -s.Fraction)
		if math.Abs(a.Range.Lo) < 1<<52*unit { // what is larger is whole units
			out[i].Lo = math.Floor(a.Range.Lo/unit) * unit
		}
		if math.Abs(a.Range.Hi) < 1<<52*unit {
			out[i].Hi = math.Ceil(a.Range.Hi/unit) * unit
		}
	}
	return out
}

// guard is how many bits a convolution leaves to spare for factors that are folded
// into its kernel: 4 in Z_2^64 with 18 fraction bits, where they give 2^22 then.
func (s *Spec) guard() int {
	room := s.Ring - 2 - 2*s.Fraction // whole bits of a product
	return max(0, min(4, (room-14)/3))
}
