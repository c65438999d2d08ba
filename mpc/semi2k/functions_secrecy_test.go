package semi2k

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// functionStep is a message of a function: for so many elements, vectors of so
// many bits; nil: as many single bits as there are.
type functionStep struct {
	count  int
	widths []int
}

// exposed is a function whose openings are examined, of constant arguments.
type exposed struct {
	name  string
	xs    []float64
	build func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	steps []functionStep
}

const seen = 1 << 13 // elements

func openingOf(
	f func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret,
) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return single(f(p, op, in[0], mpc.Fixed{In: 18, Out: 18}))
	}
}

var (
	manyBits    = functionStep{count: seen}
	perRow      = functionStep{count: seen / 4}
	functionsOf = []exposed{
		{
			name: "exp", xs: []float64{0, -1, 5.5, -30, 100, -1e6},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.Exp(op, x, mpc.ExpOf{Fixed: f, Lower: true, Upper: true})
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, {seen, bitsOf(2)}},
		},
		{
			name: "sigmoid", xs: []float64{0, 3, -13.2, 40},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.EvalTableWithTails(op, x, f, "sigmoid", false)
			}),
			steps: []functionStep{{seen, []int{64}}, {seen, append(bitsOf(24), 20)}, manyBits, {seen, bitsOf(2)}},
		},
		{
			name: "silu", xs: []float64{0, -0.5, 16.75, -1e9},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.EvalTableWithTails(op, x, f, "silu", false)
			}),
			steps: []functionStep{{seen, []int{64}}, {seen, append(bitsOf(24), 24)}, manyBits, {seen, bitsOf(2)}},
		},
		{
			name: "sigmoid, thrifty", xs: []float64{0, 13.5, -3, 1e9},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.EvalTableWithTails(op, x, f, "sigmoid", true)
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, {seen, bitsOf(3)}, {seen, []int{25}}, {seen, []int{20}}},
		},
		{
			name: "gelu, thrifty", xs: []float64{0, -5.25, -2, 1e9},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.EvalTableWithTails(op, x, f, "gelu", true)
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, {seen, bitsOf(3)}, {seen, []int{24}}, {seen, []int{17}}},
		},
		{
			name: "clamp", xs: []float64{0, 6, -3, 2.5, 1e9},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				y := p.Clamp(op, ring.Z(64), x, 0, 6<<18)
				p.Open(op, y)
				return y
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, {seen, bitsOf(2)}, {seen, []int{64}}},
		},
		{
			name: "log", xs: []float64{0, math.Ldexp(1, -18), 1, 1000},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.Log(op, x, f, mpc.Normal{}, false)
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, manyBits, {seen, []int{27}}},
		},
		{
			name: "reciprocal", xs: []float64{0, -1, 1. / 16, -1000},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.Power(op, x, f, mpc.Normal{Signed: true}, -1)
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, manyBits, {seen, []int{27}}, {seen, []int{32}}},
		},
		{
			name: "log, total", xs: []float64{0, math.Ldexp(1, -18), 1, 3.5, 1000},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				op.Objective = flow.ForTotal
				return p.log(op, x, f, mpc.Normal{}, false, true)
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, manyBits, {seen, []int{27}}, {seen, []int{29}}},
		},
		{
			name: "reciprocal, total", xs: []float64{0, 1, 1. / 16, 1000},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				op.Objective = flow.ForTotal
				return p.Power(op, x, f, mpc.Normal{}, -1)
			}),
			steps: []functionStep{{seen, []int{64}}, manyBits, manyBits, manyBits, {seen, []int{27}}, {seen, []int{30}}},
		},
		{
			name: "softmax", xs: []float64{0, -7, 1e6},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				return p.Softmax(op, x, f, 4, mpc.Softmax)
			}),
			steps: []functionStep{
				{seen, []int{64}}, perRow, perRow, {seen / 4, bitsOf(6)}, {seen / 4, []int{64}},
				manyBits, manyBits, {seen, bitsOf(1)}, {seen / 4, []int{26}}, {seen / 4, []int{32}},
			},
		},
		{
			name: "softmax, total", xs: []float64{0, -7, 1e6},
			build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
				op.Objective = flow.ForTotal
				s := p.share(x)
				s.bound = 60 // so that maxima are found from the upper bits
				return p.softmax(op, s, f, 4, mpc.Softmax, totalForm(4))
			}),
			steps: []functionStep{
				{seen, []int{63}}, {count: seen / 2}, {count: seen / 2}, {seen / 2, bitsOf(1)}, {seen / 4, []int{53}},
				perRow, perRow, {seen / 4, bitsOf(1)}, {seen / 4, []int{63}},
				manyBits, manyBits, {seen, bitsOf(1)}, {seen, []int{32}}, {seen / 4, []int{26}}, {seen / 4, []int{32}},
			},
		},
	}
)

// TestFunctionsOpenUniform looks at all that functions of a constant open: each
// party's messages are uniform bytes, and of the opened values no bit has
// another mean than one half and no two are correlated.
func TestFunctionsOpenUniform(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	runs := testcases.OneOf(t, 3)
	for _, f := range functionsOf {
		for _, parties := range []int{2, 3} {
			for i, x := range f.xs {
				if !runs() {
					continue
				}
				t.Run(fmt.Sprintf("%s/n=%d/x=%g", f.name, parties, x), func(t *testing.T) {
					in := []operand{constantOperand(ring.Z(64), int64(math.Ldexp(x, 18)), seen, 62, false)}
					tr := trial{n: parties, seed: byte(9 + i), in: in, build: f.build}
					for count, opened := range f.opened(t, tr.transcript(t), parties) {
						if s := worst(opened, count); s > 5.5 {
							t.Errorf("a mean or correlation of %d opened bits is %.1f sigma off", len(opened), s)
						}
					}
				})
			}
		}
	}
}

// opened are the opened values' lowest and highest bits, by the number of
// elements that they are of.
func (f exposed) opened(t *testing.T, msgs []message, parties int) map[int][]ring.Bits {
	t.Helper()
	if len(msgs) != len(f.steps)*parties {
		t.Fatalf("%d messages of %d parties, expected %d steps", len(msgs), parties, len(f.steps))
	}
	out := map[int][]ring.Bits{}
	for i, s := range f.steps {
		part := msgs[i*parties : (i+1)*parties]
		if s.widths == nil {
			s.widths = bitsOf(len(part[0].data) * 8 / s.count)
		}
		n := s.count
		out[n] = append(out[n], openings(t, part, [][]int{s.widths}, parties, n, false)...)
	}
	return out
}

// TestFunctionMessages: what is sent and what is asked of the dealer is the
// same whatever the arguments are.
func TestFunctionMessages(t *testing.T) {
	t.Parallel()
	c := settings{3, 64, 18}
	for _, f := range allPriced() {
		if raced && f.m > 10 {
			continue
		}
		var first []string
		for _, x := range []int64{0, -1, 1<<18 + 77} {
			in := []operand{constantOperand(ring.Z(64), x, 8*f.m, 62, false)}
			if f.in == 2 {
				in = append(in, constantOperand(ring.Z(64), x/3+1, 8*f.m, 62, false))
			}
			tr := trial{n: c.n, seed: byte(x), in: in, build: f.build(c)}
			var got []string
			for _, m := range tr.transcript(t) {
				got = append(got, fmt.Sprintf("%d %v %d", m.from, m.key, len(m.data)))
			}
			_, form, _, _ := tr.dryRun(int(x & 1))
			got = append(got, fmt.Sprintf("%x", form.Digest()))
			if first == nil {
				first = got
			} else if !slices.Equal(first, got) {
				t.Errorf("%s of %d sends\n%v\nand of 0\n%v", f.name, x, got, first)
			}
		}
	}
}
