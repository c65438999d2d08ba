package job

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tasks"
)

// TestNothingElse runs every kind of task on tables with the same public counts: the results that a run reveals are those
// that the task lists, to the parties that the job names, and all messages have the same sizes, in hidden joins too, of which all rows
// match, or some, or none.
func TestNothingElse(t *testing.T) {
	const rows = 24
	tables := map[string]func(row int) (x, z float64, y int){
		"distinct": func(i int) (float64, float64, int) { return float64(i*i) + 0.5, float64(100 - 3*i), i / 2 % 2 },
		"tied":     func(i int) (float64, float64, int) { return float64(i % 2), float64(i % 3), i % 2 },
		"extreme":  func(i int) (float64, float64, int) { return float64(i/(rows-1)) * 1e5, float64(i % 5), i / (rows - 1) },
	}
	first := map[string]int{"distinct": 0, "tied": 10, "extreme": rows} // b's first id: all, some and no rows match
	dir := t.TempDir()
	for name, of := range tables {
		a, b := "id,x,s\n", "id,z,y\n"
		for i := range rows {
			x, z, y := of(i)
			a += fmt.Sprintf("%d,%v,level%d\n", i, x, i%2)
			b += fmt.Sprintf("%d,%v,%d\n", i+first[name], z, y)
		}
		rest := [2]string{"x,s,z,y\n", "x,s,z,y\n"} // of stacked tables
		for i := range rows {
			x, z, y := of(i)
			rest[i%2] += fmt.Sprintf("%v,level%d,%v,%d\n", x, i/2%2, z, y)
		}
		for file, text := range map[string]string{
			"a.csv": a, "b.csv": b, "stackeda.csv": rest[0], "stackedb.csv": rest[1], "stackedc.csv": strings.ReplaceAll(a, "id,x,s", "w,p,q"),
		} {
			if err := os.WriteFile(filepath.Join(dir, name+file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	const model = `{"link": "logit", "coefficients": [{"name": "const", "value": 0.5}, {"name": "a.x", "value": 1e-5}, {"name": "b.z", "value": -0.01}]}`
	const trees = `{"kind": "gbt", "depth": 1, "trees": [{"nodes": [{"feature": "a.x", "threshold": 3}], "leaves": [0.5, -1]},
		{"nodes": [{"feature": "b.z", "threshold": 2}], "leaves": [0.1, 0.2]}]}`
	for file, text := range map[string]string{
		"model.json": model, "trees.json": trees, "rest.json": strings.NewReplacer("a.x", "x", "b.z", "z").Replace(model),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const aligned, joined, stacked = "{method: aligned}", "{method: hidden, on: id}", "{method: stacked}"
	const left, outer = "{method: hidden, on: id, kind: left}", "{method: hidden, on: id, kind: outer}"
	kinds := map[string]map[Kind]bool{aligned: {}, joined: {}, stacked: {}}
	var runs [][2]string // tasks and joins
	for _, task := range []string{
		"{fit: glm, family: gaussian, target: z, features: [x], iterations: 2}",
		"{fit: lr, target: y, features: [x, z], iterations: 2}",
		"{fit: lr, target: y, features: [x, z], solver: sgd, epochs: 2, batch: 16, bits: 12}",
		"{fit: glm, family: gaussian, target: z, features: [x], iterations: 2, solver: cg, steps: 2}",
		"{fit: gbt, target: y, features: [x, s, z], trees: 2, depth: 2, bins: 4}",
		"{fit: gbt, target: y, features: [x, s, z], trees: 2, depth: 2, bins: 4, splits: owner}",
		"{compute: stats, columns: [x, s, z, y]}",
		"{compute: predict, model: model.json}",
		"{compute: predict, model: trees.json}",
		"{compute: eval, model: model.json, target: b.y}",
		"{compute: eval, score: a.x, target: b.y, metrics: [auc, ks, confusion, rmse, r2]}",
		"{compute: eval, model: model.json, target: b.y, metrics: [lift, calibration], fractions: [0.25, 0.5, 1], bins: 4}",
		"{compute: eval, score: a.x, target: b.z, metrics: [lift, calibration], fractions: [0.5], bins: 2}",
		"{compute: bin, target: y, features: [x, s, z], bins: 4, min_group: 3}",
		"{compute: bin, sample: y, features: [x, z], bins: 3}",
		"{compute: group, by: [s], values: [x, z], min_group: 3}",
		"{fit: kmeans, features: [x, s, z], clusters: 3, iterations: 2, assign: true}",
		"{fit: kmeans, features: [x, s, z], clusters: 2, iterations: 1}",
		"{fit: pca, features: [x, s, z], components: 2, levels: {a.s: [level1, level0]}}",
	} {
		for join := range kinds {
			if join == stacked {
				if strings.Contains(task, "solver: sgd") || strings.Contains(task, "a.x") || strings.Contains(task, "b.y") {
					continue
				}
				if kind := strings.NewReplacer("{fit: ", "", "{compute: ", "").Replace(strings.Split(task, ",")[0]); kind != logisticRegression &&
					!slices.Contains(stackedKinds, Kind(kind)) || kind == string(GBT) || kind == string(Bin) { // these have edges
					continue
				}
				runs = append(runs, [2]string{strings.ReplaceAll(task, "a.s", "s"), join})
				continue
			}
			if hides := join == joined; !hides || !strings.Contains(task, "predict") && !strings.Contains(task, "lift") && !strings.Contains(task, "assign") &&
				!strings.Contains(task, "solver: sgd") && !strings.Contains(task, "splits") {
				runs = append(runs, [2]string{task, join})
			}
		}
	}
	for _, task := range []string{
		"{compute: eval, model: rest.json, target: y, metrics: [auc, ks, confusion, rmse, r2, lift, calibration], fractions: [0.5], bins: 4}",
		"{compute: eval, score: x, target: z, metrics: [rmse]}",
		"{fit: gbt, target: y, features: [x, s, z], trees: 2, depth: 2, edges: {x: [0.5, 3], z: [1]}}",
		"{fit: gbt, target: y, features: [x, s, z], trees: 2, depth: 2, bins: 2, ranges: {x: [0, 500]}, edges: {z: [1]}}",
		"{compute: bin, target: y, features: [x, s, z], min_group: 3, edges: {x: [0, 20], z: [0, 1, 60]}}",
		"{compute: bin, sample: y, features: [z], edges: {z: [1]}}",
		"{compute: bin, target: y, features: [x, s, z], bins: 2, ranges: {x: [0, 500], z: [0, 100]}}",
	} {
		runs = append(runs, [2]string{task, stacked})
	}
	for _, join := range []string{left, outer} {
		kinds[join] = map[Kind]bool{}
		for _, task := range []string{
			"{fit: glm, family: gaussian, target: z, features: [x], iterations: 2}",
			"{compute: stats, columns: [x, s, z, y]}",
			"{fit: pca, features: [x, z], components: 1}",
			"{fit: gbt, target: y, features: [x, s, z], trees: 2, depth: 2, bins: 4, holdout: 3}",
			"{compute: bin, target: y, features: [x, s, z], bins: 4, min_group: 3}",
			"{compute: group, by: [a.s], values: [x, z], min_group: 3}",
			"{compute: group, by: [b.y], values: [x, z], min_group: 3}",
			"{fit: kmeans, features: [x, s, z], clusters: 3, iterations: 2}",
		} {
			if join == left || strings.Contains(task, "stats") || strings.Contains(task, "pca") {
				runs = append(runs, [2]string{task, join})
			}
		}
	}
	const beside = "{method: stacked, beside: c}"
	kinds[beside] = map[Kind]bool{}
	for _, task := range []string{
		"{fit: glm, family: gaussian, target: z, features: [x, c.p], iterations: 2}",
		"{compute: stats, columns: [x, s, z, c.w, c.q, c.p], correlation: true}",
		"{fit: kmeans, features: [x, s, c.p, z, c.q], clusters: 2, iterations: 1, assign: true}",
		"{fit: pca, features: [x, c.p, c.w], components: 2}",
		"{fit: gbt, target: y, features: [x, s, c.p, c.w], trees: 2, depth: 2, bins: 4, edges: {x: [0.5, 3]}}",
		"{fit: gbt, target: y, features: [x, c.p], trees: 2, depth: 2, bins: 2, ranges: {x: [0, 500]}}",
		"{compute: bin, target: y, features: [x, s, c.p, c.w], min_group: 3, bins: 4, edges: {x: [0, 20]}}",
		"{compute: group, by: [s], values: [x, c.p], min_group: 3}",
		"{compute: eval, score: c.p, target: y, metrics: [auc, ks, confusion, rmse, r2]}",
		"{compute: eval, score: x, target: c.p, metrics: [rmse]}",
	} {
		runs = append(runs, [2]string{task, beside})
	}
	names := slices.Sorted(maps.Keys(tables))
	for i, run := range runs {
		task, join := run[0], run[1]
		sizes := map[string][]string{}
		for k, name := range names {
			if k == i%len(names) && !testcases.All() {
				continue // two of the three tables for each run
			}
			path := filepath.Join(dir, "job.yaml")
			files := name
			parties := []string{"a", "b"}
			if join == stacked || join == beside {
				files += "stacked"
			}
			if join == beside {
				parties = append(parties, "c")
			}
			text := fmt.Sprintf("task: %s\njoin: %s\nparties: [%s]\noutputs: {reveal: [b]}\ninputs:\n", task, join, strings.Join(parties, ", "))
			for _, owner := range parties {
				text += fmt.Sprintf("- {owner: %s, table: %s%s.csv}\n", owner, files, owner)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			kinds[join][j.Task.kind()] = true
			w, rows, err := j.Work(t.Context())
			if err != nil {
				t.Fatalf("%s, %s: %v", task, join, err)
			}
			spec, err := j.TaskSpec(w)
			if err != nil {
				t.Fatalf("%s: %v", task, err)
			}
			early := map[string]int{} // tensors that are revealed to one party while the program runs
			spec.Program.Each(func(o *hlo.Op) {
				for _, rank := range exec.RevealsTo(o, len(parties)) {
					early[j.Parties[rank]]++
				}
			})
			listed := map[string]int{}
			for _, e := range Early(w) {
				listed[e.Party] = 1 // bounds of bins
				if strings.Contains(task, "splits") {
					listed[e.Party] = 4 // levels of two trees of depth 2
				}
			}
			if n := exec.CountReveals(spec.Program); !maps.Equal(early, listed) || n != spec.Reveals || n != listed["a"]+listed["b"] {
				t.Errorf("%s: the program reveals %d tensors while it runs, %v, and the task lists %v of %d", task, n, early, listed, spec.Reveals)
			}
			tells := strings.Contains(task, "splits") || strings.Contains(task, "fit: gbt") && strings.Contains(task, "ranges")
			if tells != (len(early) == 2) || fmt.Sprint(spec.Reveal) != "[1]" {
				t.Errorf("%s: reveals to %v while it runs, and results to %v", task, early, spec.Reveal)
			}
			if n := len(spec.Program.Main.Results); n != len(w.Results()) || len(w.Outputs()) == 0 {
				t.Errorf("%s: the program has %d results, and the task lists %q", task, n, w.Results())
			}
			out, err := party.Run(t.Context(), spec)
			if err != nil {
				t.Fatalf("%s: %v", task, err)
			}
			answer, err := j.Answer(w, out.Results)
			if err != nil {
				t.Fatalf("%s: %v", task, err)
			}
			var printed strings.Builder
			if err := answer.Print(&printed); err != nil || printed.Len() == 0 {
				t.Errorf("%s: %v", task, err)
			}
			r := out.Report
			key := fmt.Sprint(r.Input.BytesSent, r.Online.BytesSent, r.Online.Messages, r.Online.Rounds, r.Output.BytesSent, r.Offline.BytesSent)
			if r := rows.Report; r != nil {
				key += fmt.Sprint(r.Online.BytesSent, r.Online.Messages, r.Online.Rounds, r.Offline.BytesSent)
			}
			sizes[key] = append(sizes[key], name)
			if r.Output.BytesSent[1] != 0 {
				t.Errorf("%s: %s: b, which alone learns results, sends %d bytes of them", task, name, r.Output.BytesSent[1])
			}
		}
		if len(sizes) != 1 {
			t.Errorf("%s, %s: sizes differ: %v", task, join, sizes)
		}
	}
	for _, k := range tasks.Kinds {
		if !kinds[aligned][k] || !kinds[joined][k] && k != Predict || !kinds[stacked][k] && slices.Contains(stackedKinds, k) ||
			!kinds[beside][k] && slices.Contains(stackedKinds, k) {
			t.Errorf("tasks of kind %s are not tested: %v", k, kinds)
		}
	}
}
