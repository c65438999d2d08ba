package psi

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/ring"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// keys returns n distinct keys; those of equal numbers from two calls are equal.
func keys(from, n int) []Key {
	prg, out := ring.NewPRG(ring.Seed{1}), make([]Key, n)
	for i := range out {
		s := prg.Seed(uint64(from+i), 0)
		out[i] = Key{binary.LittleEndian.Uint64(s[:]), binary.LittleEndian.Uint64(s[8:])}
	}
	rand.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// wrongRows counts rows of an outcome that are not those of a map of the keys.
func wrongRows(s Spec, out *Outcome) int {
	wrong, at := 0, map[Key]int{}
	for i, k := range s.Keys[0] {
		at[k] = i
	}
	common := 0
	for _, k := range s.Keys[1] {
		if _, ok := at[k]; ok {
			common++
		}
	}
	a, b := out.Rows[0], out.Rows[1]
	if len(a) != common || len(b) != common {
		return max(1, common)
	}
	seen := map[int]bool{}
	for i := range a {
		if s.Keys[0][a[i]] != s.Keys[1][b[i]] || seen[a[i]] {
			wrong++
		}
		seen[a[i]] = true
	}
	return wrong
}

// TestRun compares with a map, and measured costs with those of the plan and of the formulas.
func TestRun(t *testing.T) {
	type sizes struct{ a, b, common int }
	cases := []sizes{
		{0, 0, 0}, {0, 5, 0}, {5, 0, 0}, {1, 1, 1}, {1, 1, 0}, {2, 2, 1}, {1000, 1000, 0}, {1000, 1000, 1000},
		{3000, 700, 400}, {1, 5000, 1}, {20000, 20000, 9999},
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			s := Spec{Parties: []string{"alice", "bob"}, Keys: [][]Key{keys(0, c.a), keys(c.a-c.common, c.b)}}
			out, err := Run(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if n := wrongRows(s, out); n > 0 {
				t.Errorf("%d rows are wrong", n)
			}
			if len(out.Rows[0]) != c.common {
				t.Errorf("%d rows, want %d", len(out.Rows[0]), c.common)
			}
			plan, err := Plan(Spec{Parties: s.Parties}, [2]int{c.a, c.b})
			if err != nil {
				t.Fatal(err)
			}
			r := out.Report
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
			small, big := min(c.a, c.b), max(c.a, c.b)
			m := small + (small+9)/10 + 256
			if want, got := int64(16+8*m+10*big+(big+7)/8), r.Online.BytesSent[0]+r.Online.BytesSent[1]; got != want {
				t.Errorf("%d bytes online, want %d", got, want)
			}
			if want := int64(16 * m); r.Offline.BytesSent != want {
				t.Errorf("%d bytes dealt, want %d", r.Offline.BytesSent, want)
			}
			if r.Online.Rounds != 3 {
				t.Errorf("%d rounds, want 3", r.Online.Rounds)
			}
		})
	}
}

// TestMillion is the size of the bar: TACET_TEST_PSI=1000000.
func TestMillion(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("TACET_TEST_PSI"))
	if n == 0 {
		t.Skip("TACET_TEST_PSI is the number of keys")
	}
	s := Spec{Parties: []string{"alice", "bob"}, Keys: [][]Key{keys(0, n), keys(n/2, n)}}
	out, err := Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrongRows(s, out); n > 0 {
		t.Errorf("%d rows are wrong", n)
	}
	r := out.Report
	each := float64(r.Online.BytesSent[0]+r.Online.BytesSent[1]) / float64(n)
	t.Logf("%d × %d keys: dealt in %.3f s, %.1f bytes an item; online %.3f s, %.1f bytes an item, %d rounds",
		n, n, r.Offline.Seconds, float64(r.Offline.BytesSent)/float64(n), r.Online.Seconds, each, r.Online.Rounds)
	if each > 20 || float64(r.Offline.BytesSent)/float64(n) > 20 {
		t.Error("more than 20 bytes an item")
	}
}

// TestSizes: messages of disjoint and equal sets have equal sizes.
func TestSizes(t *testing.T) {
	var sent [2][]int64
	for i, from := range []int{0, 500} {
		out, err := Run(context.Background(), Spec{Parties: []string{"a", "b"}, Keys: [][]Key{keys(0, 500), keys(from, 500)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range out.Report.Ops {
			sent[i] = append(sent[i], o.BytesSent...)
			sent[i] = append(sent[i], o.Messages...)
		}
	}
	if !slices.Equal(sent[0], sent[1]) {
		t.Errorf("equal sets send %v, disjoint ones %v", sent[0], sent[1])
	}
}

// uniform fails if the bits of some bytes are not balanced: ten standard deviations.
func uniform(t *testing.T, what string, data []byte) {
	t.Helper()
	n := len(data)
	for bit := range 8 {
		ones := 0
		for _, b := range data {
			ones += int(b >> bit & 1)
		}
		if math.Abs(float64(ones)-float64(n)/2) > 5*math.Sqrt(float64(n)) {
			t.Errorf("%s: bit %d is 1 in %d of %d bytes", what, bit, ones, n)
		}
	}
}

// TestMessages checks what is seen: the encoding is uniform, also of no keys and of one; values of keys that are not
// common are uniform; and their order does not follow the rows.
func TestMessages(t *testing.T) {
	for _, n := range []int{0, 1, 4000} {
		s := &side{lengths: newLengths(VOLE, n, n), keys: keys(0, n), seed: ring.NewSeed()}
		rows, err := newHasher(ring.Seed{7}, s.entries).rows(s.keys, s.entries)
		if err != nil {
			t.Fatal(err)
		}
		p, err := encode(rows, s.entries, nil)
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		for i, a := range joins.Stream(s.seed, joins.Mask, s.entries) {
			out = binary.LittleEndian.AppendUint64(out, p[i]^a)
		}
		uniform(t, fmt.Sprint("encoding of ", n), out)
		out = out[:0]
		for _, x := range p {
			out = binary.LittleEndian.AppendUint64(out, x)
		}
		uniform(t, fmt.Sprint("store of ", n), out)
	}
	s := Spec{Parties: []string{"a", "b"}, Keys: [][]Key{keys(0, 1000), keys(0, 1000)}}
	out, err := Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for rank, rows := range out.Rows {
		fixed, rising := 0, 0
		for i, r := range rows {
			if i == r {
				fixed++
			}
			if i > 0 && rows[i-1] < r {
				rising++
			}
		}
		if fixed > 20 || rising < 400 || rising > 600 {
			t.Errorf("party %d: %d rows at their own places, %d ascending steps", rank, fixed, rising)
		}
	}
}

// TestFailureLaw counts singular matrices with narrow bands, w bits, and compares with the law of FailureBits.
func TestFailureLaw(t *testing.T) {
	const n, w, runs = 1 << 12, 28, 300
	failures := 0
	m := n*11/10 + w
	r := rand.New(rand.NewPCG(3, 4))
	pivot, starts := make([]uint64, m+64), make([]int, m+1)
	for range runs {
		clear(pivot)
		clear(starts)
		for range n {
			starts[r.IntN(m-w+1)]++
		}
		if !solvable(r, pivot, starts, w) {
			failures++
		}
	}
	law := 0.2708*w - 12 + 4.64
	got := -math.Log2(float64(failures) / runs)
	t.Logf("%d of %d: 2^-%.2f, law 2^-%.2f", failures, runs, got, law)
	if failures == 0 || math.Abs(got-max(law, 0)) > 1.2 {
		t.Errorf("2^-%.2f of matrices are singular, the law says 2^-%.2f", got, law)
	}
	for n, want := range map[int]float64{1 << 20: 53.96, 1 << 24: 49.96} {
		if got := FailureBits(n); math.Abs(got-want) > 0.1 {
			t.Errorf("FailureBits(%d) is %.2f, want %.2f", n, got, want)
		}
	}
}

func solvable(r *rand.Rand, pivot []uint64, starts []int, w int) bool {
	for start, rows := range starts {
		for range rows {
			x, p := r.Uint64()>>(64-w)|1, start
			for {
				for x != 0 && x&1 == 0 {
					x, p = x>>1, p+1
				}
				if x == 0 {
					return false
				}
				if pivot[p] == 0 {
					pivot[p] = x
					break
				}
				x ^= pivot[p]
			}
		}
	}
	return true
}

// TestSingular: keys whose rows depend on each other are an error, not a wrong result.
func TestSingular(t *testing.T) {
	m := entries(3)
	a := row{band: [bandWords]uint64{1 | 1<<5}, value: 1}
	b := row{band: [bandWords]uint64{1 | 1<<9}, value: 2}
	c := row{start: 5, band: [bandWords]uint64{1 | 1<<4}, value: 4} // c = a + b but for its value
	if _, err := encode([]row{a, b, c}, m, nil); err == nil {
		t.Error("a singular system was solved")
	}
}

func TestRefused(t *testing.T) {
	two := []string{"a", "b"}
	twice := append(keys(0, 10), keys(0, 1)...)
	for name, s := range map[string]Spec{
		"equal keys of the receiver": {Parties: two, Keys: [][]Key{twice, keys(0, 50)}},
		"equal keys of the sender":   {Parties: two, Keys: [][]Key{keys(0, 3), twice}},
		"one party":                  {Parties: two[:1], Keys: [][]Key{nil}},
		"three parties":              {Parties: []string{"a", "b", "c"}, Keys: [][]Key{nil, nil}},
		"network":                    {Parties: two, Keys: [][]Key{nil, nil}, Network: "fast"},
	} {
		if _, err := Run(context.Background(), s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Plan(Spec{Parties: two}, [2]int{MaxKeys + 1, 1}); err == nil {
		t.Error("too many keys are not refused")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, network := range []string{"none", "wan"} {
		if _, err := Run(ctx, Spec{Parties: two, Keys: [][]Key{keys(0, 9), keys(0, 9)}, Network: network}); err == nil {
			t.Errorf("network %s: a cancelled run has no error", network)
		}
	}
}

// TestNetwork runs on a slow line, and with values of eleven bytes.
func TestNetwork(t *testing.T) {
	s := Spec{Parties: []string{"a", "b"}, Keys: [][]Key{keys(0, 300), keys(100, 300)}, Network: "1e8/4ms"}
	out, err := Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrongRows(s, out); n > 0 {
		t.Errorf("%d rows are wrong", n)
	}
	if l := newLengths(VOLE, 1<<24, 1<<24); l.value != 11 {
		t.Errorf("%d bytes a value for 2^24 keys", l.value)
	}
	if _, err := link.ParseShape(out.Report.Network); err != nil {
		t.Error(err)
	}
}

// TestDecode compares with the definition, entry by entry, for rows at the store's ends too.
func TestDecode(t *testing.T) {
	const m = 5000
	p := joins.Blocks(ring.NewSeed(), 0, m)
	rows, err := newHasher(ring.NewSeed(), m).rows(keys(0, 3000), m)
	if err != nil {
		t.Fatal(err)
	}
	rows[0].start, rows[len(rows)-1].start = 0, m-band
	rows = append(rows[:1], rows[1000:]...) // a gap in the starts
	d := newDecoder(p)
	for i := range rows {
		r, want := &rows[i], block{}
		for bit := range band {
			if r.band[bit/64]>>(bit%64)&1 != 0 {
				e := p[int(r.start)+bit]
				want = block{want[0] ^ e[0], want[1] ^ e[1]}
			}
		}
		if got := d.decode(r); got != want {
			t.Fatalf("row %d at %d: got %x, want %x", i, r.start, got, want)
		}
	}
}
