package cheetah

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// drawMap draws a matrix product or a convolution.
func drawMap(t *rapid.T) maps.Bilinear {
	n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	if rapid.Bool().Draw(t, "matmul") {
		return maps.MatMul{Batch: n("batch", 3), M: n("m", 9), K: n("k", 20), N: n("n", 9)}
	}
	c := ring.Conv{Batch: n("batch", 2), Groups: n("groups", 3)}
	c.InChannels, c.OutChannels = c.Groups*n("ins", 4), c.Groups*n("outs", 4)
	for range n("dims", 2) {
		c.Kernel, c.Stride, c.Out = append(c.Kernel, n("kernel", 3)), append(c.Stride, n("stride", 3)), append(c.Out, n("out", 6))
		c.PadLow = append(c.PadLow, rapid.IntRange(-1, 3).Draw(t, "pad"))
		c.InDilate, c.KernelDilate, c.In = append(c.InDilate, n("dilate", 2)), append(c.KernelDilate, n("dilate", 2)), append(c.In, n("in", 7))
	}
	return maps.Conv{Conv: c}
}

// TestLayouts multiplies polynomials in clear as a drawn layout says, with rubbish in coefficients that are not sent, and
// compares the wanted coefficients with the map.
func TestLayouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawMap(t)
		right := rapid.Bool().Draw(t, "right")
		lin := linearOf(b, right)
		if lin == nil {
			lin, right = linearOf(b, false), false
		}
		set := 0
		n := he.Sets[set].N
		l := &layout{linear: lin, set: set, block: rapid.SampledFrom(lin.blockings()).Draw(t, "block")}
		l.arrange()
		l.stride = 1 << rapid.IntRange(0, 6).Draw(t, "stride")
		if l.span*l.stride > n {
			t.Skip()
		}
		l.outputs = 1 << rapid.IntRange(0, 6).Draw(t, "outputs")
		l.outputs = min(l.outputs, l.stride)
		l.copies = min(n/l.stride/l.span, rapid.IntRange(1, 5).Draw(t, "copies"))
		l.apart = l.span * l.stride
		if rapid.Bool().Draw(t, "spread") {
			l.copies = 1 << (bits.Len(uint(l.copies)) - 1)
			l.apart = n / l.copies
		}
		left, other := b.In()
		x, y := ring.New(ring.Z(64), left), ring.New(ring.Z(64), other)
		ring.NewPRG(ring.Seed{1}).Vec(x, 1, 0)
		ring.NewPRG(ring.Seed{1}).Vec(y, 2, 0)
		want, got := ring.New(ring.Z(64), b.Out()), ring.New(ring.Z(64), b.Out())
		b.Apply(want, x, y)
		enc, weights := x.Words(), y.Words()
		if right {
			enc, weights = weights, enc
		}
		done := make([]bool, b.Out())
		uploaded := 0
		l.sizes.Upload = 33
		for _, block := range l.blocks() {
			var polys [][]uint64
			for chunk := range l.chunks() {
				p := make([]uint64, n)
				at, from := l.sent(block, chunk)
				if at != nil {
					ring.NewPRG(ring.Seed{2}).Vec(ring.FromWords(ring.Z(64), p), 0, 0)
				}
				if n := l.sentNumbers(l.positions(l.padded(block)), chunk); len(from) != n {
					t.Fatalf("%d numbers are sent, %d counted", len(from), n)
				}
				uploaded += he.Bytes(len(from), l.sizes.Upload)
				for i, f := range from {
					to := i
					if at != nil {
						to = int(at[i])
					}
					if p[to] = 0; f != tensor.Fill {
						p[to] = enc[f]
					}
				}
				polys = append(polys, p)
			}
			for answer := range l.answers() {
				at, to := l.wanted(block, answer)
				lo, hi := l.inputs(answer)
				for chunk := range l.chunks() {
					from, runs := l.plain(answer, chunk)
					if (chunk < lo || chunk >= hi) && len(runs) > 0 {
						t.Fatalf("answer %d needs chunk %d, not only %d to %d", answer, chunk, lo, hi)
					}
					for i, a := range at {
						o := int(a) % l.stride % l.outputs
						for _, run := range runs[from[o]:from[o+1]] {
							for m := range int(run.Count) {
								c := (int(a) - o - int(run.Place) + m + 4*n) % (2 * n)
								v := weights[int(run.First)+m*int(run.Step)] * polys[chunk][c%n]
								if c >= n {
									v = -v
								}
								got.Words()[to[i]] += v
							}
						}
						done[to[i]] = true
					}
				}
			}
		}
		if got := l.traffic().upload; got != uploaded {
			t.Fatalf("%+v, layout %+v: %d bytes are uploaded, %d counted", b, l, uploaded, got)
		}
		for i := range done {
			if !done[i] || got.Words()[i] != want.Words()[i] {
				t.Fatalf("%+v, layout %+v: element %d is %d, want %d (%v)", b, l, i, got.Words()[i], want.Words()[i], done[i])
			}
		}
	})
}

// image returns a convolution of square images.
func image(in, kernel, ins, outs, groups, stride, pad int) maps.Bilinear {
	out := (in+2*pad-kernel)/stride + 1
	return maps.Conv{Conv: ring.Conv{
		Batch: 1, InChannels: ins, OutChannels: outs, Groups: groups, In: []int{in, in}, Kernel: []int{kernel, kernel},
		Out: []int{out, out}, Stride: []int{stride, stride}, PadLow: []int{pad, pad}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1},
	}}
}

// contractions are maps that take few bytes by encryption.
var contractions = map[string]struct {
	b           maps.Bilinear
	w, bound    int
	slack       int
	owners      [2]int
	less        int // bytes that both send online, at most
	offlineLess int
	sharing     int // contractions that share keys
}{
	"dense layer":              {maps.MatMul{Batch: 1, M: 1, K: 64, N: 10}, 64, 20, 12, [2]int{nobody, 1}, 60_000, 35_000, 1},
	"owners' matrices":         {maps.MatMul{Batch: 1, M: 8, K: 64, N: 16}, 64, 20, 12, [2]int{0, 1}, 80_000, 35_000, 1},
	"two secrets, two batches": {maps.MatMul{Batch: 2, M: 16, K: 16, N: 16}, 64, 20, 12, [2]int{nobody, nobody}, 105_000, 170_000, 1},
	"weights at the left":      {maps.MatMul{Batch: 1, M: 16, K: 64, N: 8}, 64, 20, 12, [2]int{0, nobody}, 80_000, 35_000, 1},
	"convolution":              {image(8, 3, 16, 16, 1, 1, 1), 64, 20, 12, [2]int{nobody, 1}, 65_000, 180_000, 1},
	"stride":                   {image(9, 3, 8, 16, 1, 2, 1), 64, 20, 12, [2]int{nobody, 0}, 125_000, 25_000, 1},
	"exact integers":           {maps.MatMul{Batch: 1, M: 8, K: 64, N: 16}, 32, 10, 0, [2]int{nobody, 1}, 400_000, 300_000, 1},
	"baby steps":               {image(4, 3, 64, 128, 1, 1, 1), 64, 20, 12, [2]int{nobody, 1}, 125_000, 550_000, 20},
	"groups, two secrets":      {image(8, 3, 8, 8, 8, 1, 1), 64, 20, 12, [2]int{nobody, nobody}, 200_000, 350_000, 1},
}

// TestContractions runs contractions by encryption: errors are below what slack allows, bytes are as planned (run) and
// not more than is wanted.
func TestContractions(t *testing.T) {
	for name, c := range contractions {
		l, r := c.b.In()
		x, y := ring.New(ring.Z(c.w), l), ring.New(ring.Z(c.w), r)
		for i, v := range []ring.Vec{x, y} {
			ring.NewPRG(ring.Seed{9}).Vec(v, uint64(i), 0)
			ring.Arsh(v, v, c.w-c.bound-1)
		}
		in := []operand{{x, c.bound, c.owners[0]}, {y, c.bound, c.owners[1]}}
		rec := (&trial{in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			p.ExpectContractions(c.sharing)
			return []mpc.Secret{p.Product(op, ring.Z(c.w), c.b, in[0], in[1], c.slack)}
		}}).run(t)
		want := ring.New(ring.Z(c.w), c.b.Out())
		c.b.Apply(want, x, y)
		ring.Sub(want, want, rec.out[0])
		for i := range want.Len() {
			if d := want.Int(i).Int64(); max(d, -d) >= 1<<c.slack {
				t.Fatalf("%s: element %d is off by %d", name, i, d)
			}
		}
		offline := 0
		for _, m := range rec.messages {
			if m.key.Phase == link.Offline {
				offline += len(m.data)
			}
		}
		t.Logf("%s: %d bytes online, %d offline", name, rec.online[0]+rec.online[1], offline)
		if online := int(rec.online[0] + rec.online[1]); online > c.less || offline > c.offlineLess {
			t.Errorf("%s: %d bytes online, %d offline, want at most %d and %d", name, online, offline, c.less, c.offlineLess)
		}
	}
}

// TestContractionsSideBySide: contractions that do not need each other take two rounds together.
func TestContractionsSideBySide(t *testing.T) {
	b, r := maps.MatMul{Batch: 1, M: 16, K: 64, N: 16}, ring.Z(40)
	l := linearOf(b, false).plan(r.Bits, 12, 20, 2)
	v := ring.New(r, 64*16)
	ring.AddInt(v, v, 3)
	tr := trial{build: func(p *Party, op *flow.Op, _ []mpc.Secret) (out []mpc.Secret) {
		for range 3 {
			own := flow.Resolved(v)
			if op.Graph.DryRun() {
				own = flow.Resolved(ring.ShapeOnly(r, 64*16))
			}
			out = append(out, newShare(r, 16*16, 30, p.crossEncrypted(op, l, 1, 16*16, own, own, r)))
		}
		return out
	}}
	rec := tr.run(t)
	if rec.rounds != 2 {
		t.Errorf("%d rounds, want 2", rec.rounds)
	}
	for _, x := range rec.out {
		if d := x.Int(255).Int64() - 64*9; max(d, -d) > 1<<12 {
			t.Errorf("a result is off by %d", d)
		}
	}
}
