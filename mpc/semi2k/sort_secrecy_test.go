package semi2k

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// orderings are keys of groups of three rows: in order, in reverse, all alike,
// and two alike.
var orderings = map[string]func(i int) int64{
	"ascending":  func(i int) int64 { return int64(i % 3) },
	"descending": func(i int) int64 { return -int64(i % 3) },
	"equal":      func(int) int64 { return 7 },
	"two equal":  func(i int) int64 { return int64(i % 3 / 2) },
}

func keysFrom(f func(i int) int64, r ring.Ring, n int) operand {
	ints := make([]int64, n)
	for i := range ints {
		ints[i] = f(i)
	}
	return operand{v: ring.FromInts(r, ints), bound: 8, masked: true}
}

// TestSortTellsNothing looks at all that a sort of many groups of three rows
// sends, of keys in several orders: every message of every party is uniform, so
// are the opened differences, and of the six outcomes of each group's comparisons
// all are equally likely, whether keys are in order, in reverse, or equal.
func TestSortTellsNothing(t *testing.T) {
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	const groups, rows = 4000, 3
	s := mpc.Sorting{Groups: groups, Rows: rows, Descending: []bool{false}, First: rows}
	for name, f := range orderings {
		for _, parties := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/n=%d", name, parties), func(t *testing.T) {
				tr := trial{n: parties, seed: byte(len(name)), in: []operand{keysFrom(f, ring.Z(16), groups*rows)}, build: sorting(s, 1)}
				msgs := tr.transcript(t)
				var batch []message // all parties' messages of the batch of comparisons
				for _, m := range msgs {
					if x := chiSquare(m.data); x > 6 {
						t.Errorf("%v of party %d: bytes are %.1f sigma from uniform", m.key, m.from, x)
					}
					if m.key.Step >= uint32(parties) {
						batch = append(batch, m)
					}
				}
				sum := func(step, width, n int) ring.Vec {
					all := ring.New(ring.Z(width), n)
					for _, m := range batch[step*parties : (step+1)*parties] {
						rd := ring.NewReader(ring.Payload{Len: len(m.data), Data: m.data})
						ring.Add(all, all, rd.Vec(ring.Z(width), n))
					}
					return all
				}
				steps := len(batch) / parties
				opened := sum(0, 8+2+2, groups*rows)
				var bits []ring.Bits
				for b := range opened.Ring().Bits {
					bits = append(bits, ring.Bit(opened, b))
				}
				if x := worst(bits, groups*rows); x > 5.5 {
					t.Errorf("a mean or correlation of opened differences' bits is %.1f sigma off", x)
				}
				told := sum(steps-1, 1, groups*rows).Words()
				counts := map[[3]uint64]float64{}
				for g := range groups {
					counts[[3]uint64(told[3*g:])]++
				}
				chi := 0.0
				for _, c := range counts {
					chi += (c - groups/6.0) * (c - groups/6.0) / (groups / 6.0)
				}
				if len(counts) != 6 || math.Abs(chi-5) > 6*math.Sqrt(10) {
					t.Errorf("outcomes of comparisons are %v, chi-square %.0f of 5 degrees", counts, chi)
				}
			})
		}
	}
}

// noting is a source that notes what is taken.
type noting struct {
	correlation.Source
	mu    sync.Mutex
	taken []correlation.ID
}

func (n *noting) Take(ctx context.Context, r *correlation.Request) (correlation.Correlation, error) {
	n.mu.Lock()
	n.taken = append(n.taken, r.ID)
	n.mu.Unlock()
	return n.Source.Take(ctx, r)
}

// TestSortAsksAlike: whatever the keys are and however many comparisons they
// take, a sort takes all that it has ordered, each once.
func TestSortAsksAlike(t *testing.T) {
	const n = 300
	s := mpc.Sorting{Groups: 1, Rows: n, Descending: []bool{false}, First: 10}
	sent := map[int64]bool{}
	for seed, f := range []func(i int) int64{func(i int) int64 { return int64(i) }, func(int) int64 { return 1 },
		func(i int) int64 { return int64(-i * i) }} {
		notes := make([]*noting, 2)
		res := trial{
			n:    2,
			seed: byte(seed),
			in:   []operand{keysFrom(f, ring.Z(32), n)},
			build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				if !op.Graph.DryRun() {
					notes[p.rank] = &noting{Source: p.source}
					p.source = notes[p.rank]
				}
				return sorting(s, 1)(p, op, in)
			},
		}.run(
			t,
		)
		var want []correlation.ID
		for _, r := range res.form.Requests {
			want = append(want, r.ID)
		}
		for rank, x := range notes {
			slices.Sort(x.taken)
			if !slices.Equal(x.taken, want) {
				t.Errorf("party %d takes %d of %d requests, or not each once", rank, len(x.taken), len(want))
			}
		}
		sent[res.online] = true
	}
	if len(sent) < 2 {
		t.Errorf("all orders took the same comparisons, so the test shows nothing: %v", sent)
	}
}

// TestPoolServesOnce: batches of a pool get parts of it that do not overlap,
// across its blocks, the same at all parties, and the last one fails if there is
// too little left.
func TestPoolServesOnce(t *testing.T) {
	const size = 2*blockSize + 100
	var whole [2]*pool
	p := New(context.Background(), Config{Computing: 2, Source: correlation.NewParty(0, 2, ring.Seed{1}, nil), Inputs: Inputs{}})
	for i := range whole { // of the second one all is taken at once, to compare with
		p.source = correlation.NewParty(0, 2, ring.Seed{1}, nil)
		ends := link.Memory(2)
		defer ends[1].Close()
		defer ends[0].Close()
		op := flow.New(t.Context(), link.Online, ends[0], &flow.Account{}).Op(1, &flow.Cost{}, "test")
		q := *p
		whole[i] = q.newPool(op, 40, size)
	}
	l := whole[0]
	first := -1
	for i, k := range l.required.list {
		if k.mask != nil && k.mask.Kind == correlation.Fresh {
			first = i
		}
	}
	var id correlation.ID
	for at, i := range l.required.at {
		if i == first {
			id = correlation.ID(at)
		}
	}
	seen := map[uint64]bool{}
	for _, n := range []int{1, 63, 1000, blockSize, 77, blockSize - 1100} {
		w, err := l.take(n)
		if err != nil {
			t.Fatal(err)
		}
		v, err := w.Leaf(&correlation.Mask{ID: id, Ring: ring.Z(40)})
		if err != nil || v.Len() != n {
			t.Fatalf("%d masks of %d: %v", v.Len(), n, err)
		}
		for _, x := range v.Vec().Words() {
			if seen[x] {
				t.Fatal("a mask serves twice")
			}
			seen[x] = true
		}
	}
	want := map[uint64]bool{}
	w, err := whole[1].take(len(seen))
	if err != nil {
		t.Fatal(err)
	}
	v, err := w.Leaf(&correlation.Mask{ID: id, Ring: ring.Z(40)})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range v.Vec().Words() {
		want[x] = true
	}
	for x := range seen {
		if !want[x] {
			t.Fatal("batches take other masks than the pool's first")
		}
	}
	left := size - len(seen)
	if _, err := l.take(left + 1); !errors.Is(err, errPoolExhausted) {
		t.Errorf("one more than is left: %v", err)
	}
	if _, err := w.Leaf(&correlation.Mask{ID: id + 1<<40}); !errors.Is(err, correlation.ErrMissing) {
		t.Errorf("what no comparison asks for: %v", err)
	}
}

// TestPoolChecksSpent: what a batch takes of a pool has each mask and each
// correlation once, as of every source; and so has what is written down of one
// comparison.
func TestPoolChecksSpent(t *testing.T) {
	p := New(context.Background(), Config{Computing: 2, Source: correlation.NewParty(0, 2, ring.Seed{1}, nil), Inputs: Inputs{}})
	ends := link.Memory(2)
	defer ends[1].Close()
	defer ends[0].Close()
	op := flow.New(t.Context(), link.Online, ends[0], &flow.Account{}).Op(1, &flow.Cost{}, "test")
	l := p.newPool(op, 40, 100)
	w, err := l.take(10)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for i, k := range l.required.list {
		ask := func(s correlation.Source) (err error) {
			switch {
			case k.request != nil:
				asked["request"]++
				_, err = s.Take(t.Context(), k.request)
			case k.mask.Kind == correlation.FreshBits:
				asked["bits"]++
				_, err = s.LeafBits(k.mask)
			default:
				asked["mask"]++
				_, err = s.Leaf(k.mask)
			}
			return err
		}
		w.base = l.required.base // the ids of the comparison that was written down
		if err := ask(w); err != nil {
			t.Fatalf("supply %d: %v", i, err)
		}
		if err := ask(w); !errors.Is(err, correlation.ErrSpent) {
			t.Errorf("supply %d is given twice: %v", i, err)
		}
		if err := ask(l.required); !errors.Is(err, correlation.ErrSpent) {
			t.Errorf("supply %d is written down twice: %v", i, err)
		}
	}
	if len(asked) != 3 {
		t.Errorf("a comparison asks for %v", asked)
	}
}

// TestSortFailsWithoutComparisons: a pool that is too small ends the run with an
// error that says what to do, at all parties.
func TestSortFailsWithoutComparisons(t *testing.T) {
	p := New(context.Background(), Config{Computing: 2, Source: &correlation.Recorder{}, Inputs: Inputs{}})
	g := flow.NewDryRun(link.Online, &flow.Account{})
	op := g.Op(1, &flow.Cost{}, "test")
	c := &sortState{
		p:     p,
		op:    op.Reserve(),
		s:     mpc.Sorting{Groups: 1, Rows: 100, First: 100},
		width: 20,
		items: flow.Resolved(ring.ShapeOnly(ring.Z(20), 100)),
		pool:  p.newPool(op, 20, 300),
	}
	c.start()
	flow.Then(c.op, c.nextBatch)
	if err := g.Wait(); !errors.Is(err, errPoolExhausted) {
		t.Errorf("300 comparisons for 100 rows: %v", err)
	}
}
