package semi2k

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// planesOfNumbers are the low width bits of numbers, bit 0 of all numbers first.
func planesOfNumbers(v ring.Vec, width int) ring.Vec {
	out := ring.New(ring.Z(1), v.Len()*width)
	for i := range width {
		for j := range v.Len() {
			out.Words()[i*v.Len()+j] = uint64(v.Int(j).Bit(i)) // of two's complement
		}
	}
	return out
}

// alternating are the bits 0, 1, 0, 1, …
func alternating(n int) ring.Vec {
	out := ring.New(ring.Z(1), n)
	for i := range n {
		out.Words()[i] = uint64(i) & 1
	}
	return out
}

// TestBitForm looks numbers up by their bits, views, composes, selects and compares them, in every ring and at the ends of the range, with
// operands born masked, additive and public.
func TestBitForm(t *testing.T) {
	const n, cells, groups = 48, 10, 2
	tab := mpc.Table{Groups: groups, Cells: cells, Columns: 2, Offsets: []int{0}}
	for _, parties := range []int{2, 3} {
		for _, k := range []ring.Ring{ring.Z(32), ring.Z(33), ring.Z(64), ring.Z(128)} {
			for _, width := range []int{1, 2, 5, k.Bits - 1, k.Bits} {
				table := extremes(k, max(1, width-1), tab.Size(), 1)
				others := extremes(k, max(1, width-1), n*2, 2)
				if width == 1 { // 0 and −1
					for i := range table.Len() {
						ring.Arsh(table.Slice(i, i+1), table.Slice(i, i+1), k.Bits-1)
					}
					for i := range others.Len() {
						ring.Arsh(others.Slice(i, i+1), others.Slice(i, i+1), k.Bits-1)
					}
				}
				at := indices(ring.Z(8), n, cells)
				for j := 0; j < n; j += 3 { // equal pairs
					row := (j/(n/groups)*cells + int(at.Words()[j])) * 2
					ring.Low(others.Slice(j*2, j*2+2), table.Slice(row, row+2))
				}
				found := ring.New(k, n*2)
				for j, v := range at.Words() {
					row := (j/(n/groups)*cells + int(v)) * 2
					ring.Low(found.Slice(j*2, j*2+2), table.Slice(row, row+2))
				}
				for form := range 5 {
					in := []operand{
						{v: at, masked: form&1 == 0},
						{v: planesOfNumbers(table, width), masked: form&1 == 0},
						{v: planesOfNumbers(others, width), masked: form&2 == 0},
						{v: alternating(n * 2), masked: form&2 == 0},
					}
					res := trial{n: parties, k: k, seed: byte(form), in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
						x := p.Lookup(op, in[0], p.FromBits(op, k, tab.Size(), in[1]), tab)
						planes := in[2]
						if form == 4 {
							planes = p.Public(op, planesOfNumbers(others, width), 1)
						}
						y := p.FromBits(op, k, n*2, planes)
						reverse := maps.NewView(tensor.Reversed(tensor.Shape{n * 2}, []int{0}), n*2)
						return []mpc.Secret{
							p.Less(op, x, y), p.Less(op, y, x), p.Less(op, p.Linear(op, reverse, x), p.Linear(op, reverse, y)),
							p.Narrow(op, ring.Z(3), x), x, p.Less(op, x, y), p.Equal(op, x, y), p.Select(op, k, in[3], x, y),
							p.Less(op, p.Select(op, k, in[3], y, x), x),
						}
					}}.run(t)
					for j := range n * 2 {
						a, b := found.Int(j), others.Int(j)
						less, greater := a.Cmp(b) < 0, b.Cmp(a) < 0
						for i, want := range map[int]bool{0: less, 1: greater, 5: less, 6: !less && !greater, 8: j%2 == 1 && greater} {
							if got := res.out[i].Words()[j] == 1; got != want {
								t.Fatalf("%d parties, %v, width %d, form %d: comparison %d of %v and %v is %v", parties, k, width, form, i, a, b, got)
							}
						}
						if got := res.out[2].Words()[n*2-1-j] == 1; got != less {
							t.Fatalf("%d parties, %v, width %d, form %d: view: %v < %v is %v", parties, k, width, form, a, b, got)
						}
					}
					low := ring.New(ring.Z(3), n*2)
					ring.Low(low, found)
					chosen := found.Clone()
					for j := 0; j < n*2; j += 2 { // where the bit is 0
						ring.Low(chosen.Slice(j, j+1), others.Slice(j, j+1))
					}
					for i, want := range map[int]ring.Vec{3: low, 4: found, 7: chosen} {
						if got, want := fmt.Sprint(res.out[i].Words()), fmt.Sprint(want.Words()); got != want {
							t.Fatalf("%d parties, %v, width %d, form %d, result %d: %s, want %s", parties, k, width, form, i, got, want)
						}
					}
				}
			}
		}
	}
}

// TestBitFormOfTables looks numbers up by their bits in drawn tables, of one or many rows and columns, alone and in groups, at
// one index in one table and in two, and compares and composes what it finds.
func TestBitFormOfTables(t *testing.T) {
	rapid.Check(t, func(draw *rapid.T) {
		tab := mpc.Table{
			Groups: rapid.IntRange(1, 3).Draw(draw, "groups"), Cells: rapid.IntRange(1, 20).Draw(draw, "cells"),
			Columns: rapid.IntRange(1, 3).Draw(draw, "columns"),
			Offsets: []int{0},
		}
		width := rapid.IntRange(8, 64).Draw(draw, "width")
		k := ring.Z(rapid.IntRange(width, 66).Draw(draw, "ring"))
		n := tab.Groups * rapid.IntRange(1, 5).Draw(draw, "indices")
		elements := n * tab.Columns
		parties := rapid.IntRange(2, 3).Draw(draw, "parties")
		masked := rapid.SliceOfN(rapid.Bool(), 3, 3).Draw(draw, "masked")
		seed := rapid.Byte().Draw(draw, "seed")
		tables := []ring.Vec{extremes(k, width-1, tab.Size(), seed), extremes(k, width-1, tab.Size(), seed+1)}
		at := ring.New(ring.Z(8), n)
		for i := range n {
			at.Words()[i] = uint64(rapid.IntRange(0, tab.Cells-1).Draw(draw, "index"))
		}
		in := []operand{
			{v: at, masked: masked[0]},
			{v: planesOfNumbers(tables[0], width), masked: masked[1]},
			{v: planesOfNumbers(tables[1], width), masked: masked[2]},
		}
		res := trial{n: parties, k: k, seed: seed, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			var xs []mpc.Secret
			for _, planes := range in[1:] {
				xs = append(xs, p.Lookup(op, in[0], p.FromBits(op, k, tab.Size(), planes), tab))
			}
			return []mpc.Secret{xs[0], p.Less(op, xs[0], xs[1]), p.Equal(op, xs[1], xs[0]), xs[1]}
		}}.run(t)
		for j := range elements {
			row := (j/tab.Columns/(n/tab.Groups)*tab.Cells+int(at.Words()[j/tab.Columns]))*tab.Columns + j%tab.Columns
			x, y := tables[0].Int(row), tables[1].Int(row)
			if a, b := res.out[0].Int(j), res.out[3].Int(j); a.Cmp(x) != 0 || b.Cmp(y) != 0 {
				draw.Fatalf("element %d: found %v and %v, want %v and %v", j, a, b, x, y)
			}
			if less, equal := res.out[1].Words()[j] == 1, res.out[2].Words()[j] == 1; less != (x.Cmp(y) < 0) || equal != (x.Cmp(y) == 0) {
				draw.Fatalf("element %d: %v and %v: less %v, equal %v", j, x, y, less, equal)
			}
		}
	})
}

// TestBitCircuit: the circuits' costs are those of runs, in the bits that are opened and dealt, also those of an equality and a
// selection.
func TestBitCircuit(t *testing.T) {
	const n = 64
	for _, width := range []int{1, 2, 8, 32, 64, 128} {
		k := ring.Z(width)
		in := []operand{{v: ring.New(ring.Z(1), n*width)}, {v: ring.New(ring.Z(1), n*width)}}
		res := trial{n: 2, k: k, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			b := p.Less(op, p.FromBits(op, k, n, in[0]), p.FromBits(op, k, n, in[1]))
			p.Open(op, b)
			return single(b)
		}}.run(t)
		c := bitCircuitOf(width)
		want := c.cost()
		if got := fmt.Sprint(res.online*8/n, res.dealt*8/n, res.rounds); got != fmt.Sprint(want.sent, want.dealt, len(c.levels)+2) {
			t.Errorf("width %d: sent, dealt and rounds are %s, the circuit's are %v, %d", width, got, want, len(c.levels)+2)
		}
	}
	for _, width := range []int{2, 5, 32, 64} {
		k := ring.Z(width)
		in := []operand{{v: ring.New(ring.Z(1), n*width)}, {v: ring.New(ring.Z(1), n*width)}, {v: ring.New(ring.Z(1), n), masked: true}}
		cost := func(build func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret) bitCost {
			res := trial{n: 2, k: k, in: in, build: build}.run(t)
			return bitCost{int(res.online) * 8 / n, int(res.dealt) * 8 / n}
		}
		if got, want := cost(func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			b := p.Equal(op, p.FromBits(op, k, n, in[0]), p.FromBits(op, k, n, in[1]))
			p.Open(op, b)
			return single(b)
		}), equalBitsCost(width); got != want {
			t.Errorf("width %d: an equality costs %v, want %v", width, got, want)
		}
		if got, want := cost(func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			p.Select(op, k, in[2], p.FromBits(op, k, n, in[0]), p.FromBits(op, k, n, in[1]))
			return nil
		}), (bitCost{width, width}); got != want {
			t.Errorf("width %d: a selection costs %v, want %v", width, got, want)
		}
	}
	if c := bitCircuitOf(32).cost(); c != (bitCost{99, 164}) {
		t.Errorf("the comparison of 32 bits costs %v", c)
	}
}

// TestBitLookupCosts: look-ups cost what a choice between numbers and bits counts, and a second look-up by an index opens no
// one-hot vectors.
func TestBitLookupCosts(t *testing.T) {
	defer func(n int) { maxDealt = n }(maxDealt)
	const n, width = 64, 33
	k := ring.Z(width)
	for _, tab := range []mpc.Table{
		{Groups: 1, Cells: 2, Columns: 1, Offsets: []int{0}},
		{Groups: 4, Cells: 16, Columns: 1, Offsets: []int{0}},
		{Groups: 2, Cells: 11, Columns: 3, Offsets: []int{0}},
	} {
		l := mpc.Lookups{Indices: n, Table: tab}
		in := []operand{
			{v: ring.New(ring.Z(5), n), masked: true}, {v: ring.New(k, tab.Size()), masked: true},
			{v: ring.New(ring.Z(1), tab.Size()*width), masked: true}, {v: ring.New(ring.Z(1), tab.Size()*width), masked: true},
		}
		cost := func(build func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret) bitCost {
			res := trial{n: 2, k: k, in: in, build: build}.run(t)
			return bitCost{int(res.online) * 8, int(res.dealt) * 8}
		}
		for _, most := range []int{1 << 22, 0} {
			maxDealt = most
			got := cost(func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				return single(p.Lookup(op, in[0], in[1], tab))
			})
			if want := lookupCost(l, width); got != want {
				t.Errorf("%+v, at most %d: a look-up of numbers costs %v, want %v", tab, most, got, want)
			}
		}
		byBits := func(tables int) bitCost {
			return cost(func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				for _, planes := range in[2 : 2+tables] {
					p.Lookup(op, in[0], p.FromBits(op, k, tab.Size(), planes), tab)
				}
				return nil
			})
		}
		want := bitLookupCost(l, width)
		if got := byBits(1); got != want {
			t.Errorf("%+v: a look-up of bits costs %v, want %v", tab, got, want)
		}
		want.dealt += n * tab.Columns * width
		if got := byBits(2); got != want {
			t.Errorf("%+v: two look-ups of bits by one index cost %v, want %v", tab, got, want)
		}
	}
}

// TestByBits: bits are chosen where they save more than the bytes of their rounds, never where rounds are minimised or a party
// deals, nor where tables are far larger than what is looked up in them.
func TestByBits(t *testing.T) {
	tab := func(cells, columns int) mpc.Table {
		return mpc.Table{Groups: 100, Cells: cells, Columns: columns, Offsets: []int{0}}
	}
	for _, c := range []struct {
		indices          int
		table            mpc.Table
		objective        flow.Objective
		dealer           int
		compare, compose bool
	}{
		{6400, tab(64, 1), flow.ForOnline, 0, true, true},
		{6400, tab(64, 1), flow.ForTotal, 0, true, true},
		{6400, tab(64, 1), flow.ForRounds, 0, false, false},
		{6400, tab(64, 1), flow.ForOnline, 2, false, false},
		{6400, tab(30, 1), flow.ForOnline, 0, true, false}, // composing costs more than it saves
		{6400, tab(16, 4), flow.ForOnline, 0, true, false},
		{6400, tab(4, 1), flow.ForOnline, 0, false, false},
		{600, tab(64, 1), flow.ForOnline, 0, false, false}, // not worth a round
		{100, tab(20000, 64), flow.ForOnline, 0, false, false},
	} {
		g := flow.NewDryRun(link.Online, &flow.Account{})
		op := g.Op(1, &flow.Cost{}, "test")
		op.Objective = c.objective
		p := &Party{n: 2, dealer: c.dealer}
		l := mpc.Lookups{Indices: c.indices, Table: c.table}
		copies := mpc.Copies{Lookups: []mpc.Lookups{l}}
		of := mpc.BitComparison{N: c.indices * c.table.Columns, Width: 32, AsNumbers: copies, AsBits: copies}
		if got := p.ComparesByBits(op, of); got != c.compare {
			t.Errorf("%+v: compared by bits: %v", c, got)
		}
		if got := p.LooksUpByBits(op, ring.Z(64), 63, l); got != c.compose {
			t.Errorf("%+v: looked up by bits: %v", c, got)
		}
	}
}

// byPlanes transposes a message of n rows of bits.
func byPlanes(data []byte, n, columns int) []byte {
	rows := ring.NewReader(ring.Payload{Len: len(data), Data: data}).Vec(ring.Z(1), n*columns)
	planes := rows.Like(ring.Z(1), n*columns)
	maps.NewView(tensor.Transposed(tensor.Shape{n, columns}, []int{1, 0}), n*columns).Apply(planes, rows)
	w := &ring.Writer{}
	w.Vec(planes)
	p := w.Payload()
	return p.Data[:p.Len]
}

// TestBitFormOpensUniform looks at what a look-up and a comparison of bits open, for fixed inputs over many masks: the index, its one-hot
// vector, differences, bits and results of gates. Every opened bit has mean one half and no two are correlated.
func TestBitFormOpensUniform(t *testing.T) {
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	const elements, cells, width = 1 << 13, 4, 3
	tab := mpc.Table{Groups: 1, Cells: cells, Columns: 1, Offsets: []int{0}}
	for _, parties := range []int{2, 3} {
		for index := range int64(cells) {
			in := []operand{
				constantOperand(ring.Z(2), index, elements, 2, false),
				{v: ring.FromInts(ring.Z(1), []int64{0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 1}), bound: 1, masked: true},
				constantOperand(ring.Z(1), 1, elements*width, 1, false),
			}
			tr := trial{n: parties, k: ring.Z(width), seed: byte(index), in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				x := p.Lookup(op, in[0], p.FromBits(op, ring.Z(width), cells, in[1]), tab)
				return single(masking(p, op, p.Less(op, x, p.FromBits(op, ring.Z(width), elements, in[2]))))
			}}
			msgs := tr.transcript(t)
			const oneHots = 1 // the step that opens them: index by index
			hots := msgs[oneHots*parties : (oneHots+1)*parties]
			for i := range hots {
				hots[i].data = byPlanes(hots[i].data, elements, cells)
			}
			steps := slices.Repeat([][]int{nil}, len(msgs)/parties)
			steps[0] = []int{2}
			opened := openings(t, msgs, steps, parties, elements, false)
			if want := 2 + cells + bitCircuitOf(width).cost().sent; len(opened) != want {
				t.Fatalf("%d bits of an element are opened, want %d", len(opened), want)
			}
			if s := worst(opened, elements); s > 5.5 {
				t.Errorf("%d parties, index %d: a mean or correlation of opened bits is %.1f sigma off", parties, index, s)
			}
		}
	}
}
