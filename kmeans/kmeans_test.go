package kmeans

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
)

// clear is Lloyd's algorithm in floats, on standardised rows.
func clear(s *Shape, x []float64) (centres [][]float64, assigned []int, inertia float64) {
	d := s.features()
	for _, row := range s.starts() {
		centres = append(centres, append([]float64{}, x[row*d:][:d]...))
	}
	assigned = make([]int, s.Rows)
	for i := range s.Iterations + 1 {
		inertia = 0
		sums, counts := make([][]float64, s.Clusters), make([]float64, s.Clusters)
		for c := range sums {
			sums[c] = make([]float64, d)
		}
		for row := range s.Rows {
			best := math.Inf(1)
			for c, centre := range centres {
				distance := 0.0
				for j, v := range centre {
					distance += (x[row*d+j] - v) * (x[row*d+j] - v)
				}
				if distance < best {
					best, assigned[row] = distance, c
				}
			}
			inertia += best
			counts[assigned[row]]++
			for j := range d {
				sums[assigned[row]][j] += x[row*d+j]
			}
		}
		for c := range centres {
			if i < s.Iterations && counts[c] > 0 {
				for j := range d {
					centres[c][j] = sums[c][j] / counts[c]
				}
			}
		}
	}
	return centres, assigned, inertia
}

// TestClusters compares clusters with those in floats: clear ones, and one that is withheld with another one.
func TestClusters(t *testing.T) {
	const rows = 60
	r := rand.New(rand.NewPCG(1, 2))
	data := [][]table.Feature{{{Name: "x"}, {Name: "y"}}, {{Name: "z"}}}
	for i := range rows {
		at := i % 3
		if i == rows-1 {
			at = 9 // a row far from all others
		}
		for _, own := range data {
			for j := range own {
				own[j].Values = append(own[j].Values, 100*float64(at)+float64(j)*1000+10*r.NormFloat64())
			}
		}
	}
	s := &Shape{Parties: []string{"alice", "bob"}, Features: []int{2, 1}, Rows: rows, Clusters: 4, Iterations: 4, Assign: true}
	for seed := range uint64(500) { // that begins with the row, and all three clusters
		s.Seed = seed
		seen := map[int]bool{}
		for _, row := range s.starts() {
			if row == rows-1 {
				seen[3] = true
			} else {
				seen[row%3] = true
			}
		}
		if len(seen) == 4 {
			break
		}
	}
	s, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Training{Shape: s}).Spec(); err == nil {
		t.Error("a training without data is accepted")
	}
	training := &Training{Shape: s, Data: data}
	spec, err := training.Spec()
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Result(out.Results, training.Names())
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := table.Standardised(append(append([]table.Feature{}, data[0]...), data[1]...), rows)
	if err != nil {
		t.Fatal(err)
	}
	centres, assigned, inertia := clear(s, x.Floats())
	withheld := 0
	for c, cluster := range got.Clusters {
		n := 0
		for row, of := range assigned {
			if of == c {
				n++
			}
			if got.Assigned[row] != of+1 {
				t.Errorf("row %d is in cluster %d, want %d", row, got.Assigned[row], of+1)
			}
		}
		if cluster.Withheld {
			if withheld++; cluster.Centre != nil || cluster.Rows != 0 {
				t.Errorf("cluster %d is withheld: %+v", c, cluster)
			}
			continue
		}
		if cluster.Rows != n || n < s.MinGroup {
			t.Errorf("cluster %d has %d rows, want %d", c, cluster.Rows, n)
		}
		for j, v := range cluster.Centre {
			if want := got.Features[j].Mean + got.Features[j].SD*centres[c][j]; math.Abs(v-want) > 1e-4*got.Features[j].SD {
				t.Errorf("cluster %d, %s: %v, want %v", c, got.Features[j].Name, v, want)
			}
		}
	}
	if withheld != 2 {
		t.Errorf("%d clusters are withheld, want that of one row and another one", withheld)
	}
	if math.Abs(got.Inertia-inertia) > 1e-3 {
		t.Errorf("inertia %v, want %v", got.Inertia, inertia)
	}
	var text strings.Builder
	if err := got.Print(&text); err != nil || !strings.Contains(text.String(), "withheld") {
		t.Errorf("printed %q: %v", &text, err)
	}
}

// TestRefused: shapes that cannot be clustered are errors that say why.
func TestRefused(t *testing.T) {
	for want, s := range map[string]Shape{
		"clusters: want 2 to 64, got 1": {Features: []int{1, 1}, Rows: 9, Clusters: 1},
		"iterations: want 1 to 100":     {Features: []int{1, 1}, Rows: 9, Iterations: 101},
		"there are 0 features":          {Features: []int{0, 0}, Rows: 9},
		"the tables have 3 rows":        {Features: []int{1, 1}, Rows: 3},
	} {
		s.Parties = []string{"a", "b"}
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
