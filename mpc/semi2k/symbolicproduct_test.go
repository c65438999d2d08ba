package semi2k

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestSymbolicProduct multiplies matrices with selected bits and with a ReLU, whose polynomial has terms of several factors, and
// compares with products in clear, and what is dealt with what the products of all elements are dealt. Rows end inside of
// blocks, at their ends and, where they are long, after them.
func TestSymbolicProduct(t *testing.T) {
	for _, d := range []mpc.SymbolicDims{
		{Rows: 1, Terms: 3, Columns: 2}, {Rows: 3, Terms: 200, Columns: 16}, {Rows: 2, Terms: 70, Columns: 33, Last: true},
		{Rows: 1, Terms: 2, Columns: 1500}, {Rows: 1, Terms: 1100, Columns: 2, Last: true}, {Rows: 2, Terms: 0, Columns: 2},
	} {
		for _, r := range []ring.Ring{ring.Z(64), ring.Z(100)} {
			for _, relu := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v/%v/relu=%v", d, r, relu), func(t *testing.T) { symbolicProductCase(t, d, r, relu) })
			}
		}
	}
}

func symbolicProductCase(t *testing.T, d mpc.SymbolicDims, r ring.Ring, relu bool) {
	rnd := rand.New(rand.NewPCG(5, uint64(d.Terms)))
	x, y := make([]int64, d.Rows*d.Terms), make([]int64, d.Terms*d.Columns)
	for i := range x {
		x[i] = rnd.Int64N(1<<20) - 1<<19
	}
	for i := range y {
		if y[i] = rnd.Int64N(1<<20) - 1<<19; !relu {
			y[i] &= 1
		}
	}
	of := operand{v: ring.FromInts(ring.Z(1), y)}
	if relu {
		of = operand{v: ring.FromInts(r, y), bound: 20}
	}
	in := []operand{{v: ring.FromInts(r, x), bound: 20, masked: true}, of}
	symbolic := func(p *Party, op *flow.Op, y mpc.Secret) mpc.Secret {
		if relu {
			return p.Relu(op, r, y)
		}
		p.Open(op, y)
		return p.B2A(op, r, y)
	}
	for _, n := range []int{2, 3} {
		got := trial{n: n, k: r, seed: 3, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			out := p.SymbolicProduct(op, in[0], symbolic(p, op, in[1]), d, 60)
			if out == nil {
				t.Fatal("no symbolic product of these")
			}
			return single(out)
		}}.run(t)
		for a := range d.Rows {
			for j := range d.Columns {
				var want int64
				for i := range d.Terms {
					at := i*d.Columns + j
					if d.Last {
						at = j*d.Terms + i
					}
					if v := y[at]; v > 0 {
						want += x[a*d.Terms+i] * v
					}
				}
				if have := got.out[0].Int(a*d.Columns + j); have.Cmp(ring.FromInts(r, []int64{want}).Int(0)) != 0 {
					t.Fatalf("element (%d, %d) is %v, want %d", a, j, have, want)
				}
			}
		}
		if d.Rows > 1 && relu || d.Terms == 0 {
			continue // a polynomial has no views
		}
		each := trial{n: n, k: r, seed: 3, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			full, along := tensor.Shape{d.Rows, d.Terms, d.Columns}, 1
			if d.Last {
				full, along = tensor.Shape{d.Rows, d.Columns, d.Terms}, 2
			}
			wide := func(s mpc.Secret, shape tensor.Shape, dims ...int) mpc.Secret {
				return p.Linear(op, maps.NewView(tensor.Broadcast(shape, dims, full), s.Len()), s)
			}
			y := in[1]
			if !relu {
				p.Open(op, y)
				y = wide(y, full[1:], 1, 2)
			}
			x := wide(in[0], tensor.Shape{d.Rows, d.Terms}, 0, along)
			return single(p.Product(op, r, maps.Elementwise{N: full.Size()}, x, symbolic(p, op, y), 0))
		}}.run(t)
		if got.dealt != each.dealt || got.online != each.online || got.rounds != each.rounds {
			t.Errorf("%d parties: dealt %d, sent %d bytes in %d rounds; the products of all elements %d, %d, %d",
				n, got.dealt, got.online, got.rounds, each.dealt, each.online, each.rounds)
		}
	}
}
