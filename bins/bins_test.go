package bins

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// TestBinning compares bins with counts in cleartext: random bins, small ones, of one class, empty, with missing values.
func TestBinning(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 6 {
		const rows, n, least = 60, 5, 6
		b := &Binning{Parties: []string{"a", "b"}, Rows: rows, Owner: 1, MinGroup: least, Target: make([]float64, rows)}
		for i := range b.Target {
			b.Target[i] = float64(r.IntN(2))
		}
		for owner := range 2 {
			for name, levels := range map[string][]string{"x": nil, "s": {"p", "q", "r", "t", "u"}} {
				f := Feature{Name: b.Parties[owner] + "." + name, Owner: owner, Bins: n, Levels: levels, Of: make([]int, rows)}
				if levels == nil {
					f.Bounds = []float64{-1, 0, 1e9, math.Inf(1), math.Inf(1)}
				}
				weights := []int{r.IntN(3), 1, 3, r.IntN(12), 9, r.IntN(2)}
				for i := range f.Of {
					for at := r.IntN(25); ; f.Of[i] = (f.Of[i] + 1) % len(weights) {
						if at -= weights[f.Of[i]]; at < 0 {
							break
						}
					}
					if f.Of[i] == 2 && r.IntN(9) > 0 { // nearly of one class
						b.Target[i] = 1
					}
				}
				b.Features = append(b.Features, f)
			}
		}
		spec, err := b.Spec()
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Result(out.Results)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range b.Features {
			counts, positives, bad := make([]int, n+1), make([]int, n+1), make([]bool, n+1)
			for row, cell := range f.Of {
				counts[cell]++
				positives[cell] += int(b.Target[row])
			}
			for c := range bad {
				bad[c] = positives[c] == 0 || positives[c] == counts[c]
			}
			hidden := Withheld(counts, least, bad)
			at, value := 0, 0.0
			for c := range counts {
				if counts[c] == 0 {
					continue
				}
				bin := got.Features[i].Bins[at]
				at++
				if bin.Withheld != hidden[c] || bin.Missing != (c == n) {
					t.Fatalf("%s: bin %d of %v with positives %v: %+v, want withheld: %v", f.Name, c, counts, positives, bin, hidden[c])
				}
				if hidden[c] {
					if bin.Rows != 0 || bin.Positives != 0 || bin.Evidence != nil {
						t.Errorf("%s: a withheld bin has %+v", f.Name, bin)
					}
					continue
				}
				p, q := float64(positives[c])/float64(got.Positives), float64(counts[c]-positives[c])/float64(rows-got.Positives)
				evidence := math.Log(p / q)
				value += (p - q) * evidence
				if bin.Rows != counts[c] || bin.Positives != positives[c] || math.Abs(*bin.Evidence-evidence) > 1e-12 {
					t.Errorf("%s: bin %d is %+v, want %d rows, %d positives", f.Name, c, bin, counts[c], positives[c])
				}
			}
			if v := got.Features[i].Value; v != nil && math.Abs(*v-value) > 1e-12 {
				t.Errorf("%s: information value %v, want %v", f.Name, *v, value)
			}
		}
		var text strings.Builder
		if err := got.Print(&text); err != nil || !strings.Contains(text.String(), "a.x: information value") {
			t.Errorf("printed: %v\n%s", err, &text)
		}
	}
}

// TestWithheld: withheld groups are two or more, and of the least number of rows together.
func TestWithheld(t *testing.T) {
	for _, c := range []struct {
		counts []int
		least  int
		bad    []bool
		want   string
	}{
		{[]int{10, 20, 30}, 5, nil, "..."},
		{[]int{10, 1, 30}, 5, nil, "xx."},
		{[]int{0, 1, 30, 1}, 5, nil, ".xxx"},
		{[]int{2, 2, 9, 8, 0}, 5, nil, "xx.x."},
		{[]int{3, 3, 9, 8}, 5, nil, "xx.."},
		{[]int{30, 20, 9, 8}, 5, []bool{true, false, false, false}, "x..x"},
		{[]int{4}, 5, nil, "x"},
	} {
		got := ""
		for _, hidden := range Withheld(c.counts, c.least, c.bad) {
			got += map[bool]string{true: "x", false: "."}[hidden]
		}
		if got != c.want {
			t.Errorf("%v, at least %d, %v: got %s, want %s", c.counts, c.least, c.bad, got, c.want)
		}
	}
}

// TestGroups compares sums over groups with sums in cleartext.
func TestGroups(t *testing.T) {
	const rows = 40
	g := &Groups{
		Parties: []string{"a", "b"}, Rows: rows, Owner: 0, By: []string{"a.s", "a.t"}, Levels: [][]string{{"p", "q"}, {"1", "2", "3"}}, MinGroup: 5,
		Of: make([]int, rows), Values: []Value{{"b.y", 1, make([]float64, rows)}, {"a.x", 0, make([]float64, rows)}},
	}
	for i := range rows {
		g.Of[i] = []int{0, 0, 0, 1, 3, 3, 5, 5}[i%8]
		g.Values[0].Values[i], g.Values[1].Values[i] = 1e6*float64(i)+0.25, float64(i)*1e-3
	}
	g.Of[0] = 4 // one row: withheld, with the next smallest
	spec, err := g.Spec()
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.Result(out.Results)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, x := range got.Groups {
		names = append(names, strings.Join(x.Levels, ""))
		if want := slices.Contains([]string{"p2", "q2"}, names[len(names)-1]); x.Withheld != want || want != (x.Sums == nil) {
			t.Errorf("group %v: %+v", x.Levels, x)
		}
		for k, sum := range x.Sums {
			want, n := 0.0, 0
			for row, cell := range g.Of {
				if slices.Equal(g.levels(cell), x.Levels) {
					want += g.Values[k].Values[row]
					n++
				}
			}
			if math.Abs(sum-want) > 1e-9*math.Abs(want) || x.Rows != n || math.Abs(*x.Means[k]-want/float64(n)) > 1e-9*math.Abs(want) {
				t.Errorf("group %v: sum %v of %d rows, want %v of %d", x.Levels, sum, x.Rows, want, n)
			}
		}
	}
	if !slices.Equal(names, []string{"p1", "p2", "q1", "q2", "q3"}) {
		t.Errorf("groups %v", names)
	}
}

// TestStackedApart: groups are withheld so that fewer rows of a party than the least number, but some, are not what remains of its rows.
func TestStackedApart(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want string
	}{ // rows of each group at both parties
		{[]int{1, 0, 8}, []int{6, 6, 8}, "x.x"}, // without a's row the first two groups would do
		{[]int{1, 0, 8, 9}, []int{0, 6, 4, 9}, "xxx."},
		{[]int{3, 3, 8}, []int{0, 6, 8}, "xx."},
		{[]int{6, 0, 7}, []int{0, 6, 0}, "..."},
		{[]int{2, 0, 0}, []int{9, 8, 7}, "x.x"},
	} {
		g := &Groups{Parties: []string{"a", "b"}, By: []string{"s"}, Levels: [][]string{nil}, MinGroup: 5, Stacked: []int{0, 0}}
		for rank, counts := range [][]int{c.a, c.b} {
			d := &GroupRows{}
			for group, n := range counts {
				d.Of = append(d.Of, slices.Repeat([]int{group}, n)...)
			}
			g.Data, g.Stacked[rank] = append(g.Data, d), len(d.Of)
		}
		for i := range c.a {
			g.Levels[0] = append(g.Levels[0], fmt.Sprint(i))
		}
		g.Rows = g.Stacked.Total()
		spec, err := g.Spec()
		if err != nil {
			t.Fatal(err)
		}
		spec.Protocol, spec.Network = "plain", "none"
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := g.Result(out.Results)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, x := range r.Groups {
			got += map[bool]string{true: "x", false: "."}[x.Withheld]
		}
		if got != c.want {
			t.Errorf("%v and %v rows: got %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestStackedRefused: rows of stacked tables that do not fit the groups are an error that says which.
func TestStackedRefused(t *testing.T) {
	for want, change := range map[string]func(g *Groups){
		"b: row 2 has none of the groups": func(g *Groups) { g.Data[1].Of[1] = 2 },
		"a: row 1 has none of the groups": func(g *Groups) { g.Data[0].Of[0] = -1 },
		"y of b has 1 rows":               func(g *Groups) { g.Data[1].Values[0] = []float64{1} },
		"the table of a has 1 rows":       func(g *Groups) { g.Data[0].Of = g.Data[0].Of[:1] },
		"tables of 3 parties":             func(g *Groups) { g.Data = append(g.Data, g.Data[0]) },
	} {
		rows := func() *GroupRows { return &GroupRows{Of: []int{0, 1}, Values: [][]float64{{1, 2}}} }
		g := &Groups{
			Parties: []string{"a", "b"}, Rows: 4, MinGroup: 1, By: []string{"s"}, Levels: [][]string{{"p", "q"}}, Values: []Value{{Name: "y"}},
			Stacked: []int{2, 2}, Data: []*GroupRows{rows(), rows()},
		}
		change(g)
		if _, err := g.Spec(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestRefused: what cannot be computed is an error that says why.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(*Binning, *Groups){
		"0 rows":            func(b *Binning, g *Groups) { b.Rows, g.Rows = 0, 0 },
		"min_group: want 1": func(b *Binning, g *Groups) { b.MinGroup, g.MinGroup = 9, 9 },
		"3 rows, and":       func(b *Binning, g *Groups) { b.Target, g.Of = make([]float64, 3), make([]int, 3) },
		"row 1 of ": func(b *Binning, g *Groups) {
			b.Target, g.Values[0].Values = []float64{2, 0, 0, 0}, []float64{math.NaN(), 0, 0, 0}
		},
	} {
		b := &Binning{Parties: []string{"a", "b"}, Rows: 4, MinGroup: 1, Features: []Feature{{Name: "a.x", Bins: 2}}}
		g := &Groups{
			Parties: []string{"a", "b"}, Rows: 4, MinGroup: 1, By: []string{"a.s"}, Levels: [][]string{{"p", "q"}},
			Values: []Value{{Name: "b.y", Owner: 1}},
		}
		change(b, g)
		for _, w := range []interface{ Spec() (party.Spec, error) }{b, g} {
			if _, err := w.Spec(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%T: got %v, want %q", w, err, want)
			}
		}
	}
}
