package semi2k

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// positions opens x and gives all bits of its position, each in Z_2^8: above
// from the lowest on, below, and the sign.
func positions(key positionKey, delta func(ring.Vec)) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		x := in[0].(*share)
		p.open(op, x)
		var out []mpc.Secret
		add := func(b *bit) { out = append(out, p.newPoly(ring.Z(8), x.n, 1, b.poly())) }
		pos := p.position(op, x, key)
		for _, bits := range [][]*bit{pos.above, pos.below} {
			for _, b := range bits {
				if b != nil {
					add(b)
				}
			}
		}
		if key.signed {
			add(pos.sign)
		}
		for _, b := range pos.quarters {
			add(b)
		}
		if p.first() && !op.Graph.DryRun() {
			flow.Do(op, 0, func() struct{} { delta(x.masked.delta.Get()); return struct{}{} }, x.masked.delta)
		}
		return out
	}
}

// expectedPositions is what positions shall give of one element.
func expectedPositions(x *big.Int, digits int, signed, zero bool) (out []int64) {
	add := func(b bool) {
		if b {
			out = append(out, 1)
		} else {
			out = append(out, 0)
		}
	}
	atLeast := func(x *big.Int, j int) bool { return x.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(4*j))) >= 0 }
	for j := range digits {
		if j > 0 || zero {
			add(atLeast(x, j))
		}
	}
	if signed {
		for j := 1; j < digits; j++ {
			add(atLeast(new(big.Int).Not(x), j)) // −x−1
		}
		add(x.Sign() < 0)
	}
	return out
}

// pattern is a random number of digits that are often 0 or 15 in runs, and
// above a random place all alike.
func pattern(rng *rand.Rand, digits int) *big.Int {
	x, d := new(big.Int), int64(0)
	fixed := rng.IntN(digits + 1)
	for j := range digits {
		if j > fixed {
			d = (d + 1) / 16 * 15 // 15 goes on, anything else is followed by 0s
		} else if rng.IntN(3) > 0 {
			d = []int64{0, 15, rng.Int64N(16)}[rng.IntN(3)]
		}
		x.Or(x, new(big.Int).Lsh(big.NewInt(d), uint(4*j)))
	}
	return x
}

// TestPosition compares the circuit with clear values: edges, numbers of all
// lengths, and such that the opened number has runs of zeros and fifteens,
// where the circuit's public choices lie.
func TestPosition(t *testing.T) {
	runs := testcases.OneOf(t, 3)
	for _, d := range []struct{ digits, k int }{{1, 64}, {2, 64}, {3, 64}, {4, 64}, {5, 64}, {8, 64}, {10, 64}, {12, 64}, {15, 64}, {16, 64},
		{12, 128}, {23, 128}, {25, 128}, {32, 128}, {40, 160}} {
		for _, n := range []int{2, 3} {
			for _, signed := range []bool{false, true} {
				if !runs() || signed && d.digits == 1 || d.digits >= 23 && n > 2 || raced && (d.digits >= 23 || d.digits%4 > 0) {
					continue
				}
				t.Run(fmt.Sprintf("%d digits/k=%d/n=%d/signed=%v", d.digits, d.k, n, signed), func(t *testing.T) {
					t.Parallel()
					checkPosition(t, d.digits, d.k, n, signed)
				})
			}
		}
	}
}

// checkPosition compares the planes of numbers near powers of 16, and of random ones, with their definition.
func checkPosition(t *testing.T, digits, k, n int, signed bool) {
	checkPositionOf(t, positionKey{digits: digits, signed: signed, zero: true}, k, n)
	if digits > 1 {
		checkPositionOf(t, positionKey{digits: digits, signed: signed}, k, n)
	}
	if signed {
		return
	}
	checkPositionOf(t, positionKey{digits: digits, zero: true, quarters: digits}, k, n)
	if 4*digits < k {
		checkPositionOf(t, positionKey{digits: digits, zero: true, quarters: digits, full: true}, k, n)
	}
}

func checkPositionOf(t *testing.T, key positionKey, k, n int) {
	digits, signed, quarters := key.digits, key.signed, key.quarters
	width := 4 * digits
	if quarters > 0 && !key.full {
		width--
	}
	all := new(big.Int).Lsh(big.NewInt(1), uint(width))
	into := func(x *big.Int) *big.Int { // the range that the circuit takes
		if x = new(big.Int).Mod(x, all); signed {
			return centred(x, width)
		}
		return x
	}
	rng := rand.New(rand.NewPCG(uint64(digits), uint64(n)))
	var edges []*big.Int
	for j := range digits + 1 {
		for _, c := range []int64{1, -1, 8, -8, 15} {
			for d := range int64(3) {
				x := new(big.Int).Lsh(big.NewInt(c), uint(4*j))
				edges = append(edges, into(x.Add(x, big.NewInt(d-1))))
			}
		}
	}
	xs := slices.Clone(edges)
	for range 400 {
		xs = append(xs, into(pattern(rng, digits)))
	}
	var mu sync.Mutex
	var delta ring.Vec
	// rough checks a bit that is 1 if x ≥ to and 0 if x ≤ from.
	rough := func(what string, x *big.Int, got, from, to int64, j int) {
		low, high := new(big.Int).Lsh(big.NewInt(from), uint(4*j)), new(big.Int).Lsh(big.NewInt(to), uint(4*j))
		if got != 0 && got != 1 || got == 1 && x.Cmp(low) <= 0 || got == 0 && x.Cmp(high) >= 0 {
			t.Fatalf("%+v: %s %d of %v is %d", key, what, j, x, got)
		}
	}
	run := func() {
		v := ring.FromBig(ring.Z(k), xs)
		keep := func(v ring.Vec) {
			mu.Lock()
			defer mu.Unlock()
			delta = v
		}
		tr := trial{n: n, k: v.Ring(), seed: 3, in: []operand{{v: v}}, build: positions(key, keep)}
		o := tr.run(t)
		for i, x := range xs {
			for j, want := range expectedPositions(x, digits, signed, key.zero) {
				got := o.out[j].Int(i).Int64()
				if quarters > 0 && j > 0 {
					rough("place", x, got, 15, 16, j-1)
				} else if got != want {
					t.Fatalf("%+v: bit %d of %v is %d, want %d", key, j, x, got, want)
				}
			}
			for j := range quarters {
				rough("quarter", x, o.out[len(o.out)-quarters+j].Int(i).Int64(), 3, 4, j)
			}
		}
	}
	run()
	// The masks are the same in each run: numbers that make Δ a pattern.
	for i := range xs {
		if i%2 == 0 {
			lambda := new(big.Int).Sub(delta.Int(i), xs[i])
			xs[i] = into(new(big.Int).Sub(pattern(rng, digits), lambda))
		}
	}
	run()
}
