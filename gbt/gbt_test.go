package gbt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
)

// made returns features of two parties and a target that depends on them.
func made(seed uint64, rows int, features ...int) (data []Data, y []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	y = make([]float64, rows)
	for _, k := range features {
		var d Data
		for j := range k {
			f := table.Feature{Name: fmt.Sprintf("f%d", j), Values: make([]float64, rows)}
			for i := range f.Values {
				f.Values[i] = r.NormFloat64()
				if j%3 == 1 {
					f.Values[i] = float64(r.IntN(5)) // ties
				}
				y[i] += f.Values[i] * math.Cos(float64(j)) * 0.7
			}
			d.Features = append(d.Features, f)
		}
		data = append(data, d)
	}
	for i := range y {
		p := 1 / (1 + math.Exp(-y[i]))
		y[i] = 0
		if r.Float64() < p {
			y[i] = 1
		}
	}
	last := len(data) - 1
	data[last].Target = &table.Feature{Name: "y", Values: y}
	return data, y
}

// train trains among parties and returns the model and the bytes of all phases.
func train(t *testing.T, s Shape, data []Data) (*Model, *party.Outcome) {
	t.Helper()
	for _, d := range data {
		s.Parties = append(s.Parties, []string{"alice", "bob", "carol"}[len(s.Parties)])
		s.Features = append(s.Features, len(d.Features))
	}
	s.Owner, s.Rows = len(data)-1, len(data[0].Features[0].Values)
	shape, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	spec, err := shape.Spec()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for rank, d := range data {
		args, err := shape.Args(rank, d)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range args {
			if a != nil {
				spec.Args[i].Data = a
			}
		}
		for _, f := range d.Features {
			names = append(names, shape.Parties[rank]+"."+f.Name)
		}
	}
	spec.Protocol = "semi2k"
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	m, err := shape.Model(out.Results, names)
	if err != nil {
		t.Fatal(err)
	}
	return m, out
}

func auc(score, y []float64) float64 {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case score[a] < score[b]:
			return -1
		case score[a] > score[b]:
			return 1
		}
		return 0
	})
	p, n, sum := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j, pos := i, 0.0
		for ; j < len(order) && score[order[j]] == score[order[i]]; j++ {
			pos += y[order[j]]
		}
		neg := float64(j-i) - pos
		sum += pos*n + pos*neg/2
		p, n, i = p+pos, n+neg, j
	}
	return sum / p / n
}

// scores returns the scores of all rows.
func (m *Model) scores(data []Data, rows int) []float64 {
	at := map[string][]float64{}
	for rank, d := range data {
		for _, f := range d.Features {
			at[[]string{"alice", "bob", "carol"}[rank]+"."+f.Name] = f.Values
		}
	}
	out := make([]float64, rows)
	for i := range out {
		out[i] = m.Score(func(f string) float64 { return at[f][i] })
	}
	return out
}

// TestSpeed trains TACET_TEST_GBT=ROWSxFEATURESxTREES and logs costs.
func TestSpeed(t *testing.T) {
	var rows, features, trees int
	if n, _ := fmt.Sscanf(os.Getenv("TACET_TEST_GBT"), "%dx%dx%d", &rows, &features, &trees); n != 3 {
		t.Skip("set TACET_TEST_GBT=50000x30x2")
	}
	data, y := made(1, rows, features/2, features-features/2)
	begin := time.Now()
	m, out := train(t, Shape{Trees: trees, Splits: os.Getenv("TACET_TEST_GBT_SPLITS")}, data)
	o := out.Report
	t.Logf("%v in all; input %v B, online %v s, %v B, %d rounds, dealt %v, auc %.4f", time.Since(begin), o.Input.BytesSent,
		o.Online.Seconds, o.Online.BytesSent, o.Online.Rounds, o.Offline.BytesSent, auc(m.scores(data, rows), y))
}

// reference trains trees in floats, with gradients of s.fraction() bits, and returns the scores and the first tree.
func reference(s *Shape, data []Data, y []float64) ([]float64, Tree) {
	type column struct {
		name   string
		bin    []int
		bounds []float64
	}
	var columns []column
	party := make([]int, s.Rows) // whose the row is, of stacked tables
	at := 0
	for rank, d := range data {
		for j, f := range d.Features {
			c := column{name: s.Parties[rank] + "." + f.Name}
			if s.Stacked != nil {
				c.name, c.bounds = f.Name, s.bounds(j)
				if rank > 0 {
					c = columns[j]
				}
			} else {
				c.bounds = Bounds(f.Values, s.Bins)
			}
			for _, x := range f.Values {
				c.bin = append(c.bin, Bin(c.bounds, x))
			}
			if s.Stacked != nil && rank > 0 {
				columns[j] = c
			} else {
				columns = append(columns, c)
			}
		}
		if s.Stacked != nil {
			for range s.Stacked[rank] {
				party[at] = rank
				at++
			}
		}
	}
	parties := max(1, len(s.Stacked))
	scale := math.Ldexp(1, s.fraction())
	scores := make([]float64, s.Rows)
	var first Tree
	for tree := range s.Trees {
		g, h := make([]float64, s.Rows), make([]float64, s.Rows)
		for i, f := range scores {
			p := 1 / (1 + math.Exp(-f))
			g[i], h[i] = math.Trunc((p-y[i])*scale)/scale, math.Trunc(p*(1-p)*scale)/scale
		}
		node := make([]int, s.Rows)
		made := Tree{}
		for level := range s.Depth {
			best := make([]Node, 1<<level)
			for k := range best {
				most := math.Inf(-1)
				for _, c := range columns {
					hg, hh := make([]float64, s.Bins), make([]float64, s.Bins)
					own := make([][2]float64, parties*s.Bins) // Hessians up to the bin and of all bins, of each party
					for i := range node {
						if node[i] == k {
							hg[c.bin[i]] += g[i]
							hh[c.bin[i]] += h[i]
							for b := range s.Bins {
								x := &own[party[i]*s.Bins+b]
								if x[1] += h[i]; c.bin[i] <= b {
									x[0] += h[i]
								}
							}
						}
					}
					tg, th, lg, lh := 0.0, 0.0, 0.0, 0.0
					for b := range hg {
						tg, th = tg+hg[b], th+hh[b]
					}
					for b := range hg {
						lg, lh = lg+hg[b], lh+hh[b]
						gain := lg*lg/(lh+s.Lambda) + (tg-lg)*(tg-lg)/(th-lh+s.Lambda)
						enough := true
						for p := range parties {
							x := own[p*s.Bins+b]
							enough = enough && x[0] >= s.MinWeight && x[1]-x[0] >= s.MinWeight
						}
						if b < s.Bins-1 && !enough {
							continue
						}
						if gain > most+1e-3 {
							most, best[k] = gain, Node{}
							if b < len(c.bounds)-1 {
								best[k] = Node{Feature: c.name, Bin: b, Threshold: c.bounds[b]}
							}
						}
					}
				}
			}
			for i := range node {
				n := best[node[i]]
				node[i] *= 2
				for _, c := range columns {
					if c.name == n.Feature && c.bin[i] > n.Bin {
						node[i]++
					}
				}
			}
			made.Nodes = append(made.Nodes, best...)
		}
		made.Leaves = make([]float64, 1<<s.Depth)
		for k := range made.Leaves {
			sg, sh := 0.0, 0.0
			for i := range node {
				if node[i] == k {
					sg, sh = sg+g[i], sh+h[i]
				}
			}
			made.Leaves[k] = -s.Rate * sg / (sh + s.Lambda)
		}
		for i := range node {
			scores[i] += made.Leaves[node[i]]
		}
		if tree == 0 {
			first = made
		}
	}
	return scores, first
}

// TestTrain compares with trees in floats: the first tree's splits, and how well all trees separate the classes.
func TestTrain(t *testing.T) {
	const rows = 600
	data, y := made(1, rows, 3, 2)
	s := Shape{Trees: 3, Depth: 3, Bins: 8, Rate: 0.5, MinWeight: 5}
	m, _ := train(t, s, data)
	s.Parties, s.Features, s.Rows, s.Owner = []string{"alice", "bob"}, []int{3, 2}, rows, 1
	shape, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Training{Shape: shape}).Spec(); err == nil {
		t.Error("a training without data is accepted")
	}
	want, first := reference(shape, data, y)
	for i, n := range first.Nodes {
		if got := m.Trees[0].Nodes[i]; got != n {
			t.Errorf("node %d is %+v, want %+v", i, got, n)
		}
	}
	for i, x := range first.Leaves {
		if got := m.Trees[0].Leaves[i]; math.Abs(got-x) > 1e-4 {
			t.Errorf("leaf %d is %v, want %v", i, got, x)
		}
	}
	got := m.scores(data, rows)
	if a, b := auc(got, y), auc(want, y); math.Abs(a-b) > 2e-3 || a < 0.7 {
		t.Errorf("AUC %v, want %v", a, b)
	}
	var text strings.Builder
	if err := m.Print(&text); err != nil || !strings.HasPrefix(text.String(), "3 trees of depth 3, 8 bins, 600 rows") {
		t.Errorf("%v, %s", err, text.String())
	}

	// predictions on shares are those of the model
	p := &Prediction{Parties: shape.Parties, Model: m, Rows: rows}
	for rank, d := range data {
		columns := map[string][]float64{}
		for _, f := range d.Features {
			columns[shape.Parties[rank]+"."+f.Name] = f.Values
		}
		p.Columns = append(p.Columns, columns)
	}
	spec, err := p.Spec()
	if err != nil {
		t.Fatal(err)
	}
	spec.Protocol = "semi2k"
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range out.Results[0].Floats() {
		if want := 1 / (1 + math.Exp(-got[i])); math.Abs(x-want) > 2e-5 {
			t.Fatalf("row %d: the prediction is %v, want %v", i, x, want)
		}
	}
}

// trainStacked trains on rows that are split between parties, and returns the model and the parties' data.
func trainStacked(t *testing.T, s Shape, all []table.Feature, y []float64) (*Shape, *Model, []Data) {
	t.Helper()
	shape, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	training := &Training{Shape: shape}
	at := 0
	for _, n := range s.Stacked {
		d := Data{Target: &table.Feature{Name: "y", Values: y[at : at+n]}}
		for _, f := range all {
			d.Features = append(d.Features, table.Feature{Name: f.Name, Values: f.Values[at : at+n]})
		}
		training.Data = append(training.Data, d)
		at += n
	}
	m, _ := trained(t, training)
	return shape, m, training.Data
}

// trained trains a model, and returns the program too. Measured costs must be those of the plan.
func trained(t *testing.T, training *Training) (*Model, party.Spec) {
	t.Helper()
	spec, err := training.Spec()
	if err != nil {
		t.Fatal(err)
	}
	spec.Protocol = "semi2k"
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report; !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
		t.Error("costs are not those of the plan")
	}
	m, err := training.Model(out.Results, training.Names())
	if err != nil {
		t.Fatal(err)
	}
	return m, spec
}

// sameTree compares a model's first tree with one in floats.
func sameTree(t *testing.T, m *Model, want Tree) {
	t.Helper()
	if !slices.Equal(m.Trees[0].Nodes, want.Nodes) {
		t.Errorf("the nodes are %+v, want %+v", m.Trees[0].Nodes, want.Nodes)
	}
	for i, x := range want.Leaves {
		if got := m.Trees[0].Leaves[i]; math.Abs(got-x) > 1e-4 {
			t.Errorf("leaf %d is %v, want %v", i, got, x)
		}
	}
}

// TestStacked compares trees of rows that are split between parties with trees in floats, where the least weight of a side holds for
// each party's rows.
func TestStacked(t *testing.T) {
	all, y := made(3, 500, 3)
	s := Shape{Parties: []string{"alice", "bob"}, Features: []int{3, 0}, Stacked: []int{180, 320}, Trees: 2, Depth: 3, Rate: 0.5, MinWeight: 3}
	s.Edges = [][]float64{{-1, -0.3, 0, 0.4, 1}, {0, 1, 2, 3}, {-2, 0.1}}
	shape, m, data := trainStacked(t, s, all[0].Features, y)
	_, want := reference(shape, data, y)
	sameTree(t, m, want)
	for want, change := range map[string]func(s *Shape){
		"edges of 3 features, and": func(s *Shape) { s.Features = []int{4, 0} },
		"are numbers, ascending":   func(s *Shape) { s.Edges = [][]float64{{1}, {math.NaN()}, {2}} },
		"want 1 to 255 edges":      func(s *Shape) { s.Edges = [][]float64{{1}, {}, {2}} },
		"make 6 bins":              func(s *Shape) { s.Bins = 7 },
		"the target is that of":    func(s *Shape) { s.Owner = 1 },
		"are those of stacked":     func(s *Shape) { s.Stacked = nil },
		"the same features":        func(s *Shape) { s.Features = []int{3, 1} },
	} {
		bad := s
		change(&bad)
		if _, err := bad.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := shape.Args(1, Data{Features: data[1].Features}); err == nil || !strings.Contains(err.Error(), "bob has no target") {
		t.Errorf("a party without a target: %v", err)
	}
}

// TestStackedQuantiles compares trees with bins at quantiles of all rows, beside features with edges, with trees in floats on one table
// with all rows and bounds that are computed from it: the first tree, how well all separate the classes, and the bounds. Some values are
// beyond the ranges, so many in one that its upper bounds are at its end, and some bounds are equal.
func TestStackedQuantiles(t *testing.T) {
	all, y := made(3, 900, 5)
	features := all[0].Features
	for i, x := range features[3].Values { // a few values, mostly one
		features[3].Values[i] = max(0, math.Floor(x))
	}
	s := Shape{Parties: []string{"alice", "bob", "carol"}, Features: []int{5, 0, 0}, Stacked: []int{250, 350, 300}}
	s.Trees, s.Depth, s.Bins, s.MinWeight = 4, 3, 8, 3
	s.Edges = [][]float64{nil, nil, {-1, -0.3, 0, 0.4, 1}, nil, {0.2}}
	s.Grids = []*stacked.Grid{{Low: -4, High: 4}, {Low: -8, High: 0.125}, nil, {Low: -2, High: 6}, nil}
	shape, m, data := trainStacked(t, s, features, y)
	pooled := *shape
	pooled.Grids, pooled.Edges = nil, slices.Clone(s.Edges)
	tied, ends := 0, 0
	for i, g := range s.Grids {
		if g == nil {
			continue
		}
		values := slices.Sorted(slices.Values(features[i].Values))
		var finite []float64
		for k := 1; k < s.Bins; k++ {
			x := g.Bound(g.Cell(values[(k*len(values)+s.Bins-1)/s.Bins-1]))
			if math.IsInf(x, 1) {
				ends++
			} else {
				finite = append(finite, x)
			}
			if of := pooled.Edges[i]; len(of) > 0 && of[len(of)-1] == x {
				tied++
			}
			pooled.Edges[i] = append(pooled.Edges[i], x)
		}
		if got := m.Bounds[features[i].Name]; !slices.Equal(got, finite) {
			t.Errorf("the bounds of feature %d are %v, want %v", i, got, finite)
		}
	}
	if tied < 2 || ends < 2 || len(m.Bounds) != 3 {
		t.Fatalf("%d bounds are equal, and %d at the end of a range; bounds of %d features", tied, ends, len(m.Bounds))
	}
	scores, want := reference(&pooled, data, y)
	sameTree(t, m, want)
	got := make([]float64, len(y))
	for i := range got {
		got[i] = m.Score(func(name string) float64 {
			return features[slices.IndexFunc(features, func(f table.Feature) bool { return f.Name == name })].Values[i]
		})
	}
	if a, b := auc(got, y), auc(scores, y); math.Abs(a-b) > 0.003 || a < 0.7 {
		t.Errorf("the area under the curve is %v, want %v", a, b)
	}
	first, second, fourth := s.Grids[0], s.Grids[1], s.Grids[3]
	for want, change := range map[string]func(s *Shape){
		"ranges of 2 features, and edges of": func(s *Shape) { s.Grids = s.Grids[:2] },
		"feature 1 has edges and a range":    func(s *Shape) { s.Edges = [][]float64{{1}, nil, {1}, nil, {1}} },
		"or its range is none":               func(s *Shape) { s.Grids = []*stacked.Grid{{}, second, nil, fourth, nil} },
		"edges make 6 bins, and bins at":     func(s *Shape) { s.Bins = 5 },
		"would show values of single rows":   func(s *Shape) { s.Bins = 111 }, // alice and carol have 550 rows
		"feature 2: want 1 to 255 edges":     func(s *Shape) { s.Grids = []*stacked.Grid{first, nil, nil, fourth, nil} },
		"edges are those of stacked tables;": func(s *Shape) { s.Stacked, s.Rows = nil, 900 },
	} {
		bad := s
		change(&bad)
		if _, err := bad.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestHoldout stops early: the model has the trees after which the loss of the rows that were held out is least, and no others.
func TestHoldout(t *testing.T) {
	data, y := made(5, 300, 2, 3)
	s := Shape{Trees: 7, Depth: 3, Bins: 8, Rate: 1, Holdout: 4}
	m, out := train(t, s, data)
	if len(m.Trees) == 7 || len(m.Trees) < 2 || m.Trained != 7 || m.Holdout != 4 {
		t.Fatalf("%d trees of %d", len(m.Trees), m.Trained)
	}
	loss := func(m *Model) float64 {
		sum := 0.0
		for i, score := range m.scores(data, 300) {
			if i%4 == 3 {
				sum += math.Log1p(math.Exp(score)) - y[i]*score
			}
		}
		return sum / 75
	}
	if got := loss(m); math.Abs(got-m.Loss) > 1e-4 {
		t.Errorf("the loss is %v, want %v", m.Loss, got)
	}
	for k := 1; k < len(m.Trees); k++ {
		if prefix := (&Model{Trees: m.Trees[:k]}); loss(prefix) < m.Loss-1e-4 {
			t.Errorf("%d trees have the loss %v, below %v", k, loss(prefix), m.Loss)
		}
	}
	for i, r := range out.Results[:4] { // later trees are not revealed
		per := r.Shape[1]
		for _, x := range r.Words()[len(m.Trees)*per:] {
			if x != 0 {
				t.Fatalf("result %d shows later trees", i)
			}
		}
	}
	var b strings.Builder
	if err := m.Print(&b); err != nil || !strings.Contains(b.String(), fmt.Sprintf("the first %d of 7 trees", len(m.Trees))) {
		t.Errorf("got %s, %v", b.String(), err)
	}
}

// TestSizes: messages depend on the shape only, and extremes of data give models.
func TestSizes(t *testing.T) {
	sent := map[string]bool{}
	for seed := range uint64(3) {
		data, y := made(seed, 60, 2, 1)
		switch seed {
		case 1: // nothing to split on
			for _, f := range slices.Concat(data[0].Features, data[1].Features) {
				clear(f.Values)
			}
		case 2: // all splits on one feature
			copy(data[0].Features[1].Values, y)
		}
		m, out := train(t, Shape{Trees: 2, Depth: 2, Bins: 4, Subsample: 0.8}, data)
		o := out.Report
		sent[fmt.Sprint(o.Input.BytesSent, o.Online.BytesSent, o.Online.Rounds, o.Output.BytesSent, o.Offline.BytesSent)] = true
		used, _ := m.Used()
		switch {
		case seed == 1 && len(used) > 0:
			t.Errorf("constant columns are split: %v", used)
		case seed == 2 && (used[0] != "alice.f1" || auc(m.scores(data, 60), y) < 1):
			t.Errorf("the splits are on %v", used)
		}
		if !slices.Equal(o.Online.BytesSent, o.Predicted.Online.BytesSent) || o.Online.Rounds != o.Predicted.Online.Rounds {
			t.Errorf("measured %+v, predicted %+v", o.Online, o.Predicted)
		}
	}
	if len(sent) != 1 {
		t.Errorf("sizes differ: %v", sent)
	}
}

// TestKeys checks that keys have the order of their numbers, from which they can be read.
func TestKeys(t *testing.T) {
	numbers := []float64{math.Inf(-1), -math.MaxFloat64, -1.5, -1, -5e-324, 0, 5e-324, 1, math.Nextafter(1, 2), 1e300, math.Inf(1)}
	for i, x := range numbers {
		if got := number(key(x)); got != x {
			t.Errorf("the key of %v is that of %v", x, got)
		}
		if i > 0 && key(numbers[i-1]) >= key(x) {
			t.Errorf("the keys of %v and %v have another order", numbers[i-1], x)
		}
	}
	if key(math.Copysign(0, -1)) != key(0) {
		t.Error("−0 and 0 have different keys")
	}
}

func TestBounds(t *testing.T) {
	for _, x := range []struct {
		values []float64
		bins   int
		want   string
	}{
		{[]float64{3, 1, 2, 4}, 4, "[1 2 3 +Inf]"}, {[]float64{5, 5, 5}, 4, "[+Inf]"}, {[]float64{0, 1, 0, 1, 1}, 4, "[0 +Inf]"},
	} {
		b := Bounds(x.values, x.bins)
		if got := fmt.Sprint(b); got != x.want {
			t.Errorf("%v: got %s, want %s", x.values, got, x.want)
		}
		for _, v := range x.values {
			if i := Bin(b, v); v > b[i] || i > 0 && v <= b[i-1] {
				t.Errorf("%v is in bin %d of %v", v, i, b)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	good := Shape{Parties: []string{"alice", "bob"}, Features: []int{1, 0}, Rows: 3, Owner: 1}
	for want, change := range map[string]func(s *Shape){
		"trees: want 1 to 300":     func(s *Shape) { s.Trees = -1 },
		"depth: want 1 to 8":       func(s *Shape) { s.Depth = 9 },
		"bins: want 2 to 256":      func(s *Shape) { s.Bins = 1 },
		"rate: want 0.001 to 1":    func(s *Shape) { s.Rate = math.NaN() },
		"lambda: want 0.01":        func(s *Shape) { s.Lambda = -1 },
		"subsample: want 0.01":     func(s *Shape) { s.Subsample = 2 },
		"no features":              func(s *Shape) { s.Features = []int{0, 0} },
		"features of 2 parties":    func(s *Shape) { s.Features = []int{1} },
		"too many: at most 65536":  func(s *Shape) { s.Features = []int{1 << 60, 0} },
		"the tables have 1 rows":   func(s *Shape) { s.Rows = 1 },
		"the target has no owner":  func(s *Shape) { s.Owner = 2 },
		"min_weight: want 0.001 t": func(s *Shape) { s.MinWeight = 1e6 },
	} {
		s := good
		change(&s)
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	s, err := good.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	feature := func(values ...float64) []table.Feature { return []table.Feature{{Name: "f", Values: values}} }
	for want, x := range map[string]struct {
		rank int
		data Data
	}{
		"f has 2 rows":              {0, Data{Features: feature(1, 2)}},
		"that are no numbers":       {0, Data{Features: feature(1, 2, math.NaN())}},
		"has 0 features, and":       {0, Data{}},
		"the target is not that":    {1, Data{}},
		"row 3 of target f: values": {1, Data{Target: &feature(0, 1, 2)[0]}},
		"target f has 1 rows":       {1, Data{Target: &feature(0)[0]}},
	} {
		if _, err := s.Args(x.rank, x.data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := s.Model(nil, nil); err == nil {
		t.Error("missing results are not refused")
	}
	if err := (&Model{Kind: KindName, Depth: 2, Trees: []Tree{{}}}).Check(); err == nil {
		t.Error("a tree without nodes is not refused")
	}
}

// TestStackedBeside compares trees of rows that are split between two parties, with further columns of all rows at a third one, with trees
// in floats: the target is that of the stacked tables, or the third party's.
func TestStackedBeside(t *testing.T) {
	all, y := made(3, 500, 5)
	features := all[0].Features
	s := Shape{Parties: []string{"alice", "carol", "bob"}, Features: []int{3, 2, 0}, Stacked: []int{200, 0, 300}, Trees: 2, Depth: 3, MinWeight: 3}
	s.Bins, s.Edges = 8, [][]float64{nil, {0, 1, 2, 3, 4}, {-0.5}}
	s.Grids = []*stacked.Grid{{Low: -4, High: 4}, nil, nil}
	for _, owner := range []int{0, 1} {
		s.Owner = owner
		shape, err := s.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		training := &Training{Shape: shape, Data: make([]Data, 3)}
		pooled := *shape
		pooled.Parties, pooled.Stacked, pooled.Edges, pooled.Grids = []string{"alice", "bob"}, []int{200, 300}, nil, nil
		apart := make([]Data, 2)
		for j, f := range features {
			name := f.Name
			if j > 2 {
				name = "carol." + name
				training.Data[1].Features = append(training.Data[1].Features, f)
			}
			for i, rows := range [][2]int{{0, 200}, {200, 500}} {
				own := table.Feature{Name: name, Values: f.Values[rows[0]:rows[1]]}
				if apart[i].Features = append(apart[i].Features, own); j <= 2 {
					training.Data[2*i].Features = append(training.Data[2*i].Features, own)
				}
			}
			of := Bounds(f.Values, s.Bins)
			edges := of[:len(of)-1]
			if j == 0 {
				edges = nil
				values := slices.Sorted(slices.Values(f.Values))
				for k := 1; k < s.Bins; k++ {
					edges = append(edges, s.Grids[0].Bound(s.Grids[0].Cell(values[(k*len(values)+s.Bins-1)/s.Bins-1])))
				}
			} else if j < 3 {
				edges = s.Edges[j]
			}
			pooled.Edges = append(pooled.Edges, edges)
		}
		if owner == 1 {
			training.Data[1].Target = &table.Feature{Name: "y", Values: y}
		} else {
			training.Data[0].Target, training.Data[2].Target = &table.Feature{Name: "y", Values: y[:200]}, &table.Feature{Name: "y", Values: y[200:]}
		}
		m, spec := trained(t, training)
		_, tree := reference(&pooled, apart, y)
		sameTree(t, m, tree)
		if names, _ := m.Used(); len(names) < 2 || !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "carol.") }) {
			t.Errorf("the trees split on %v", names)
		}
		if e := shape.Early(); len(e) != 2 || e[0].Party != "alice" || e[1].Party != "bob" || spec.Reveals != 2 {
			t.Errorf("learned before: %+v, with %d tensors", e, spec.Reveals)
		}
	}
	for want, change := range map[string]func(s *Shape){
		"or of a party beside them":    func(s *Shape) { s.Owner = 2 },
		"have no features":             func(s *Shape) { s.Features = []int{0, 2, 0} },
		"two stacked tables or more":   func(s *Shape) { s.Stacked = []int{500, 0, 0} },
		"want the numbers of rows":     func(s *Shape) { s.Stacked = []int{0, 200, 300} },
		"edges make 6 bins, and bins":  func(s *Shape) { s.Bins = 4 },
		"so no split is one owner's":   func(s *Shape) { s.Splits = OwnerSplits },
		"show values of single rows":   func(s *Shape) { s.Bins = 60 },
		"stacked tables have the same": func(s *Shape) { s.Features = []int{3, 2, 1} },
	} {
		bad := s
		change(&bad)
		if _, err := bad.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
