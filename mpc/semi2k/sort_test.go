package semi2k

import (
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// sorting is a trial's Sort: keys and what is moved beside them.
func sorting(s mpc.Sorting, keys int) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		out, at := p.Sort(op, s, in[:keys], in)
		if at != nil {
			out = append(out, at)
		}
		return out
	}
}

// sorted is what Sort of operands gives, as text, row by row.
func sorted(s mpc.Sorting, in []operand, keys int) []string {
	var out []string
	for g := range s.Groups {
		rows := make([]int, s.Rows)
		for i := range rows {
			rows[i] = i
		}
		slices.SortStableFunc(rows, func(a, b int) int {
			for i, k := range in[:keys] {
				c := k.v.Int(g*s.Rows + a).Cmp(k.v.Int(g*s.Rows + b))
				if s.Descending[i] {
					c = -c
				}
				if c != 0 {
					return c
				}
			}
			return 0
		})
		for _, r := range rows[:s.First] {
			var row []*big.Int
			for _, x := range in {
				row = append(row, x.v.Int(g*s.Rows+r))
			}
			if s.At.Bits > 0 {
				row = append(row, big.NewInt(int64(r)))
			}
			out = append(out, fmt.Sprint(row))
		}
	}
	return out
}

// TestSort sorts keys with many ties, of several widths and up to the ends of
// their range, open and closed, with what is moved along.
func TestSort(t *testing.T) {
	t.Parallel()
	key := func(k, bound, n int, seed byte, masked bool) operand {
		v := extremes(ring.Z(k), bound, n, seed)
		for i := range n / 3 { // ties
			copy(v.Words()[i*v.Ring().Words():(i+1)*v.Ring().Words()], v.Words()[(n-1-i)*v.Ring().Words():])
		}
		return operand{v: v, bound: bound, masked: masked}
	}
	for _, c := range []struct {
		name string
		s    mpc.Sorting
		in   func(n int) []operand
		keys int
	}{
		{"floats", mpc.Sorting{Groups: 1, Rows: 100, Descending: []bool{false}, First: 100},
			func(n int) []operand { return []operand{key(64, 62, n, 1, true)} }, 1},
		{"wide, closed", mpc.Sorting{Groups: 1, Rows: 70, Descending: []bool{true}, First: 70, At: ring.Z(32)}, func(n int) []operand {
			return []operand{key(128, 126, n, 1, false), {v: extremes(ring.Z(9), 5, n, 3)}}
		}, 1},
		{"bytes, groups", mpc.Sorting{Groups: 7, Rows: 40, Descending: []bool{true}, First: 40, At: ring.Z(64)},
			func(n int) []operand { return []operand{key(10, 8, n, 1, true)} }, 1},
		{"the first few", mpc.Sorting{Groups: 3, Rows: 60, Descending: []bool{false}, First: 4, At: ring.Z(8)},
			func(n int) []operand { return []operand{key(32, 30, n, 1, false)} }, 1},
		{"three keys", mpc.Sorting{Groups: 2, Rows: 50, Descending: []bool{false, true, false}, First: 50, At: ring.Z(16)}, func(n int) []operand {
			return []operand{key(4, 2, n, 1, true), key(64, 3, n, 5, false), key(64, 62, n, 7, false), {v: extremes(ring.Z(1), 1, n, 3)}}
		}, 3},
		{"two", mpc.Sorting{Groups: 3, Rows: 2, Descending: []bool{false}, First: 2},
			func(n int) []operand { return []operand{key(64, 62, n, 1, true)} }, 1},
		{"one", mpc.Sorting{Groups: 3, Rows: 1, Descending: []bool{false}, First: 1},
			func(n int) []operand { return []operand{key(64, 62, n, 1, true)} }, 1},
	} {
		for _, parties := range []int{2, 3, 5} {
			t.Run(fmt.Sprintf("%s/n=%d", c.name, parties), func(t *testing.T) {
				in := c.in(c.s.Len())
				tr := trial{n: parties, seed: byte(parties), in: in, build: sorting(c.s, c.keys)}
				if parties == 5 { // long openings take two rounds
					tr.scatter = 200
				}
				res := tr.run(t)
				var got []string
				for i := range c.s.Groups * c.s.First {
					var row []*big.Int
					for _, x := range res.out {
						row = append(row, x.Int(i))
					}
					got = append(got, fmt.Sprint(row))
				}
				if want := sorted(c.s, in, c.keys); !slices.Equal(got, want) {
					t.Errorf("got\n%v\nwant\n%v", got, want)
				}
			})
		}
	}
}

// BenchmarkSort sorts 10,000 numbers of 64 bits among two parties, dealer
// included.
func BenchmarkSort(b *testing.B) {
	const n = 10000
	in := []operand{{v: extremes(ring.Z(64), 62, n, 1), masked: true}}
	s := mpc.Sorting{Groups: 1, Rows: n, Descending: []bool{false}, First: n}
	for b.Loop() {
		res := trial{n: 2, in: in, build: sorting(s, 1)}.run(b)
		b.ReportMetric(float64(res.online)/n, "B/row")
		b.ReportMetric(float64(res.rounds), "rounds")
		b.ReportMetric(float64(res.dealt)/n, "dealt-B/row")
	}
}

const sortsFile = "testdata/sorts.txt"

// TestSortCosts holds what a plan expects sorts to cost against a golden file:
// among two parties: bytes that each sends and that are dealt for each row,
// rounds, messages.
func TestSortCosts(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "%6s %6s %6s %4s %7s %9s %9s %9s\n", "groups", "rows", "first", "bits", "rounds", "B/row", "messages", "dealt")
	for _, c := range []struct{ groups, rows, first, bound int }{
		{1, 65, 65, 62}, {1, 1000, 1000, 62}, {1, 10000, 10000, 62}, {1, 10000, 10000, 48}, {1, 10000, 10, 62}, {1, 10000, 10000, 8},
		{100, 100, 100, 62}, {1, 10000, 10000, 126},
	} {
		s := mpc.Sorting{Groups: c.groups, Rows: c.rows, Descending: []bool{false}, First: c.first}
		k := ring.Z(max(64, c.bound+2))
		_, form, cost, g := trial{
			n:     2,
			in:    []operand{{v: ring.ShapeOnly(k, s.Len()), bound: c.bound, masked: true}},
			build: sorting(s, 1),
		}.dryRun(
			0,
		)
		each := float64(s.Len())
		fmt.Fprintf(&b, "%6d %6d %6d %4d %7d %9.1f %9d %9.1f\n", c.groups, c.rows, c.first, c.bound,
			g.Rounds(), float64(cost.Bytes.Load())/each, cost.Messages.Load(), float64(form.Bytes())/each)
	}
	if *rewrite {
		if err := os.WriteFile(sortsFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(sortsFile)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("costs changed (-want +got); if that is meant, run go test -run TestSortCosts -rewrite:\n%s", d)
	}
}
