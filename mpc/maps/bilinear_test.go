package maps

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/ring"
)

// A term is one product: elements left and right are multiplied into element out.
type term struct{ out, left, right int }

// A pair is a bilinear map with its definition.
type pair struct {
	name  string
	m     Bilinear
	terms []term
}

func matMul(batch, m, k, n int) pair {
	var ts []term
	for b := range batch {
		for i := range m {
			for j := range n {
				for p := range k {
					ts = append(ts, term{(b*m+i)*n + j, (b*m+i)*k + p, (b*k+p)*n + j})
				}
			}
		}
	}
	return pair{fmt.Sprintf("%d·%d×%d×%d", batch, m, k, n), MatMul{batch, m, k, n}, ts}
}

func elementwise(n int) pair {
	var ts []term
	for i := range n {
		ts = append(ts, term{i, i, i})
	}
	return pair{fmt.Sprintf("elementwise %d", n), Elementwise{n}, ts}
}

// A 1-D convolution of rows, with groups, without padding.
func rows(batch, in, kernel, cin, cout, groups int) pair {
	out := in - kernel + 1
	var ts []term
	for b := range batch {
		for o := range out {
			for oc := range cout {
				for k := range kernel {
					for ic := range cin / groups {
						c := oc/(cout/groups)*(cin/groups) + ic
						ts = append(ts, term{(b*out+o)*cout + oc, (b*in+o+k)*cin + c, (k*(cin/groups)+ic)*cout + oc})
					}
				}
			}
		}
	}
	return pair{fmt.Sprintf("rows %d, %d by %d, %d to %d in %d", batch, in, kernel, cin, cout, groups), Conv{ring.Conv{
		Batch: batch, InChannels: cin, OutChannels: cout, Groups: groups,
		In: []int{in}, Kernel: []int{kernel}, Out: []int{out},
		Stride: []int{1}, PadLow: []int{0}, InDilate: []int{1}, KernelDilate: []int{1},
	}}, ts}
}

func pairs() []pair {
	return []pair{
		elementwise(0), elementwise(1), elementwise(7),
		matMul(1, 1, 1, 1), matMul(1, 2, 3, 4), matMul(3, 4, 2, 1), matMul(2, 1, 5, 3), matMul(2, 0, 3, 1), matMul(1, 2, 0, 3),
		rows(1, 5, 3, 1, 1, 1), rows(2, 6, 2, 3, 4, 1), rows(1, 4, 2, 6, 4, 2), rows(2, 3, 3, 3, 3, 3),
	}
}

// Every map against its list of products, over every ring; and its lengths and counts.
func TestBilinear(t *testing.T) {
	for _, p := range pairs() {
		t.Run(p.name, func(t *testing.T) {
			l, r := p.m.In()
			each := map[int]int{}
			for _, x := range p.terms {
				if x.left >= l || x.right >= r || x.out >= p.m.Out() {
					t.Fatalf("%+v is outside operands of %d and %d and a result of %d", x, l, r, p.m.Out())
				}
				each[x.out]++
			}
			if p.m.Products() != int64(len(p.terms)) {
				t.Errorf("Products is %d, want %d", p.m.Products(), len(p.terms))
			}
			for out, n := range each {
				if n != p.m.Terms() {
					t.Errorf("result %d sums %d products, Terms is %d", out, n, p.m.Terms())
				}
			}
			for _, k := range rings {
				a, b := random(k, l, 1), random(k, r, 2)
				x, y := ints(a), ints(b)
				want := make([]*big.Int, p.m.Out())
				for i := range want {
					want[i] = new(big.Int)
				}
				for _, s := range p.terms {
					want[s.out].Add(want[s.out], new(big.Int).Mul(x[s.left], y[s.right]))
				}
				dst := random(k, p.m.Out(), 99) // must be overwritten
				p.m.Apply(dst, a, b)
				same(t, "result", dst, want)

				p.m.Apply(ring.ShapeOnly(k, p.m.Out()), a, b)
				p.m.Apply(ring.ShapeOnly(k, p.m.Out()), ring.ShapeOnly(k, l), ring.ShapeOnly(k, r))
				if l > 0 && r > 0 {
					p.m.Apply(dst, ring.ShapeOnly(k, l), b)
					p.m.Apply(dst, a, ring.ShapeOnly(k, r))
				}
				same(t, "result after shape-only operands", dst, want)
			}
		})
	}
}

// The identity behind masked products: B(x+λ, y+μ) = B(x,y) + B(λ,y) + B(x,μ) + B(λ,μ).
func TestBilinearity(t *testing.T) {
	all := pairs()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(all).Draw(t, "map")
		k := drawRing(t)
		l, r := p.m.In()
		draw := func(n int, name string) ring.Vec { return random(k, n, rapid.Uint64().Draw(t, name)) }
		x, lambda, y, mu := draw(l, "x"), draw(l, "λ"), draw(r, "y"), draw(r, "μ")
		b := func(a, b ring.Vec) ring.Vec {
			dst := ring.New(k, p.m.Out())
			p.m.Apply(dst, a, b)
			return dst
		}
		same(t, p.name, b(ring.Sum(x, lambda), ring.Sum(y, mu)),
			ints(ring.Sum(b(x, y), b(lambda, y), b(x, mu), b(lambda, mu))))
	})
}
