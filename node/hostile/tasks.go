package hostile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/tasks"
)

// taskKinds are kinds of tasks, and none.
var taskKinds = append(tasks.Names(), "svm", "")

// misfits are submissions with a task whose program is not the task's, whose numbers are out of range, or whose lists are
// long, repeat entries or name columns that are none.
func misfits() []Case {
	var out []Case
	each := 1
	add := func(name string, change func(*api.Task)) {
		for i, kind := range taskKinds {
			if (len(out)+i)%each != 0 {
				continue
			}
			out = append(out, Case{Name: fmt.Sprintf("task %q, %s", kind, name), change: func(s *api.Submission) {
				t := &api.Task{
					Fit: kind, Family: "poisson", Link: "log", Target: "bob.y", Features: []string{"alice.x"}, Columns: []string{"alice.x"},
					Score: "alice.x", Metrics: []string{"auc"}, By: []string{"bob.k"}, Values: []string{"alice.x"}, Levels: map[string][]string{"bob.k": {"a", "b"}},
					Rows: 100, Iterations: 2, Condition: 10, MinGroup: 10, Bins: 4, Clusters: 2, Components: 1,
				}
				if kind == "gbt" || i%2 == 0 {
					t.Growth = &api.Growth{Trees: 1, Depth: 1, Bins: 4, Rate: 0.1, Lambda: 1, MinWeight: 1, Subsample: 1}
				}
				change(t)
				s.Task, s.Public, s.Ring, s.Fraction = t, nil, 128, 40
			}})
		}
	}
	add("as it is", func(*api.Task) {})
	for _, n := range []int{math.MinInt, -1, 1 << 31, math.MaxInt} {
		add(fmt.Sprintf("numbers %d", n), func(t *api.Task) {
			t.Rows, t.Iterations, t.Bins, t.Clusters, t.Components, t.MinGroup, t.Seed = n, n, n, n, n, n, n
			if t.Growth != nil {
				t.Growth.Trees, t.Growth.Depth, t.Growth.Bins, t.Growth.Holdout = n, n, n, n
			}
		})
	}
	for _, method := range []string{"psi", "hidden", "stacked", "aligned", "", "ecdh"} {
		add("a join by "+method, func(t *api.Task) {
			t.Join = &api.Join{Method: method, On: map[string][]string{"alice": {"id"}, "bob": {"id"}}, Rows: map[string]int{"alice": 100, "bob": 100}}
		})
		add("a join of too many rows by "+method, func(t *api.Task) {
			t.Join = &api.Join{
				Method: method, Kind: "inner", Keeper: "alice", On: map[string][]string{"alice": {"id"}, "bob": {"id"}},
				Rows: map[string]int{"alice": math.MaxInt, "bob": -1},
			}
		})
		add("rows of many parties by "+method, func(t *api.Task) {
			t.Target, t.Features, t.Columns = "y", []string{"x"}, []string{"x"}
			t.Join = &api.Join{Method: method, Rows: map[string]int{"alice": math.MaxInt, "bob": math.MaxInt}}
		})
		add("a join of nothing by "+method, func(t *api.Task) { t.Join = &api.Join{Method: method, Keeper: "mallory"} })
		add("a join on many columns by "+method, func(t *api.Task) {
			many := slices.Repeat([]string{"id"}, 1000)
			t.Join = &api.Join{Method: method, On: map[string][]string{"alice": many, "bob": many}, Rows: map[string]int{"alice": 100, "bob": 100}}
		})
	}
	add("many columns", func(t *api.Task) {
		t.Features = make([]string, 4000)
		for i := range t.Features {
			t.Features[i] = fmt.Sprint("alice.x", i)
		}
		t.Columns, t.Values, t.By = t.Features, t.Features, t.Features
	})
	add("a column many times", func(t *api.Task) {
		t.Features = slices.Repeat([]string{"alice.x"}, 1000)
		t.Columns, t.Values, t.By = t.Features, t.Features, t.Features
	})
	each = 4 // of many names, each kind has some
	for _, name := range []string{"", ".", "alice", "alice.", ".x", "mallory.x", "alice.*", "alice.x\x1b[2J", "alice.\u202ex", "alice." + strings.Repeat("x", 1<<16)} {
		add(fmt.Sprintf("column %.20q", name), func(t *api.Task) {
			t.Target, t.Score, t.Offset, t.Weights = name, name, name, name
			t.Features, t.Columns, t.Texts, t.Values, t.By = []string{name}, []string{name}, []string{name}, []string{name}, []string{name}
			t.Widths, t.Levels = map[string]int{name: 1 << 40}, map[string][]string{name: {name, name}}
		})
	}
	each = 1
	add("wide features", func(t *api.Task) { t.Widths = map[string]int{"alice.x": math.MaxInt, "bob.y": math.MinInt} })
	add("a model of many coefficients", func(t *api.Task) {
		t.Model = &api.Model{Link: "log", Coefficients: make([]api.Coefficient, 5000), Widths: map[string]int{"alice.x": 1 << 40}}
		t.Model.Coefficients[0].Name = "const"
	})
	add("a kept model of others", func(t *api.Task) { t.Kept = "../../other" })
	return out
}
