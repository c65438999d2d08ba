package semi2k

import (
	"fmt"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// TestSoftmaxScales runs softmax at all fraction bits that a job may have in each ring.
func TestSoftmaxScales(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("TestOperations runs the same goroutines")
	}
	for _, k := range []int{64, 128} {
		for f := 1; f <= min(k/2-3, 55); f++ { // 60 is the largest scale of an exponential
			t.Run(fmt.Sprintf("k=%d/f=%d", k, f), func(t *testing.T) { checkSoftmaxScale(t, k, f) })
		}
	}
}

func checkSoftmaxScale(t *testing.T, k, f int) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v", r)
		}
	}()
	row := []float64{0, 1, -1, 0.5}
	var xs []int64
	sum := 0.0
	for _, x := range row {
		xs = append(xs, int64(math.RoundToEven(math.Ldexp(x, f))))
		sum += math.Exp(x)
	}
	in := []operand{{v: ring.FromInts(ring.Z(k), xs)}}
	fixed := mpc.Fixed{In: f, Out: f}
	for _, total := range []bool{false, true} {
		tr := trial{n: 2, seed: 5, in: in, build: func(p *Party, op *flow.Op, s []mpc.Secret) []mpc.Secret {
			if total {
				op.Objective = flow.ForTotal
				x := p.share(s[0])
				x.bound = min(x.bound, k-f-2) // room for fuzzy comparisons
				return single(p.softmax(op, x, fixed, len(row), mpc.Softmax, totalForm(len(row))))
			}
			return single(p.Softmax(op, s[0], fixed, len(row), mpc.Softmax))
		}}
		for i, got := range decoded(tr.run(t).out[0], f) {
			x := math.Ldexp(float64(xs[i]), -f)
			if want := math.Exp(x) / sum; math.Abs(got-want) > 4*math.Ldexp(1, -min(f, 20)) && f > 1 {
				t.Errorf("softmax of %v is %v, want %v (total: %t)", x, got, want, total)
			}
		}
	}
}
