package aby3

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// view is what a party receives in some phases.
func (r *record) view(rank int, phases ...link.Phase) []message {
	var out []message
	for _, m := range r.messages {
		if m.to == rank && slices.Contains(phases, m.key.Phase) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b message) int {
		for _, d := range []int{int(a.key.Phase) - int(b.key.Phase), int(a.key.Op) - int(b.key.Op), int(a.key.Step) - int(b.key.Step)} {
			if d != 0 {
				return d
			}
		}
		return a.from - b.from
	})
	return out
}

// TestWhoTalks holds all messages of runs to the list in the package's doc.
func TestWhoTalks(t *testing.T) {
	for _, g := range gates {
		for _, owners := range [][2]int{{0, 1}, {2, 2}, {4, 3}} {
			tr := g.of(owners, 64)
			tr.parties, tr.to = 5, []int{1, 2, 4}
			rec := tr.run(t)
			dealt := map[link.Key]int64{}
			for _, r := range rec.form.Requests {
				dealt[correctionKey(r.ID)] = r.Bytes()
			}
			for _, m := range rec.messages {
				ok := false
				switch m.key.Phase {
				case link.Offline:
					want, asked := dealt[m.key]
					delete(dealt, m.key)
					ok = m.from == 2 && m.to == 1 && asked && want == int64(len(m.data))
				case link.Input:
					ok = m.to < 2 && (slices.Contains(owners[:], m.from) || m.from < 3 && g.name == "known to each owner")
				case link.Online:
					ok = m.from < 2 && m.to == 1-m.from
				case link.Output:
					ok = m.from < 2 && slices.Contains(tr.to, m.to) && len(m.data) == 64*8
				}
				if !ok {
					t.Errorf("%s of %v: party %d sends %d bytes to party %d (%v)", g.name, owners, m.from, len(m.data), m.to, m.key)
				}
			}
			if len(dealt) > 0 {
				t.Errorf("%s of %v: nothing came for %v", g.name, owners, dealt)
			}
		}
	}
}

// TestViews looks through all that each party receives for what it must not
// see: P2 for Δ of anything, of inputs and what is opened, and for the other's
// messages; P0 and P1 for the other's λ; each for others' inputs.
func TestViews(t *testing.T) {
	const n = 64
	for _, g := range gates {
		for _, owners := range [][2]int{{0, 1}, {2, 1}, {0, 2}} {
			t.Run(fmt.Sprintf("%s/%v", g.name, owners), func(t *testing.T) {
				tr := g.of(owners, n)
				for i := range tr.in { // numbers that no other is by chance
					v := ring.New(ring.Z(64), n)
					ring.NewPRG(ring.Seed{4, byte(i)}).Vec(v, 0, 0)
					tr.in[i].v, tr.in[i].bound = v, 62
				}
				rec := tr.run(t)
				everything := []link.Phase{link.Offline, link.Input, link.Online}
				var deltas words
				for rank := range Computing {
					for _, m := range rec.view(rank, link.Input) {
						deltas.add(m.data)
					}
				}
				if len(deltas) == 0 {
					t.Fatal("no input's Δ was seen")
				}
				if got := rec.view(2, everything...); len(got) > 0 {
					t.Errorf("P2 receives %d messages before the output", len(got))
				}
				to0, to1 := rec.view(0, link.Online), rec.view(1, link.Online)
				if len(to0) != len(to1) {
					t.Fatalf("%d messages to P0 and %d to P1", len(to0), len(to1))
				}
				for i, m := range to0 { // what is opened is the sum of what they tell each other
					deltas.add(m.data)
					deltas.add(to1[i].data)
					deltas.add(added(m.data, to1[i].data))
				}
				for _, m := range rec.view(2, link.Output) {
					if at := deltas.in(m.data); at >= 0 {
						t.Errorf("P%d's message to P2 holds a Δ at byte %d (%v)", m.from, at, m.key)
					}
				}
				for rank := range Computing {
					var others words
					for _, v := range rec.masks[1-rank] {
						if v.Ring().Bits == 64 && !zero(v) {
							others.vec(v)
						}
					}
					for i, o := range tr.in {
						if owners[i] != rank {
							others.vec(o.v)
						}
					}
					if len(others) == 0 {
						t.Fatal("nothing is looked for")
					}
					for _, m := range rec.view(rank, append(everything, link.Output)...) {
						if at := others.in(m.data); at >= 0 {
							t.Errorf("P%d's message to P%d holds λ of the other, or an input, at byte %d (%v)", m.from, rank, at, m.key)
						}
					}
				}
				if deltas.in(rec.view(1, link.Input, link.Online)[0].data) < 0 {
					t.Error("the search does not find what is there")
				}
			})
		}
	}
}

// words are numbers of 64 bits to look for.
type words map[uint64]bool

func (w *words) add(data []byte) {
	if *w == nil {
		*w = words{}
	}
	for ; len(data) >= 8; data = data[8:] {
		(*w)[binary.LittleEndian.Uint64(data)] = true
	}
}

func (w *words) vec(v ring.Vec) {
	var out ring.Writer
	out.Vec(v)
	w.add(out.Payload().Data)
}

// in is where a message holds one of the numbers, at any byte; −1 if nowhere.
func (w words) in(data []byte) int {
	for i := range max(0, len(data)-7) {
		if w[binary.LittleEndian.Uint64(data[i:])] {
			return i
		}
	}
	return -1
}

func zero(v ring.Vec) bool {
	return !slices.ContainsFunc(v.Words(), func(x uint64) bool { return x != 0 })
}

// added is the sum of messages as numbers of 64 bits.
func added(a, b []byte) []byte {
	out := slices.Clone(a)
	for i := 0; i+8 <= len(a); i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(a[i:])+binary.LittleEndian.Uint64(b[i:]))
	}
	return out
}

// TestMasked: what a party receives is masked by what it lacks. With all that
// it knows the same, other seeds of the others make all of every message
// another, uniformly: to P0 and P1 the other's seed with P2, to P2 the seed of
// P0 and P1.
func TestMasked(t *testing.T) {
	const n = 1 << 12
	for _, g := range gates {
		if g.name == "look-up" || g.name == "disclosed" || g.name == "sort" {
			continue // of so large a table; what P0 and P1 are to learn; of a random order
		}
		for _, owners := range [][2]int{{0, 1}, {2, 1}, {2, 2}, {0, 0}} {
			t.Run(fmt.Sprintf("%s/%v", g.name, owners), func(t *testing.T) {
				tr := g.of(owners, n)
				for i, o := range tr.in { // all elements alike: uniform only by masks
					for j := 1; j < n; j++ {
						o.v.Slice(j, j+1).Words()[0] = o.v.Words()[0]
					}
					tr.in[i] = o
				}
				first := tr.run(t)
				for rank := range Parties {
					other, phases := tr, []link.Phase{link.Offline, link.Input, link.Online}
					if rank == Dealer {
						other.zero, phases = 1, []link.Phase{link.Output}
					} else {
						other.seeds[1-rank] = 1
					}
					second := other.run(t)
					a, b := first.view(rank, phases...), second.view(rank, phases...)
					if len(a) != len(b) || len(a) == 0 && g.name != "sum" && !slices.Equal(owners[:], []int{rank, rank}) {
						t.Fatalf("P%d receives %d and %d messages", rank, len(a), len(b))
					}
					for i, m := range a {
						diff := slices.Clone(m.data)
						for j := range diff {
							diff[j] ^= b[i].data[j]
						}
						for _, data := range [][]byte{m.data, diff} {
							if s := unlike(data); s > 6 {
								t.Errorf("%d bytes of P%d to P%d are %.1f sigma from uniform (%v)", len(data), m.from, rank, s, m.key)
							}
						}
					}
				}
			})
		}
	}
}

// unlike is how far bytes are from uniform, in standard deviations.
func unlike(data []byte) float64 {
	if len(data) < 256 {
		return 0
	}
	var counts [256]float64
	for _, b := range data {
		counts[b]++
	}
	mean, sum := float64(len(data))/256, 0.0
	for _, c := range counts {
		sum += (c - mean) * (c - mean) / mean
	}
	return math.Abs(sum-255) / math.Sqrt(2*255)
}

// TestRevealIsRerandomised: P2 knows all masks and all that was dealt, so it
// could tell what P0 and P1 hold from their shares of a result. What they send
// it depends on their own seed, is new each time, and still adds up to the
// result. Of a result that is rounded, which way depends on that seed too.
func TestRevealIsRerandomised(t *testing.T) {
	const n = 1 << 10
	for _, g := range gates {
		tr := g.of([2]int{0, 0}, n)
		if g.name == "look-up" {
			tr = g.of([2]int{0, 0}, 64)
		}
		tr.build = func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			x := g.build(p, op, in[0], in[1])
			return []mpc.Secret{x, x} // what is revealed twice is masked twice
		}
		var sums []ring.Vec
		var sent [][]byte
		for zero := range byte(2) {
			tr.zero = zero
			rec := tr.run(t)
			v := rec.view(2, link.Output)
			if len(v) != 4 {
				t.Fatalf("%s: P2 receives %d messages", g.name, len(v))
			}
			if a, b := rec.out[2][0], rec.out[2][1]; !slices.Equal(a.Words(), b.Words()) {
				t.Errorf("%s: what is revealed twice is %v and %v", g.name, a, b)
			}
			sums = append(sums, rec.out[2][0])
			for _, m := range v {
				if s := unlike(m.data); s > 6 {
					t.Errorf("%s: P%d's part is %.1f sigma from uniform", g.name, m.from, s)
				}
				for _, old := range sent {
					if bytes.Equal(old[:8], m.data[:8]) {
						t.Errorf("%s: P%d sends the same part again", g.name, m.from)
					}
				}
				sent = append(sent, m.data)
			}
		}
		differ, most := 0, int64(0)
		for i := range sums[0].Len() {
			if d := new(big.Int).Sub(sums[0].Int(i), sums[1].Int(i)); d.Sign() != 0 {
				differ, most = differ+1, max(most, d.Abs(d).Int64())
			}
		}
		switch rounded := strings.Contains(g.name, "truncated") || strings.Contains(g.name, "dropped") || g.name == "exponential"; {
		case rounded && (most > 1 || differ < sums[0].Len()/10):
			t.Errorf("%s: the seed of P0 and P1 rounds %d of %d results otherwise, by up to %d", g.name, differ, sums[0].Len(), most)
		case !rounded && differ > 0:
			t.Errorf("%s: the result depends on the seed of P0 and P1", g.name)
		}
	}
}
