package party

import (
	"context"
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/ring"
)

// rewrite applies the rewrite passes to the program and analyses it.
func (s *Spec) rewrite(ctx context.Context) error {
	if s.Facts != nil {
		return nil
	}
	if options, _ := fxp.ParseOptions(s.Set); options.Passes == "all" {
		args := make([]hlo.Visibility, len(s.Args))
		for i, a := range s.Args {
			switch a.Owner {
			case Public:
			case Kept:
				args[i] = hlo.Secret
			default:
				args[i] = hlo.OwnerLocal(a.Owner)
			}
		}
		options := pass.Options{Args: args, Ranges: s.ranges(s.Program), Fold: s.guard() > 0, Guard: s.guard(),
			Squares: fxp.SquareBits(ring.Z(s.Ring), s.Fraction),
			Guarded: math.Ldexp(1, fxp.ContractionBits(ring.Z(s.Ring), s.Fraction)-1)} // half of the range, for roundings
		p, err := pass.RewriteContext(ctx, s.Program, options)
		if err != nil {
			return err
		}
		s.Program = p
	}
	if s.Checkpoints != nil {
		s.planCheckpoints()
		return nil
	}
	s.Facts = exec.Analyse(s.Program, s.ranges(s.Program)...)
	return nil
}

// ranges are the intervals of the arguments of p, which is the spec's program or takes further
// arguments after its own. Ends of float intervals are rounded outwards to multiples of
// 2^−Fraction, so that encoded elements lie within too.
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
		if math.Abs(a.Range.Lo) < 1<<52*unit { // larger floats are multiples of unit
			out[i].Lo = math.Floor(a.Range.Lo/unit) * unit
		}
		if math.Abs(a.Range.Hi) < 1<<52*unit {
			out[i].Hi = math.Ceil(a.Range.Hi/unit) * unit
		}
	}
	return out
}

// guard is the number of guard bits that a convolution reserves for factors folded into its kernel:
// 4 in Z_2^64 with 18 fraction bits, where contractions up to 2^22 fit then.
func (s *Spec) guard() int {
	room := fxp.ContractionBits(ring.Z(s.Ring), s.Fraction)
	return max(0, min(4, (room-14)/3))
}
