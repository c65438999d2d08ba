package bins

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// ran runs a program and returns its results. Its measured costs must be those of the plan.
func ran(t *testing.T, spec party.Spec, err error) []*tensor.Array {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	spec.Protocol = "semi2k"
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report; fmt.Sprint(r.Online.BytesSent) != fmt.Sprint(r.Predicted.Online.BytesSent) {
		t.Error("costs are not those of the plan")
	}
	return out.Results
}

// besideRows are rows of two stacked tables and of a party beside them: numbers of rows by rank, the pooled tables' by rank.
var besideRows, pooledRows = []int{70, 0, 50}, []int{70, 50}

// TestBinsBeside: bins of columns of stacked tables and of a party beside them, with a target of either, are those of stacked tables with
// all columns: rows, positives, and which are withheld.
func TestBinsBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	n := 120
	levels := []string{"u", "v", "w"}
	var cells [3][]int // of a stacked column with bounds, a stacked one with levels, and one of levels beside them
	var x, y []float64
	for i := range n {
		x = append(x, float64(r.IntN(40)))
		cells[0] = append(cells[0], r.IntN(3))
		cells[1] = append(cells[1], min(3, r.IntN(9)))
		cells[2] = append(cells[2], (i/35+r.IntN(2))%4)
		y = append(y, float64(bit(r.Float64() < 0.3+0.1*float64(cells[0][i]))))
	}
	own := []float64{9, 19, 29, math.Inf(1)} // which the party beside has chosen
	var at []int
	for _, v := range x {
		at = append(at, int(v)/10)
	}
	of := [][]int{cells[0], at, cells[1], cells[2]}
	for _, owner := range []int{0, 1} {
		for _, least := range []int{1, 10} {
			b := &Binning{Parties: []string{"a", "c", "b"}, Rows: n, Stacked: besideRows, Owner: owner, MinGroup: least, Data: make([]*BinRows, 3)}
			b.Features = []Feature{
				{Name: "p", Bins: 2, Bounds: []float64{1, math.Inf(1)}}, {Name: "c.q", Owner: 1, Bins: 4},
				{Name: "s", Bins: 3, Levels: levels}, {Name: "c.t", Owner: 1, Bins: 3, Levels: levels},
			}
			pooled := &Binning{Parties: []string{"a", "b"}, Rows: n, Stacked: pooledRows, MinGroup: least}
			pooled.Features = append(pooled.Features, b.Features...)
			for i := range pooled.Features {
				pooled.Features[i].Owner = 0
			}
			pooled.Features[1].Bounds = own
			b.Data[1] = &BinRows{Of: [][]int{nil, of[1], nil, of[3]}, Bounds: [][]float64{nil, own, nil, nil}}
			if owner == 1 {
				b.Data[1].Target = y
			}
			for k, rows := range [][2]int{{0, 70}, {70, 120}} {
				all, d := &BinRows{Target: y[rows[0]:rows[1]]}, &BinRows{}
				for i := range of {
					mine := of[i][rows[0]:rows[1]]
					if all.Of = append(all.Of, mine); b.Features[i].Owner > 0 {
						mine = nil
					}
					d.Of = append(d.Of, mine)
				}
				if owner == 0 {
					d.Target = all.Target
				}
				b.Data[2*k], pooled.Data = d, append(pooled.Data, all)
			}
			spec, err := b.Spec()
			got, err := b.Result(ran(t, spec, err))
			if err != nil {
				t.Fatal(err)
			}
			spec, err = pooled.Spec()
			want, err := pooled.Result(ran(t, spec, err))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("target of %d, groups of %d (-want +got):\n%s", owner, least, d)
			}
			withheld := false
			for _, f := range got.Features {
				withheld = withheld || f.Withheld
			}
			if len(got.Features) != 4 || withheld != (least > 1) {
				t.Errorf("groups of %d: withheld %v", least, withheld)
			}
			alone := *b // the program follows from what all parties know
			alone.Data = nil
			if other, err := alone.Spec(); err != nil || string(other.Program.Text) != string(mustSpec(t, b).Program.Text) {
				t.Errorf("without data the program is another one: %v", err)
			}
			for want, change := range map[string]func(b *Binning){
				"neither a column of all stacked tables": func(b *Binning) { b.Owner = 2 },
				"two stacked tables or more":             func(b *Binning) { b.Stacked = []int{120, 0, 0} },
				"of a has 70 rows of the target":         func(b *Binning) { b.Owner = 1 - owner },
			} {
				bad := *b
				if change(&bad); owner == 1 && strings.HasPrefix(want, "of a has") {
					continue
				}
				if _, err := bad.Spec(); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
		}
	}
}

func mustSpec(t *testing.T, b *Binning) party.Spec {
	t.Helper()
	spec, err := b.Spec()
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestGroupsBeside: groups of columns of stacked tables or of a party beside them, with sums of columns of both, are those of stacked
// tables with all columns.
func TestGroupsBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	n := 120
	var of []int
	values := make([][]float64, 2)
	for i := range n {
		of = append(of, min(4, (i/60+r.IntN(4))))
		for k := range values {
			values[k] = append(values[k], float64(r.IntN(1000)-300)/8)
		}
	}
	for _, owner := range []int{0, 1} {
		g := &Groups{Parties: []string{"a", "c", "b"}, Rows: n, Stacked: besideRows, Owner: owner, MinGroup: 8, Data: make([]*GroupRows, 3)}
		g.By, g.Levels = []string{"by"}, [][]string{{"1", "2", "3", "4", "5", "6"}}
		g.Values = []Value{{Name: "p"}, {Name: "c.q", Owner: 1}}
		pooled := *g
		pooled.Parties, pooled.Stacked, pooled.Owner, pooled.Data = []string{"a", "b"}, pooledRows, 0, nil
		pooled.Values = []Value{{Name: "p"}, {Name: "c.q"}}
		g.Data[1] = &GroupRows{Values: [][]float64{nil, values[1]}}
		if owner == 1 {
			g.Data[1].Of = of
		}
		for k, rows := range [][2]int{{0, 70}, {70, 120}} {
			cut := func(x []float64) []float64 { return x[rows[0]:rows[1]] }
			d := &GroupRows{Values: [][]float64{cut(values[0]), nil}}
			if owner == 0 {
				d.Of = of[rows[0]:rows[1]]
			}
			g.Data[2*k] = d
			pooled.Data = append(pooled.Data, &GroupRows{Of: of[rows[0]:rows[1]], Values: [][]float64{cut(values[0]), cut(values[1])}})
		}
		spec, err := g.Spec()
		got, err := g.Result(ran(t, spec, err))
		if err != nil {
			t.Fatal(err)
		}
		spec, err = pooled.Spec()
		want, err := pooled.Result(ran(t, spec, err))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 1e-6)); d != "" {
			t.Errorf("groups of %d (-want +got):\n%s", owner, d)
		}
		alone := *g
		alone.Data = nil
		if _, err := alone.Spec(); err != nil {
			t.Errorf("without data: %v", err)
		}
		for want, change := range map[string]func(g *Groups){
			"neither a column of all stacked tables": func(g *Groups) { g.Values = []Value{{Name: "p", Owner: 2}, {Name: "c.q", Owner: 1}} },
			"p of a has 70 rows":                     func(g *Groups) { g.Values = []Value{{Name: "p", Owner: 1}, {Name: "c.q", Owner: 1}} },
		} {
			bad := *g
			change(&bad)
			if _, err := bad.Spec(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}
