package psi

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
)

// clearJoin checks an outcome against a map of the keys.
func clearJoin(t *testing.T, s Hidden, out *HiddenOutcome) {
	t.Helper()
	other, at := s.Keys[1-s.Keeper], map[Key]int{}
	for i, k := range other {
		at[k] = i
	}
	sums := make([][]uint64, 1+len(s.Columns))
	r := ring.Z(s.Ring)
	for c := range sums {
		sum := ring.New(r, len(s.Keys[s.Keeper]))
		ring.Add(sum, out.Shares[0][c], out.Shares[1][c])
		sums[c] = sum.Words()
	}
	words, wrong := r.Words(), 0
	for i, k := range s.Keys[s.Keeper] {
		row, matches := at[k]
		for c := range sums {
			want := make([]uint64, words)
			switch {
			case matches && c == 0:
				want[0] = uint64(s.One)
			case matches:
				want = s.Columns[c-1].Words()[words*row : words*(row+1)]
			}
			if !slices.Equal(sums[c][words*i:words*(i+1)], want) {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d elements are wrong", wrong)
	}
}

// hiddenCase returns a hidden join of random columns.
func hiddenCase(keeper, bits, columns int, a, b []Key) Hidden {
	s := Hidden{Parties: []string{"alice", "bob"}, Keeper: keeper, Keys: [][]Key{a, b}, Ring: bits, One: 1 << 18}
	for range columns {
		v := ring.New(ring.Z(bits), len(s.Keys[1-keeper]))
		ring.NewPRG(ring.NewSeed()).Vec(v, 0, 0)
		s.Columns = append(s.Columns, v)
	}
	return s
}

// sameCosts compares a run's costs with those of a plan.
func sameCosts(t *testing.T, r, plan *profile.Report) {
	t.Helper()
	if !slices.Equal(r.Online.BytesSent, plan.Online.BytesSent) || !slices.Equal(r.Online.Messages, plan.Online.Messages) ||
		r.Online.Rounds != plan.Online.Rounds || r.Offline.BytesSent != plan.Offline.BytesSent {
		t.Errorf("measured %+v %+v, planned %+v %+v", r.Online, r.Offline, plan.Online, plan.Offline)
	}
	for i := range r.Ops {
		o, p := r.Ops[i], plan.Ops[i]
		if !slices.Equal(o.BytesSent, o.Predicted.BytesSent) || !slices.Equal(o.BytesSent, p.BytesSent) || o.Rounds != p.Rounds {
			t.Errorf("%s: measured %v, planned %v", o.Op, o, p)
		}
	}
}

// TestHidden compares with a join in clear, for many sets of keys and both keepers.
func TestHidden(t *testing.T) {
	type sizes struct{ a, b, common int }
	cases := []sizes{
		{0, 0, 0}, {0, 5, 0}, {5, 0, 0}, {1, 1, 1}, {1, 1, 0}, {2, 2, 1}, {600, 600, 0}, {600, 600, 600},
		{3000, 700, 400}, {10, 5000, 7}, {5000, 4000, 1999},
	}
	for _, c := range cases {
		for keeper := range 2 {
			t.Run(fmt.Sprint(c, keeper), func(t *testing.T) {
				s := hiddenCase(keeper, 64<<keeper, 2, keys(0, c.a), keys(c.a-c.common, c.b))
				out, err := RunHidden(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				clearJoin(t, s, out)
				plan, err := PlanHidden(Hidden{Parties: s.Parties, Keeper: keeper, Ring: s.Ring, Width: 2}, [2]int{c.a, c.b})
				if err != nil {
					t.Fatal(err)
				}
				sameCosts(t, out.Report, plan)
			})
		}
	}
}

// TestHiddenBoth: with Both the other party's rows have weights too, at twice the rounds, and plans have the costs.
func TestHiddenBoth(t *testing.T) {
	for keeper := range 2 {
		s := hiddenCase(keeper, 64<<keeper, 1, keys(0, 60), keys(40, 50))
		s.Both = true
		out, err := RunHidden(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		clearJoin(t, s, out)
		clearMatched(t, s, out)
		plan, err := PlanHidden(Hidden{Parties: s.Parties, Keeper: keeper, Ring: s.Ring, Width: 1, Both: true}, [2]int{60, 50})
		if err != nil {
			t.Fatal(err)
		}
		sameCosts(t, out.Report, plan)
		if n := plan.Online.Rounds; n != 16 {
			t.Errorf("%d rounds, want 16", n)
		}
	}
}

// clearMatched compares the weights of the rows of the party that is not the keeper with a join in clear.
func clearMatched(t *testing.T, s Hidden, out *HiddenOutcome) {
	t.Helper()
	other := 1 - s.Keeper
	sum := ring.New(ring.Z(s.Ring), len(s.Keys[other]))
	ring.Add(sum, out.Matched[0], out.Matched[1])
	words := ring.Z(s.Ring).Words()
	for i, key := range s.Keys[other] {
		want := uint64(0)
		if slices.Contains(s.Keys[s.Keeper], key) {
			want = uint64(s.One)
		}
		if got := sum.Words()[words*i]; got != want || words == 2 && sum.Words()[2*i+1] != 0 {
			t.Errorf("row %d of the other party has weight %d, want %d", i, got, want)
		}
	}
}

// TestHiddenSeeds repeats small joins with fresh seeds.
func TestHiddenSeeds(t *testing.T) {
	for i := range 60 {
		s := hiddenCase(i%2, 64, 1, keys(0, 40), keys(i, 50))
		out, err := RunHidden(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		clearJoin(t, s, out)
	}
}

// TestHiddenCosts has the bytes of the package's comment, and no more than 140 a row for 10^5 rows and one column.
func TestHiddenCosts(t *testing.T) {
	for _, n := range []int{1000, 4096, 100000, 1000000} {
		for columns := range 3 {
			r, err := PlanHidden(Hidden{Parties: []string{"a", "b"}, Ring: 64, Width: columns}, [2]int{n, n})
			if err != nil {
				t.Fatal(err)
			}
			m := choices * cuckooSlots(n)
			places, bits := n+m, (m+7)/8
			keeper := 16 + 8*entries(m) + 13*m + bits + 4*places
			other := 12*entries(3*n) + 17*m + bits + 8*places*(1+columns)
			if got := r.Online.BytesSent; got[0] != int64(keeper) || got[1] != int64(other) {
				t.Errorf("%d rows, %d columns: %d bytes, want %d and %d", n, columns, got, keeper, other)
			}
			if want := int64(16*entries(m) + 88*m + 8*n*(1+columns)); r.Offline.BytesSent != want {
				t.Errorf("%d rows, %d columns: %d bytes dealt, want %d", n, columns, r.Offline.BytesSent, want)
			}
			if r.Online.Rounds != 8 {
				t.Errorf("%d rounds, want 8", r.Online.Rounds)
			}
			each := float64(keeper+other) / float64(n)
			t.Logf("%d rows, %d columns: %.1f bytes a row, %.1f dealt", n, columns, each, float64(r.Offline.BytesSent)/float64(n))
			if n >= 100000 && columns == 1 && each > 140 {
				t.Errorf("%.1f bytes a row, want 140 at most", each)
			}
		}
	}
}

// TestHiddenMillion is the size of the bar: TACET_TEST_HIDDEN=100000 or 1000000.
func TestHiddenMillion(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("TACET_TEST_HIDDEN"))
	if n == 0 {
		t.Skip("TACET_TEST_HIDDEN is the number of rows")
	}
	s := hiddenCase(0, 64, 1, keys(0, n), keys(n/2, n))
	out, err := RunHidden(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	clearJoin(t, s, out)
	r := out.Report
	var peak runtime.MemStats
	runtime.ReadMemStats(&peak)
	t.Logf("%d × %d rows: dealt in %.3f s, %.1f bytes a row; online %.3f s, %.1f bytes a row, %d rounds; failure 2^-%.1f; memory %d MB",
		n, n, r.Offline.Seconds, float64(r.Offline.BytesSent)/float64(n), r.Online.Seconds,
		float64(r.Online.BytesSent[0]+r.Online.BytesSent[1])/float64(n), r.Online.Rounds, HiddenFailureBits(n, n), peak.Sys>>20)
	for _, o := range r.Ops {
		t.Logf("%s: %.3f s", o.Op, o.Seconds)
	}
}

// TestHiddenFailure: the law of failures is within 2^-40 for all supported sizes.
func TestHiddenFailure(t *testing.T) {
	for _, n := range []int{0, 1, 100, 4095, 4096, 100000, 1000000, MaxJoined} {
		if got := HiddenFailureBits(n, n); got < 40 {
			t.Errorf("%d rows: 2^-%.1f", n, got)
		}
	}
}

// TestCuckoo places many sets of keys in tables of the smallest sizes, and refuses what has no places.
func TestCuckoo(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 4095, 4096, 20000} {
		for i := range 40 {
			own := keys(i*n, n)
			p := newPositions(ring.Seed{byte(i)}, cuckooSlots(n))
			table, err := cuckoo(own, p)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for at, key := range table {
				if key >= 0 {
					found++
					if slots := p.of(own[key]); slots[at/p.slots] != int32(at) {
						t.Fatalf("%d keys: key %d is at slot %d, want one of %d", n, key, at, slots)
					}
				}
			}
			if found != n {
				t.Fatalf("%d of %d keys have a slot", found, n)
			}
		}
	}
	if _, err := cuckoo(keys(0, 100), newPositions(ring.Seed{}, 33)); err != errCuckoo {
		t.Errorf("100 keys at 99 slots: %v", err)
	}
	if k := (Key{1, 2}); slotKey(k, 0) == slotKey(k, 1) || slotKey(k, 1) == slotKey(k, 2) || slotKey(k, 0) == k || slotKey(k, 2) == k {
		t.Error("two slots of a key have one key")
	}
}

// TestHiddenEqual checks [v = r] and the product of places, slot by slot, for equal and for nearly equal tags.
func TestHiddenEqual(t *testing.T) {
	l := newHiddenLengths(10, 10)
	a, b := &hiddenSide{hiddenLengths: l}, &hiddenSide{hiddenLengths: l}
	a.masks, b.masks = ring.NewSeed(), ring.NewSeed()
	b.dealt = joins.Sizes{Slots: l.slots, Places: l.places, Keeper: l.keeper, Columns: 1}.Hidden(a.masks, b.masks, ring.Z(64))
	seed := ring.NewSeed()
	v, r, p, u := joins.Stream(seed, 0, l.slots), make([]uint64, l.slots), joins.Stream(seed, 1, l.slots), joins.Stream(seed, 2, l.slots)
	ta, tb := &tags{v, make([]uint32, l.slots)}, &tags{make([]uint64, l.slots), make([]uint32, l.slots)}
	for i := range v {
		if r[i] = v[i]; i%3 > 0 {
			r[i] ^= 1 << (i % 64)
		}
		tb.tag[i], ta.place[i], tb.place[i] = -r[i], uint32(p[i]), uint32(u[i])
	}
	ma, mb := a.mask(ta), b.mask(tb)
	ca, cb := a.count(ma.tag, mb.tag, true), b.count(mb.tag, ma.tag, false)
	ba, bb := ca.bits(cb.masked), cb.bits(ca.masked)
	xa, xb := ca.places(ta.place, ma.place, mb.place, ba, bb), cb.places(tb.place, mb.place, ma.place, bb, ba)
	for i := range v {
		want := uint32(0)
		if v[i] == r[i] {
			want = uint32(p[i] + u[i])
		}
		if got := xa[i] + xb[i]; got != want {
			t.Fatalf("slot %d: %d, want %d", i, got, want)
		}
	}
}

// views runs a join and returns the messages that each party receives, by operation, the largest first: messages that do not depend on
// each other are seen in any order.
func views(t *testing.T, s Hidden) (out [2]map[string][]byte) {
	t.Helper()
	counts := [2]int{len(s.Keys[0]), len(s.Keys[1])}
	planned, err := PlanHidden(s, counts)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newHidden(s, counts)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var seen [2]map[string][][]byte
	for rank := range x.sides {
		out[rank], seen[rank] = map[string][]byte{}, map[string][][]byte{}
		x.sides[rank] = &hiddenSide{side: side{keys: s.Keys[rank], seen: func(op int, in []byte) {
			mu.Lock()
			defer mu.Unlock()
			seen[rank][hiddenNames[op]] = append(seen[rank][hiddenNames[op]], in)
		}}}
	}
	if _, err := x.run(context.Background(), planned, [2]dealtTo{x.sides[0], x.sides[1]}, x.build); err != nil {
		t.Fatal(err)
	}
	for rank, s := range x.sides {
		for name, messages := range seen[rank] {
			slices.SortStableFunc(messages, func(a, b []byte) int { return len(b) - len(a) })
			out[rank][name] = slices.Concat(messages...)
		}
		out[rank]["dealt"] = slices.Concat(s.correction, s.dealt)
	}
	return out
}

// TestHiddenViews: each party's messages are uniform and have equal sizes, whether all rows match or none; and the places that the
// keeper learns are distinct and uniform.
func TestHiddenViews(t *testing.T) {
	const n = 3000
	var sizes [2][]int
	for i, from := range []int{0, n} {
		s := hiddenCase(0, 64, 1, keys(0, n), keys(from, n))
		clear(s.Columns[0].Words())
		for rank, seen := range views(t, s) {
			for _, name := range append(slices.Clone(hiddenNames), "dealt") {
				b := seen[name]
				sizes[i] = append(sizes[i], len(b))
				switch {
				case name == "join.order": // places below a bound: their sum is that of uniform numbers
					sum, places := new(big.Int), numbers32(b)
					for _, x := range places {
						sum.Add(sum, big.NewInt(int64(x)))
					}
					if m := int64(len(places)); rank == 1 && sum.Int64() != m*(m-1)/2 {
						t.Errorf("order: the sum of places is %v", sum)
					}
				case name == "join.places" && rank == 0: // the last message is determined by the places
					m := choices * cuckooSlots(n)
					uniform(t, fmt.Sprint(from, rank, name), b[:4*m])
				case name == "join.equal": // bytes of 7 bits
					m := choices * cuckooSlots(n)
					uniform(t, fmt.Sprint(from, rank, name), b[:8*m])
				case len(b) > 100:
					uniform(t, fmt.Sprint(from, rank, name), b)
				}
			}
		}
	}
	if !slices.Equal(sizes[0], sizes[1]) {
		t.Errorf("equal sets have messages of %d bytes, disjoint ones of %d", sizes[0], sizes[1])
	}
}

// TestHiddenPlaces: the places that the keeper learns are a uniform choice, whether all rows match or none.
func TestHiddenPlaces(t *testing.T) {
	const n, runs = 200, 60
	for _, from := range []int{0, n} {
		var sum, squares, rising float64
		for range runs {
			s := hiddenCase(0, 64, 0, keys(0, n), keys(from, n))
			counts := [2]int{n, n}
			planned, err := PlanHidden(s, counts)
			if err != nil {
				t.Fatal(err)
			}
			x, err := newHidden(s, counts)
			if err != nil {
				t.Fatal(err)
			}
			for rank := range x.sides {
				x.sides[rank] = &hiddenSide{side: side{keys: s.Keys[rank]}}
			}
			var asked []int32
			x.sides[0].ordered = func(o *order) {
				for _, at := range o.own {
					asked = append(asked, o.asked[at])
				}
			}
			if _, err := x.run(context.Background(), planned, [2]dealtTo{x.sides[0], x.sides[1]}, x.build); err != nil {
				t.Fatal(err)
			}
			for i, place := range asked {
				at := float64(place) / float64(x.places)
				sum, squares = sum+at, squares+at*at
				if i > 0 && asked[i-1] < place {
					rising++
				}
			}
			if slices.Sort(asked); len(slices.Compact(asked)) != n {
				t.Fatalf("%d distinct places, want %d", len(slices.Compact(asked)), n)
			}
		}
		all := float64(n * runs)
		for name, x := range map[string][2]float64{
			"mean": {sum / all, 1. / 2}, "mean square": {squares / all, 1. / 3}, "rising": {rising / all, 0.5},
		} {
			if math.Abs(x[0]-x[1]) > 5/math.Sqrt(all) {
				t.Errorf("from %d: %s of places %v, want %v", from, name, x[0], x[1])
			}
		}
	}
}

func TestHiddenRefused(t *testing.T) {
	two := []string{"a", "b"}
	twice := append(keys(0, 10), keys(0, 1)...)
	for name, s := range map[string]Hidden{
		"equal keys of the keeper": {Parties: two, Keys: [][]Key{twice, keys(0, 50)}, Ring: 64},
		"equal keys of the other":  {Parties: two, Keys: [][]Key{keys(0, 3), twice}, Ring: 64},
		"one party":                {Parties: two[:1], Keys: [][]Key{nil}, Ring: 64},
		"ring":                     {Parties: two, Keys: [][]Key{nil, nil}, Ring: 63},
		"keeper":                   {Parties: two, Keys: [][]Key{nil, nil}, Ring: 64, Keeper: 2},
		"network":                  {Parties: two, Keys: [][]Key{nil, nil}, Ring: 64, Network: "fast"},
		"column":                   {Parties: two, Keys: [][]Key{nil, nil}, Ring: 64, Columns: []ring.Vec{ring.New(ring.Z(64), 1)}},
	} {
		if _, err := RunHidden(context.Background(), s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := PlanHidden(Hidden{Parties: two, Ring: 64}, [2]int{MaxJoined + 1, 1}); err == nil {
		t.Error("too many rows are not refused")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, network := range []string{"none", "wan"} {
		if _, err := RunHidden(ctx, Hidden{Parties: two, Keys: [][]Key{keys(0, 9), keys(0, 9)}, Ring: 64, Network: network}); err == nil {
			t.Errorf("network %s: a cancelled run has no error", network)
		}
	}
}
