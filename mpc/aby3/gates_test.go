package aby3

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// gate is a computation of two numbers of 20 bits.
type gate struct {
	name  string
	units int64 // by how much the result may be off
	build func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret
}

func product(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
	return p.Product(op, x.Ring(), maps.Elementwise{N: x.Len()}, x, y, 0)
}

func sum(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
	return p.Linear(op, maps.Combine{N: x.Len(), Coef: []int64{1, 1}}, x, y)
}

var gates = []gate{
	{"sum", 0, sum},
	{"product", 0, product},
	{"truncated product", 1, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return p.Truncate(op, product(p, op, x, y), 10)
	}},
	{"product of a product", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return product(p, op, product(p, op, x, y), y)
	}},
	{"relu", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return product(p, op, p.Relu(op, x.Ring(), x), y)
	}},
	{"relu of a dropped product", 1, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return p.Relu(op, x.Ring(), p.TruncateReduce(op, product(p, op, x, y), 8))
	}},
	{"select", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return p.Select(op, x.Ring(), p.Less(op, x, y), x, sum(p, op, x, y))
	}},
	{"max", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return p.Max(op, x.Ring(), x, y, sum(p, op, x, y))
	}},
	{"less and below", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return p.B2A(op, x.Ring(), p.And(op, p.Less(op, x, y), p.LessFullRange(op, x, y, false)))
	}},
	{"known to each owner", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		n := x.Len()
		for owner := range Parties {
			x = p.AddLocal(op, x, owner, func() ring.Vec { return numbers(n, byte(owner)) })
		}
		return product(p, op, x, y)
	}},
	{"disclosed", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return product(p, op, p.RevealToComputing(op, sum(p, op, x, y)), x)
	}},
	{"look-up", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return p.Lookup(op, y, x, mpc.Table{Groups: 1, Cells: x.Len(), Columns: 1, Offsets: []int{0}})
	}},
	{"sort", 0, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		s := mpc.Sorting{Groups: 1, Rows: x.Len(), Descending: []bool{false}, First: x.Len()}
		sorted, _ := p.Sort(op, s, []mpc.Secret{x}, []mpc.Secret{y})
		return sorted[0]
	}},
	{"exponential", 8, func(p mpc.Protocol, op *flow.Op, x, y mpc.Secret) mpc.Secret {
		return sum(p, op, p.Exp(op, x, mpc.ExpOf{Fixed: mpc.Fixed{In: 18, Out: 18}, Lower: true, Upper: true}), y)
	}},
}

// numbers are n numbers of 20 bits with a sign.
func numbers(n int, seed byte) ring.Vec {
	v, out := ring.New(ring.Z(20), n), ring.New(ring.Z(64), n)
	ring.NewPRG(ring.Seed{3, seed}).Vec(v, 0, 0)
	ring.SignExtend(out, v)
	return out
}

// of is the trial of a gate.
func (g gate) of(owners [2]int, n int) trial {
	tr := trial{to: []int{0, 1, 2}, expected: g.name == "sort", build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{g.build(p, op, in[0], in[1])}
	}}
	for i, owner := range owners {
		tr.in = append(tr.in, operand{owner, 20, numbers(n, byte(10+i))})
		tr.parties = max(tr.parties, owner+1)
	}
	return tr
}

// TestGates computes with inputs of every party, those beyond the three too,
// and holds results to those in clear; all who learn them learn the same.
func TestGates(t *testing.T) {
	const n = 64
	for _, g := range gates {
		for _, owners := range [][2]int{{0, 1}, {2, 0}, {1, 2}, {2, 2}, {4, 2}, {0, 3}} {
			t.Run(fmt.Sprintf("%s/%v", g.name, owners), func(t *testing.T) {
				tr := g.of(owners, n)
				want := tr.clear(t)[0]
				got := tr.run(t).out
				for _, rank := range tr.to {
					for i := range want.Len() {
						d := new(big.Int).Sub(got[rank][0].Int(i), want.Int(i))
						if d.CmpAbs(big.NewInt(g.units)) > 0 {
							t.Fatalf("party %d, element %d of %d and %d: %d, want %d", rank, i, tr.in[0].v.Int(i), tr.in[1].v.Int(i), got[rank][0].Int(i), want.Int(i))
						}
					}
				}
			})
		}
	}
}
