package semi2k

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// indices are n places in tables of some rows, for windows of some more.
func indices(r ring.Ring, n, below int) ring.Vec {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64((i*i + 3*i + i/5) % below)
	}
	return ring.FromInts(r, out)
}

// TestIndex looks up and places rows for n = 2, 3, 5, in every ring, with
// operands in every form, against plain loops.
func TestIndex(t *testing.T) {
	tables := []mpc.Table{
		{Groups: 1, Cells: 8, Columns: 1, Offsets: []int{0}},
		{Groups: 1, Cells: 10, Columns: 3, Offsets: []int{0}},
		{Groups: 2, Cells: 7, Columns: 2, Offsets: []int{0, 1, 3}},
		{Groups: 3, Cells: 1, Columns: 2, Offsets: []int{0}},
		{Groups: 1, Cells: 33, Columns: 1, Offsets: []int{0, 2}},
	}
	const n = 12
	dealt := maxDealt
	defer func() { maxDealt = dealt }()
	for _, parties := range []int{2, 3, 5} {
		maxDealt = dealt
		if parties == 5 { // all but the smallest by opened one-hots
			maxDealt = 100
		}
		for _, k := range []ring.Ring{ring.Z(1), ring.Z(32), ring.Z(64), ring.Z(128)} {
			for _, tab := range tables {
				last := tab.Offsets[len(tab.Offsets)-1]
				x := indices(ring.Z(32), n, tab.Cells-last)
				table := ring.New(k, tab.Size())
				ring.NewPRG(ring.Seed{8}).Vec(table, 1, 0)
				values := ring.New(k, n*tab.Rows())
				ring.NewPRG(ring.Seed{8}).Vec(values, 2, 0)
				for form := range 8 {
					in := []operand{{v: x, masked: form&1 == 0}, {v: table, masked: form&2 == 0}, {v: values, masked: form&2 == 0}}
					res := trial{n: parties, k: k, seed: byte(form), in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
						if form&4 != 0 { // known to all
							in[1], in[2] = p.Public(op, weighed(op, table), k.Bits-2), p.Public(op, weighed(op, values), k.Bits-2)
						}
						return []mpc.Secret{p.Lookup(op, in[0], in[1], tab), p.Place(op, in[0], in[2], tab)}
					}}.run(t)
					want := []ring.Vec{ring.New(k, n*tab.Rows()), ring.New(k, tab.Size())}
					for i, v := range x.Words() {
						for q, o := range tab.Offsets {
							at := i/(n/tab.Groups)*tab.Cells + int(v) + o
							row := i*len(tab.Offsets) + q
							c := tab.Columns
							sum := want[1].Slice(at*c, (at+1)*c)
							ring.Low(want[0].Slice(row*c, (row+1)*c), table.Slice(at*c, (at+1)*c))
							ring.Add(sum, sum, values.Slice(row*c, (row+1)*c))
						}
					}
					for i := range want {
						if got, want := fmt.Sprint(res.out[i].Words()), fmt.Sprint(want[i].Words()); got != want {
							t.Fatalf("%d parties, %v, %+v, form %d, result %d: %s, want %s", parties, k, tab, form, i, got, want)
						}
					}
				}
			}
		}
	}
}

func weighed(op *flow.Op, v ring.Vec) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(v.Ring(), v.Len())
	}
	return v
}

// TestPlaceDrops: an index whose rows lie beyond the table changes nothing.
func TestPlaceDrops(t *testing.T) {
	k, tab := ring.Z(64), mpc.Table{Groups: 1, Cells: 5, Columns: 1, Offsets: []int{0, 1, 2}}
	in := []operand{
		{v: ring.FromInts(ring.Z(32), []int64{1, 5, 7}), masked: true},
		{v: ring.FromInts(k, []int64{1, 2, 3, 40, 50, 60, 700, 800, 900}), masked: true},
	}
	res := trial{n: 2, k: k, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return single(p.Place(op, in[0], in[1], tab))
	}}.run(t)
	if got := fmt.Sprint(res.out[0].Words()); got != "[0 1 2 3 0]" {
		t.Errorf("placed %s", got)
	}
}

// TestIndexCosts holds what an index costs (docs/protocols/integers.md#table-look-up):
// rounds, bits sent and dealt, for each index.
func TestIndexCosts(t *testing.T) {
	const n = 64
	wide := make([]int, 3)
	for i := range wide {
		wide[i] = i
	}
	for _, c := range []struct {
		name               string
		cells, k           int
		public, place      bool
		closed             bool
		offsets            []int
		rounds, sent, cost int64 // bits an index
	}{
		{"public", 8, 64, true, false, false, []int{0}, 0, 0, 448},
		{"public", 10, 64, true, false, false, []int{0}, 0, 0, 960},
		{"secret", 8, 64, false, false, false, []int{0}, 0, 0, 960},
		{"secret", 10, 64, false, false, false, []int{0}, 0, 0, 1984},
		{"slice", 8, 64, false, false, false, wide, 0, 0, 960},
		{"slice", 10, 64, false, false, false, wide, 0, 0, 1984},
		{"scatter", 8, 64, false, true, false, []int{0}, 0, 0, 960},
		{"scatter", 10, 64, false, true, false, []int{0}, 0, 0, 1984},
		{"scatter", 10, 128, false, true, false, []int{0}, 0, 0, 3968},
		{"closed index", 10, 64, false, false, true, []int{0}, 1, 4, 1984},
	} {
		k := ring.Z(c.k)
		tab := mpc.Table{Groups: n, Cells: c.cells, Columns: 1, Offsets: c.offsets}
		in := []operand{
			{v: indices(ring.Z(32), n, 5), masked: !c.closed},
			{v: ring.New(k, n*c.cells), masked: true},
			{v: ring.New(k, n), masked: true},
		}
		res := trial{n: 2, k: k, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			if c.public {
				in[1] = p.Public(op, weighed(op, ring.New(k, n*c.cells)), c.k-2)
			}
			if c.place {
				return single(p.Place(op, in[0], in[2], tab))
			}
			return single(p.Lookup(op, in[0], in[1], tab))
		}}.run(t)
		if got, want := fmt.Sprint(res.rounds, res.online*8/n, res.dealt*8/n), fmt.Sprint(c.rounds, c.sent, c.cost); got != want {
			t.Errorf("%s of %d rows, k = %d: rounds, bits sent and dealt are %s, want %s", c.name, c.cells, c.k, got, want)
		}
	}
}

// TestOneHotOnce: an index into several tables has one one-hot.
func TestOneHotOnce(t *testing.T) {
	k, tab := ring.Z(64), mpc.Table{Groups: 1, Cells: 8, Columns: 1, Offsets: []int{0}}
	in := []operand{{v: indices(ring.Z(32), 8, 8), masked: true}, {v: ring.New(k, 8), masked: true}, {v: ring.New(k, 8), masked: true}}
	res := trial{n: 2, k: k, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{p.Lookup(op, in[0], in[1], tab), p.Lookup(op, in[0], in[2], tab), p.Place(op, in[0], in[2], tab)}
	}}.run(t)
	if want := int64(8 * (7 + 3*8) * 8); res.dealt != want {
		t.Errorf("%d bytes dealt, want %d", res.dealt, want)
	}
}
