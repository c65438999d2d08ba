package job

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/kmeans"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pca"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
)

// cutRows writes the rows of a CSV file to two, a third of them for alice, and returns the files by party.
func cutRows(t *testing.T, text string) map[string]string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	parts := map[string][]string{"alice": {lines[0]}, "bob": {lines[0]}}
	for i, line := range lines[1:] {
		name := "bob"
		if i%3 == 0 {
			name = "alice"
		}
		parts[name] = append(parts[name], line)
	}
	files := map[string]string{}
	for name, part := range parts {
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(files[name], []byte(strings.Join(part, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// runStacked runs a task on tables.
func runStacked(t *testing.T, files map[string]string, task Task, method string) (Answer, *party.Outcome) {
	t.Helper()
	answer, out, _ := runTask(t, files, task, Join{Method: method})
	return answer, out
}

// TestStackedFit fits models on rows that are divided between parties, and compares with statsmodels on all rows.
func TestStackedFit(t *testing.T) {
	all := readFits(t)
	// Each way in which targets come, weights, an offset and a penalty once; other families and links differ in what TestHiddenFit tests.
	cases := []string{
		"longley gaussian identity", "stackloss gaussian log", "scotland gamma inverse", "cpunish tweedie log", "cpunish negative_binomial log",
		"cpunish poisson log offset", "scotland gamma log weights", "spector binomial logit l1",
	}
	seen, runs := map[string]bool{}, testcases.OneOf(t, 2)
	for _, f := range all {
		what := fmt.Sprint(f.Data, " ", f.Family, " ", f.Link)
		for name, has := range map[string]bool{" offset": f.Offset != "", " weights": f.Weights != "", " l1": f.L1 > 0 && f.L2 == 0, " l2": f.L2 > 0} {
			if has {
				what += name
			}
		}
		data, err := os.ReadFile(filepath.Join("../glm/testdata", f.Data+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		if seen[what] || !slices.Contains(cases, what) {
			continue
		}
		seen[what] = true
		if !runs() {
			continue
		}
		t.Run(what, func(t *testing.T) {
			task := Task{
				Family: f.Family, Link: f.Link, Target: "target", Features: f.Features, Offset: f.Offset, Weights: f.Weights,
				Power: f.Power, Alpha: f.Alpha, L1: f.L1, L2: f.L2,
			}
			if f.Family == glm.Gamma && f.Link == glm.Log {
				task.Iterations = 40 // Fisher scoring converges linearly here
			}
			answer, out := runStacked(t, cutRows(t, string(data)), task, Stacked)
			r := answer.(*glm.Result)
			if !r.Converged || !r.Inverted || r.Rows != strings.Count(strings.TrimSpace(string(data)), "\n") {
				t.Errorf("%d rows, converged %v, inverted %v", r.Rows, r.Converged, r.Inverted)
			}
			for i, c := range r.Coefficients {
				of := math.Abs(f.Coefficients[i])
				if f.L1 == 0 {
					of = max(of, f.Errors[i])
				}
				if math.Abs(c.Value-f.Coefficients[i]) > 1e-3*max(of, 1e-3) {
					t.Errorf("%s is %v, want %v", c.Name, c.Value, f.Coefficients[i])
				}
				if f.L1 == 0 && math.Abs(c.Error/f.Errors[i]-1) > 1e-3 {
					t.Errorf("%s: standard error %v, want %v", c.Name, c.Error, f.Errors[i])
				}
			}
			if math.Abs(r.Deviance/f.Deviance-1) > 1e-3 {
				t.Errorf("deviance %v, want %v", r.Deviance, f.Deviance)
			}
			if f.Dispersion > 0 && math.Abs(r.Dispersion/f.Dispersion-1) > 1e-3 {
				t.Errorf("dispersion %v, want %v", r.Dispersion, f.Dispersion)
			}
			if x := r.LogLikelihood; x != nil && f.LogLikelihood != nil && math.Abs(*x-*f.LogLikelihood) > 1e-3*max(1, math.Abs(*x)) {
				t.Errorf("log-likelihood %v, want %v", *x, *f.LogLikelihood)
			}
			if !slices.Equal(out.Report.Online.BytesSent, out.Report.Predicted.Online.BytesSent) {
				t.Error("costs are not those of the plan")
			}
		})
	}
	if len(seen) < len(cases) {
		t.Errorf("only %v", seen)
	}
}

// TestStackedStatistics compares with the statistics of one table with all rows.
func TestStackedStatistics(t *testing.T) {
	files := hiddenFiles(t, 90, 50)
	text, err := os.ReadFile(files["alice"])
	if err != nil {
		t.Fatal(err)
	}
	task := Task{Kind: Stats, Quantiles: []float64{}, Correlation: true, Fill: "mean"}
	task.Listed = []string{"alice.big0", "alice.some0", "alice.text0", "alice.truth0", "alice.same0"}
	clear, _ := runStacked(t, map[string]string{"alice": files["alice"]}, task, Aligned)
	task.Listed = []string{"big0", "some0", "text0", "truth0", "same0"}
	answer, _ := runStacked(t, cutRows(t, string(text)), task, Stacked)
	want, got := clear.(*statistics.Result), answer.(*statistics.Result)
	if got.Rows != want.Rows || len(got.Columns) != len(want.Columns) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	near := func(what string, a, b *float64, tolerance float64) {
		t.Helper()
		if (a == nil) != (b == nil) || a != nil && math.Abs(*a-*b) > tolerance*max(1, math.Abs(*b)) {
			t.Errorf("%s: %v, want %v", what, number(a), number(b))
		}
	}
	for i, c := range got.Columns {
		w := want.Columns[i]
		if "alice."+c.Name != w.Name || c.Count != w.Count || c.Missing != w.Missing {
			t.Errorf("%+v, want %+v", c, w)
		}
		near(c.Name+" mean", c.Mean, w.Mean, 1e-6)
		near(c.Name+" variance", c.Variance, w.Variance, 1e-6)
		near(c.Name+" skewness", c.Skewness, w.Skewness, 1e-5)
		near(c.Name+" kurtosis", c.Kurtosis, w.Kurtosis, 1e-5)
	}
	for i := range want.Correlation {
		for k := range want.Correlation {
			tolerance := 1e-6
			if strings.Contains(want.Names[i]+want.Names[k], "some") {
				tolerance = 0.01 // missing values are replaced by the mean of their owner's rows
			}
			near(fmt.Sprint(want.Names[i], want.Names[k]), got.Correlation[i][k], want.Correlation[i][k], tolerance)
		}
	}
}

// TestStackedTasks compares groups, clusters, components and metrics with those of one table with all rows.
func TestStackedTasks(t *testing.T) {
	text := "region,age,cost,kind,same,ill\n"
	for i := range 40 {
		age, kind := 30+float64(i*i%17)+40*float64(i%2), []string{"a", "b", "c"}[i*i%7%3]
		text += fmt.Sprintf("%d,%v,%v,%s,7,%d\n", i%4, age, 3*age+float64(i%5), kind, i%3/2)
	}
	files := cutRows(t, text)
	all := ""
	for _, name := range []string{"alice", "bob"} {
		part, err := os.ReadFile(files[name])
		if err != nil {
			t.Fatal(err)
		}
		head, rows, _ := strings.Cut(string(part), "\n")
		if name == "alice" {
			all = head + "\n"
		}
		all += rows
	}
	whole := filepath.Join(t.TempDir(), "all.csv")
	if err := os.WriteFile(whole, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "model.json")
	const fit = `{"link": "logit", "base": {"kind": "a"}, "coefficients": [{"name": "const", "value": -1.5}, {"name": "age", "value": 0.02},
		{"name": "kind=b", "value": 0.3}, {"name": "kind=c", "value": -0.2}]}`
	if err := os.WriteFile(model, []byte(fit), 0o600); err != nil {
		t.Fatal(err)
	}
	measured := []metrics.Metric{metrics.AUC, metrics.KS, metrics.Confusion, metrics.RMSE, metrics.R2, metrics.Lift, metrics.Calibration}
	for _, task := range []Task{
		{Kind: Eval, Score: "cost", Target: "ill", Metrics: measured[:5], Thresholds: []float64{150}},
		{Kind: Eval, Score: "cost", Target: "age", Metrics: measured[3:5]},
		{
			Kind: Eval, Model: model, Target: "ill", Metrics: measured, Thresholds: []float64{0.3, 0.5}, Fractions: []float64{0.25, 1},
			Growth: Growth{Bins: 4},
		},
		{Kind: Group, By: []string{"region", "kind"}, Values: []string{"age", "cost"}, MinGroup: 1},
		{Kind: KMeans, Features: []string{"age", "cost", "kind"}, Clustering: Clustering{Clusters: 3, Assign: true}, Iterations: 3, MinGroup: 1},
		{Kind: PCA, Features: []string{"age", "cost", "kind"}, Components: 2},
	} {
		answer, _ := runStacked(t, files, task, Stacked)
		got := answer
		if task.Kind == Eval {
			if task.Target = "alice." + task.Target; task.Score != "" {
				task.Score = "alice." + task.Score
			}
		}
		answer, _ = runStacked(t, map[string]string{"alice": whole}, task, Aligned)
		if r, ok := answer.(*kmeans.Result); ok { // means of all rows are not revealed
			for i := range r.Features {
				r.Features[i].Mean, r.Features[i].SD = 0, 0
			}
		}
		if d := cmp.Diff(plainOf(t, answer), plainOf(t, got), cmpopts.EquateApprox(1e-5, 1e-5)); d != "" {
			t.Errorf("%s (-want +got):\n%s", task.Kind, d)
		}
	}
	for _, task := range []Task{ // alice has 3 rows of region 3, and 4 or fewer of one of the clusters
		{Kind: Group, By: []string{"region"}, Values: []string{"age"}, MinGroup: 4},
		{Kind: KMeans, Features: []string{"age", "cost"}, Clustering: Clustering{Clusters: 4, Assign: true}, Iterations: 1, MinGroup: 5},
	} {
		answer, _ := runStacked(t, files, task, Stacked)
		shown, withheld := 0, 0
		count := func(hidden bool, own, rest int) {
			few := own > 0 && own < task.MinGroup || rest > 0 && rest < task.MinGroup
			if hidden {
				withheld++
			} else if shown++; few {
				t.Errorf("%s: a group with %d rows of alice and %d of bob is shown", task.Kind, own, rest)
			}
		}
		switch r := answer.(type) {
		case *bins.Summary:
			for i, g := range r.Groups {
				own := 0
				for row := 0; row < 40; row += 3 {
					own += bit(row%4 == i)
				}
				count(g.Withheld, own, 10-own)
			}
		case *kmeans.Result:
			for _, c := range r.Clusters {
				own, rest := 0, 0
				for row, of := range r.Assigned {
					own += bit(of == c.Number && row < 14)
					rest += bit(of == c.Number && row >= 14)
				}
				count(c.Withheld, own, rest)
			}
		}
		if shown == 0 || withheld < 2 {
			t.Errorf("%s: %d groups are shown and %d withheld", task.Kind, shown, withheld)
		}
	}
	task := Task{Kind: PCA, Features: []string{"age", "same", "cost"}, Components: 3}
	answer, _ := runStacked(t, files, task, Stacked)
	if r := answer.(*pca.Result); len(r.Components) != 2 || math.Abs(r.Components[0].Loadings[1]) > 1e-6 || r.Components[0].Variance < 1.99 {
		t.Errorf("a column of equal values: %+v", r)
	}
}

// TestStackedBins compares bins and trees of stacked tables with those of one table with all rows, and predictions with the model's. Bins
// of which a party has few rows, or rows of one class, are withheld.
func TestStackedBins(t *testing.T) {
	text, values := "age,kind,ill\n", []float64{}
	rows := 180
	for i := range rows {
		age := float64(i * i % 61)
		if i > 170 {
			age = 100 // three rows of alice
		}
		values = append(values, age)
		text += fmt.Sprintf("%v,%s,%d\n", age, []string{"a", "b", "c"}[i*i%7%3], bit(i*7%61 > int(age)/2+20))
	}
	files := cutRows(t, text)
	whole := filepath.Join(t.TempDir(), "all.csv")
	if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bounds := gbt.Bounds(values[:171], 4)
	edges := append(slices.Clone(bounds[:3]), 60)
	features := []string{"age", "kind"}
	answer, _ := runStacked(t, files, Task{Kind: Bin, Target: "ill", Features: features, Edges: map[string][]float64{"age": edges}}, Stacked)
	got := answer.(*bins.Result)
	lines := strings.Split(strings.TrimSpace(text), "\n")[1:]
	for k, f := range got.Features {
		total := map[string][2]int{}
		for i, line := range lines {
			cells := strings.Split(line, ",")
			name := cells[1]
			if k == 0 {
				name = fmt.Sprint(gbt.Bin(append(slices.Clone(edges), math.Inf(1)), values[i]))
			}
			x := total[name]
			total[name] = [2]int{x[0] + 1, x[1] + bit(cells[2] == "1")}
		}
		withheld := 0
		for i, b := range f.Bins {
			name := fmt.Sprint(i)
			if b.Level != nil {
				name = *b.Level
			}
			if b.Withheld {
				withheld++
			} else if want := total[name]; b.Rows != want[0] || b.Positives != want[1] {
				t.Errorf("%s: bin %s has %d rows and %d positives, want %v", f.Name, name, b.Rows, b.Positives, want)
			}
		}
		last := f.Bins[len(f.Bins)-1]
		if k == 0 && (!last.Withheld || withheld != 2 || len(f.Bins) != 5) || k == 1 && withheld > 0 || f.Value == nil {
			t.Errorf("%s: %d bins are withheld of %d, the last one %v", f.Name, withheld, len(f.Bins), last.Withheld)
		}
	}
	model := filepath.Join(t.TempDir(), "trees.json")
	task := Task{
		Kind: GBT, Target: "ill", Features: features, Edges: map[string][]float64{"age": edges}, Growth: Growth{Trees: 2, Depth: 2, MinWeight: 1},
	}
	answer, _ = runStacked(t, files, task, Stacked)
	trees := answer.(*gbt.Model)
	saved, err := json.Marshal(trees)
	if err == nil {
		err = os.WriteFile(model, saved, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if used, _ := trees.Used(); trees.Rows != rows || !slices.Contains(used, "age") {
		t.Errorf("%d rows, splits on %v", trees.Rows, used)
	}
	answer, _ = runStacked(t, map[string]string{"bob": whole}, Task{Kind: Predict, Model: model}, Aligned)
	for i, p := range answer.(*Predictions).Values {
		score := trees.Score(func(name string) float64 {
			if name == "age" {
				return values[i]
			}
			_, level, _ := strings.Cut(name, "=")
			return float64(bit(strings.Split(lines[i], ",")[1] == level))
		})
		if want := 1 / (1 + math.Exp(-score)); math.Abs(p-want) > 1e-4 {
			t.Fatalf("the prediction of row %d is %v, want %v", i+1, p, want)
		}
	}
}

// bit is 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// plainOf returns an answer as what its JSON says, without alice's name.
func plainOf(t *testing.T, answer Answer) (out any) {
	t.Helper()
	text, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal([]byte(strings.ReplaceAll(string(text), "alice.", "")), &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestStackedBeside fits models on rows that are divided between two parties, with further columns of all rows at a third one, and compares
// with statsmodels on all rows: with a target of the stacked tables, and with one beside them.
func TestStackedBeside(t *testing.T) {
	all := readFits(t)
	ran := 0
	for _, f := range all {
		what := fmt.Sprint(f.Data, " ", f.Family, " ", f.Link)
		if f.Offset != "" || f.Weights != "" || f.L1+f.L2 > 0 || what != "spector binomial logit" && what != "stackloss gaussian identity" &&
			what != "longley gaussian identity" {
			continue
		}
		data, err := os.ReadFile(filepath.Join("../glm/testdata", f.Data+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		for i, other := range [][]string{{f.Features[0]}, {"target", f.Features[0], f.Features[1]}} {
			if f.Data != "spector" && i == 0 == (f.Data == "longley") {
				continue // one of both
			}
			ran++
			dir := t.TempDir()
			files := map[string]string{}
			var theirs []string // the third party's columns, of the first's rows first
			for part, name := range []string{"north", "south"} {
				for k, line := range lines {
					if k > 0 && k%3/2 != part {
						continue
					}
					var own, rest []string
					for c, cell := range strings.Split(line, ",") {
						if slices.Contains(other, strings.Split(lines[0], ",")[c]) {
							rest = append(rest, cell)
						} else {
							own = append(own, cell)
						}
					}
					files[name] += strings.Join(own, ",") + "\n"
					if k > 0 || part == 0 {
						theirs = append(theirs, strings.Join(rest, ","))
					}
				}
			}
			files["third"] = strings.Join(theirs, "\n") + "\n"
			named := func(column string) string {
				if slices.Contains(other, column) {
					return "third." + column
				}
				return column
			}
			job := fmt.Sprintf("parties: [north, south, third]\njoin: {method: stacked, beside: third}\ntask: {fit: glm, family: %s, target: %s, features: [",
				f.Family, named("target"))
			for k, name := range f.Features {
				job += strings.Repeat(", ", min(k, 1)) + named(name)
			}
			job += "]}\ninputs:\n"
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name+".csv"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				job += fmt.Sprintf("- {owner: %s, table: %s.csv}\n", name, name)
			}
			r := fitOf(t, dir, job)
			for k, name := range append([]string{"const"}, f.Features...) {
				at := slices.IndexFunc(r.Coefficients, func(c glm.Coefficient) bool { return c.Name == named(name) })
				if at < 0 {
					t.Fatalf("%s: %s is not among the coefficients %+v", what, named(name), r.Coefficients)
				}
				c, of := r.Coefficients[at], max(math.Abs(f.Coefficients[k]), f.Errors[k])
				if math.Abs(c.Value-f.Coefficients[k]) > 1e-3*of || math.Abs(c.Error/f.Errors[k]-1) > 1e-3 {
					t.Errorf("%s: %s is %v ± %v, want %v ± %v", what, c.Name, c.Value, c.Error, f.Coefficients[k], f.Errors[k])
				}
			}
			if !r.Converged || math.Abs(r.Deviance/f.Deviance-1) > 1e-3 {
				t.Errorf("%s: converged %v, deviance %v, want %v", what, r.Converged, r.Deviance, f.Deviance)
			}
		}
	}
	if ran != 4 {
		t.Errorf("%d fits were run", ran)
	}
}

// TestBesideOthers runs statistics, clusters and components of rows that are divided between two parties, with further columns of all rows
// at a third and a fourth one, and compares with the same on tables that are not divided.
func TestBesideOthers(t *testing.T) {
	const head = "a,kind,b,same\n"
	r := rand.New(rand.NewPCG(9, 3))
	texts := map[string]string{"north": head, "south": head, "all": head, "third": "x,text,y\n", "fourth": "z,none,w\n"}
	for i := range 60 {
		a, group, b, w := r.NormFloat64(), float64(i%3), fmt.Sprint(5+r.NormFloat64()), ""
		if i%9 == 2 {
			b = ""
		}
		row := fmt.Sprintf("%v,%s,%s,4\n", 3*group+a, []string{"u", "v"}[r.IntN(2)], b)
		texts["all"] += row
		if i < 23 {
			texts["north"] += row
		} else {
			texts["south"] += row
		}
		texts["third"] += fmt.Sprintf("%v,%s,%v\n", 1000*group+100*r.NormFloat64(), []string{"m", "n"}[r.IntN(2)], a+r.NormFloat64())
		if i%11 != 3 {
			w = fmt.Sprint(a * a)
		}
		texts["fourth"] += fmt.Sprintf("%v,-2,%s\n", a*r.Float64(), w)
	}
	files := map[string]string{}
	for name, text := range texts {
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(task Task, join Join, parties ...string) Answer {
		t.Helper()
		j, err := NewFit(parties, files, task, join)
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := j.Work(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spec, err := j.TaskSpec(w)
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out.Report.Online.BytesSent, out.Report.Predicted.Online.BytesSent) {
			t.Error("costs are not those of the plan")
		}
		if n := len(w.Results()); n != len(out.Results) || exec.CountReveals(spec.Program) != 0 {
			t.Errorf("%d results are listed, and %d revealed", n, len(out.Results))
		}
		answer, err := j.Answer(w, out.Results)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	besides := Join{Method: Stacked, Beside: []string{"third", "fourth"}}
	for _, task := range []Task{
		{Kind: Stats, Listed: []string{"a", "kind", "same", "third.x", "third.text", "third.y", "fourth.w", "fourth.none"}, Fill: "mean", Correlation: true},
		{Kind: Stats, Listed: []string{"kind", "third.y"}, Correlation: true},
		{Kind: Stats, Listed: []string{"a", "b", "fourth.w"}},
		{Kind: PCA, Features: []string{"a", "third.x", "third.text", "fourth.z", "kind"}, Components: 3},
		{Kind: PCA, Features: []string{"a", "third.y", "kind"}, Components: 2},
		{Kind: KMeans, Features: []string{"a", "kind", "third.x", "fourth.z"}, Clustering: Clustering{Clusters: 3}, Iterations: 6, MinGroup: 1},
	} {
		var parties, whole []string // those with columns of the task
		for _, name := range []string{"north", "south", "third", "fourth"} {
			if slices.ContainsFunc(append(task.Listed, task.Features...), func(c string) bool { return strings.HasPrefix(c, name+".") }) {
				parties, whole = append(parties, name), append(whole, name)
			} else if name == "north" || name == "south" {
				parties = append(parties, name)
			}
		}
		join := besides
		join.Beside = whole
		got := run(task, join, parties...)
		pooled := task
		named := func(names []string) (out []string) {
			for _, name := range names {
				if !strings.Contains(name, ".") {
					name = "all." + name
				}
				out = append(out, name)
			}
			return out
		}
		pooled.Listed, pooled.Features = named(task.Listed), named(task.Features)
		want := run(pooled, Join{Method: Aligned}, append([]string{"all"}, whole...)...)
		switch w := want.(type) {
		case *statistics.Result:
			for i, c := range w.Columns {
				w.Columns[i].Name = strings.TrimPrefix(c.Name, "all.")
				w.Columns[i].Quantiles = nil
			}
			for i, name := range w.Names {
				w.Names[i] = strings.TrimPrefix(name, "all.")
			}
		case *pca.Result:
			for i, f := range w.Features {
				w.Features[i].Name = strings.TrimPrefix(f.Name, "all.")
			}
		}
		if err := sameAnswer(got, want); err != nil {
			t.Errorf("%s of %v %v: %v", task.Kind, task.Listed, task.Features, err)
		}
	}
	for want, x := range map[string]Task{
		"beside is not for predict: predict the rows of each": {Kind: Predict, Revealed: &glm.Result{Link: glm.Logit}},
		"no column of third is used":                          {Kind: PCA, Features: []string{"a", "b"}},
		"the table of third has no column \"b\"":              {Kind: KMeans, Features: []string{"a", "third.b"}},
		"columns names none of the stacked tables":            {Kind: Stats, Listed: []string{"third.x"}},
	} {
		j, err := NewFit([]string{"north", "south", "third"}, files, x, Join{Method: Stacked, Beside: []string{"third"}})
		if err == nil {
			_, _, err = j.Work(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestBesideKeys: rows that are divided between two parties are matched by keys with those of a third one, which has them in another order
// and further ones; results are those of the rows that match, in one table. Plans take as many rows as can match.
func TestBesideKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	texts := map[string]string{"north": "id,a,kind\n", "south": "id,a,kind\n", "all": "a,kind,x,y\n"}
	var theirs []string
	for i := range 60 {
		a, x := r.NormFloat64(), r.NormFloat64()
		y, kind := 1+a-2*x+r.NormFloat64(), []string{"u", "v"}[r.IntN(2)]
		name := "south"
		if i%3 == 0 {
			name = "north"
		}
		if i%7 != 6 {
			texts[name] += fmt.Sprintf("K%d,%v,%s\n", i, a, kind)
		}
		if i%5 != 4 {
			theirs = append(theirs, fmt.Sprintf(" k%d,%v,%v", i, x, y))
		}
		if i%7 != 6 && i%5 != 4 {
			texts["all"] += fmt.Sprintf("%v,%s,%v,%v\n", a, kind, x, y)
		}
	}
	r.Shuffle(len(theirs), func(i, j int) { theirs[i], theirs[j] = theirs[j], theirs[i] })
	texts["third"] = "key,x,y\n" + strings.Join(theirs, "\n") + "\n"
	texts["twice"] = texts["third"] + " k1,2,3\n"
	texts["none"] = "key,x,y\nother,1,2\n"
	files := map[string]string{}
	for name, text := range texts {
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parties := []string{"north", "south", "third"}
	keyed := Join{Method: Stacked, Beside: []string{"third"}, Normal: table.Normal{Trim: true, Case: true}}
	keyed.On = map[string][]string{"north": {"id"}, "south": {"id"}, "third": {"key"}}
	run := func(task Task, join Join, parties ...string) (Answer, *profile.Report) {
		t.Helper()
		j, err := NewFit(parties, files, task, join)
		if err != nil {
			t.Fatal(err)
		}
		w, joined, err := j.Work(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spec, err := j.TaskSpec(w)
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := j.Answer(w, out.Results)
		if err != nil {
			t.Fatal(err)
		}
		return answer, joined.Report
	}
	for _, task := range []Task{
		{Kind: Stats, Correlation: true}, {Kind: Stats, Listed: []string{"a", "third.x"}},
		{Kind: PCA, Features: []string{"a", "kind", "third.x", "third.y"}, Components: 1},
		{Kind: GLM, Family: glm.Gaussian, Target: "third.y", Features: []string{"a", "kind", "third.x"}},
	} {
		named := func(names ...string) (out []string) {
			for _, name := range names {
				out = append(out, "all."+strings.TrimPrefix(name, "third."))
			}
			return out
		}
		got, report := run(task, keyed, parties...)
		if report == nil || report.Join == nil || report.Join.Join != nil || !slices.Equal(report.Parties, []string{"south", "third"}) {
			t.Errorf("%s: want the reports of two intersections, got %+v", task.Kind, report)
		}
		pooled := task
		if task.Listed != nil {
			pooled.Listed = named(task.Listed...)
		}
		if pooled.Features = named(task.Features...); task.Target != "" {
			pooled.Target = "all.y"
		}
		want, _ := run(pooled, Join{Method: Aligned}, "all")
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.NewReplacer(`"all.x`, `"third.x`, `"all.y`, `"third.y`, `"all.`, `"`).Replace(string(text))
		switch w := want.(type) {
		case *statistics.Result:
			*w = statistics.Result{}
		case *pca.Result:
			*w = pca.Result{}
		case *glm.Result:
			*w = glm.Result{}
		}
		if err := json.Unmarshal([]byte(plain), want); err != nil {
			t.Fatal(err)
		}
		if s, ok := want.(*statistics.Result); ok {
			for i := range s.Columns {
				s.Columns[i].Quantiles = nil
			}
		}
		if err := sameAnswer(got, want); err != nil {
			t.Errorf("%s: %v", task.Kind, err)
		}
		j, err := NewFit(parties, files, task, keyed)
		if err != nil {
			t.Fatal(err)
		}
		w, planned, err := j.PlanWork(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spec, err := j.TaskSpec(w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := party.Plan(t.Context(), spec); err != nil {
			t.Fatal(err)
		}
		for a, b := planned, report; a != nil || b != nil; a, b = a.Join, b.Join {
			if a == nil || b == nil || !slices.Equal(a.Online.BytesSent, b.Predicted.Online.BytesSent) {
				t.Errorf("%s: the intersections are not those of the plan", task.Kind)
				break
			}
		}
	}
	stats := Task{Kind: Stats}
	two := Join{Method: Stacked, On: keyed.On, Beside: []string{"third", "none"}}
	for want, x := range map[string]struct {
		join  Join
		third string
	}{
		`no rows of north match`: {keyed, "none"},
		"twice.csv":              {keyed, "twice"},
		"but for on and normalise of tables that one party is beside": {Join{Method: Stacked, On: keyed.On}, "third"},
		"the key has 1 columns at north and 2 at third": {Join{Method: Stacked, Beside: keyed.Beside, On: map[string][]string{
			"north": {"id"}, "south": {"id"}, "third": {"key", "x"}}}, "third"},
		"keys match rows of stacked tables with those of one party": {two, "third"},
	} {
		with := map[string]string{"north": files["north"], "south": files["south"], "third": files[x.third]}
		names := parties
		if len(x.join.Beside) > 1 {
			names, with["none"] = append(slices.Clone(parties), "none"), files["none"]
		}
		j, err := NewFit(names, with, stats, x.join)
		if err == nil {
			_, _, err = j.Work(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// fitOf runs the fit of a job file in a folder.
func fitOf(t *testing.T, dir, text string) *glm.Result {
	t.Helper()
	path := filepath.Join(dir, "job.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := j.Work(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	spec, err := j.TaskSpec(w)
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Report.Online.BytesSent, out.Report.Predicted.Online.BytesSent) {
		t.Error("costs are not those of the plan")
	}
	if n := len(w.Results()); n != len(out.Results) || exec.CountReveals(spec.Program) != 0 {
		t.Errorf("%d results are listed, and %d revealed", n, len(out.Results))
	}
	answer, err := j.Answer(w, out.Results)
	if err != nil {
		t.Fatal(err)
	}
	return answer.(*glm.Result)
}

// TestStackedQuantiles: bins of stacked columns with ranges are those with edges at quantiles of all rows, by the grid of the range.
func TestStackedQuantiles(t *testing.T) {
	text, by := "age,cost,kind,ill\n", map[string][]float64{}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 240 {
		age, cost := float64(r.IntN(40)), math.Exp(2*r.NormFloat64())
		by["age"], by["cost"] = append(by["age"], age), append(by["cost"], cost)
		spelled := fmt.Sprint(cost)
		if i%16 == 5 {
			spelled, by["cost"] = "", by["cost"][:len(by["cost"])-1]
		}
		text += fmt.Sprintf("%v,%s,%s,%d\n", age, spelled, []string{"a", "b"}[i/3%2], r.IntN(2))
	}
	files := cutRows(t, text)
	task := Task{Kind: Bin, Target: "ill", Features: []string{"age", "kind", "cost"}, Growth: Growth{Bins: 5}}
	task.Ranges = map[string][]float64{"age": {0, 64}, "cost": {0.25, 64}} // some costs are beyond
	answer, out := runStacked(t, files, task, Stacked)
	if r := out.Report; !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
		t.Error("costs are not those of the plan")
	}
	declared := Task{Kind: Bin, Target: "ill", Features: task.Features, Edges: map[string][]float64{}}
	for name, values := range by {
		g := stacked.Grid{Low: task.Ranges[name][0], High: task.Ranges[name][1]}
		slices.Sort(values)
		for i := 1; i < 5; i++ {
			cell := g.Cell(values[(i*len(values)+4)/5-1]) // the first value up to which there are i/5 of all
			declared.Edges[name] = append(declared.Edges[name], g.Bound(cell))
		}
	}
	want, _ := runStacked(t, files, declared, Stacked)
	if err := sameAnswer(answer, want); err != nil {
		t.Errorf("%v of %+v", err, declared.Edges)
	}
	shown := 0
	for _, f := range answer.(*bins.Result).Features {
		for _, b := range f.Bins {
			if !b.Withheld {
				shown++
			}
		}
	}
	if shown < 12 {
		t.Errorf("only %d bins are shown", shown)
	}
}

// TestStackedRefused: what stacked tables do not have.
func TestStackedRefused(t *testing.T) {
	files := cutRows(t, "a,b,s\n1,2,x\n2,3,y\n3,5,x\n4,4,z\n5,2,x\n6,7,y\n")
	other := map[string]string{"alice": files["alice"], "bob": hiddenFiles(t, 20, 10)["bob"]}
	fit := Task{Family: glm.Gaussian, Target: "b", Features: []string{"a"}}
	for want, c := range map[string]struct {
		files map[string]string
		task  Task
		join  Join
	}{
		"not for kind predict":   {files, Task{Kind: Predict, Model: "m"}, Join{Method: Stacked}},
		"edges is missing for b": {files, Task{Kind: GBT, Target: "a", Features: []string{"b"}}, Join{Method: Stacked}},
		"edges is missing for a": {files, Task{Kind: Bin, Target: "b", Features: []string{"a"}}, Join{Method: Stacked}},
		"edges names \"c\"": {
			files, Task{Kind: Bin, Target: "b", Features: []string{"a"}, Edges: map[string][]float64{"c": {1}}}, Join{Method: Stacked},
		},
		"s has levels, which are its bins": {
			files, Task{Kind: Bin, Target: "b", Features: []string{"s"}, Edges: map[string][]float64{"s": {1}}}, Join{Method: Stacked},
		},
		"are numbers, ascending": {
			files, Task{Kind: GBT, Target: "b", Features: []string{"a"}, Edges: map[string][]float64{"a": {2, 2}}}, Join{Method: Stacked},
		},
		"follow from edges": {
			files,
			Task{Kind: Bin, Target: "b", Features: []string{"a"}, Edges: map[string][]float64{"a": {2}}, Growth: Growth{Bins: 3}},
			Join{Method: Stacked},
		},
		"edges belong to": {
			files, Task{Kind: GBT, Target: "alice.b", Features: []string{"bob.a"}, Edges: map[string][]float64{"a": {2}}}, Join{Method: Aligned},
		},
		"ranges names \"c\"": {
			files, Task{Kind: Bin, Target: "b", Features: []string{"a"}, Ranges: map[string][]float64{"c": {0, 1}}}, Join{Method: Stacked},
		},
		"ranges: a has edges": {
			files,
			Task{Kind: Bin, Target: "b", Features: []string{"a"}, Ranges: map[string][]float64{"a": {0, 1}}, Edges: map[string][]float64{"a": {1}}},
			Join{Method: Stacked},
		},
		"--ranges: a: want the least and the largest number": {
			files, Task{Kind: Bin, Target: "b", Features: []string{"a"}, Ranges: map[string][]float64{"a": {2, 2}}}, Join{Method: Stacked},
		},
		"would show values of single rows": {
			files, Task{Kind: Bin, Target: "b", Features: []string{"a"}, Ranges: map[string][]float64{"a": {0, 2}}, Growth: Growth{Bins: 200}},
			Join{Method: Stacked},
		},
		"ranges belong to": {
			files, Task{Kind: Bin, Target: "alice.b", Features: []string{"bob.a"}, Ranges: map[string][]float64{"a": {0, 2}}}, Join{Method: Aligned},
		},
		"name it b":                 {files, Task{Family: glm.Gaussian, Target: "alice.b", Features: []string{"a"}}, Join{Method: Stacked}},
		"bob has no column \"a\"":   {other, fit, Join{Method: Stacked}},
		"named twice":               {files, Task{Family: glm.Gaussian, Target: "b", Features: []string{"a", "b"}}, Join{Method: Stacked}},
		"no quantiles":              {files, Task{Kind: Stats, Listed: []string{"a"}, Quantiles: []float64{0.1}}, Join{Method: Stacked}},
		"stacked rows have no keys": {files, fit, Join{Method: Stacked, On: map[string][]string{"alice": {"a"}}}},
		"is for a table of each":    {map[string]string{"alice": files["alice"]}, fit, Join{Method: Stacked}},
		"or of stacked tables":      {files, Task{Family: glm.Poisson, Target: "b", Features: []string{"a"}, Hessians: 2}, Join{Method: Stacked}},
		"have the same (name those": {other, Task{Kind: Stats}, Join{Method: Stacked}},
		"levels names": {
			files, Task{Family: glm.Gaussian, Target: "b", Features: []string{"a"}, Levels: map[string][]string{"q": {"x"}}}, Join{Method: Stacked},
		},
		"the model has no features": {files, Task{Family: glm.Gaussian, Target: "b"}, Join{Method: Stacked}},
	} {
		j, err := NewFit([]string{"alice", "bob"}, c.files, c.task, c.join)
		if err == nil {
			var w Work
			if w, _, err = j.Work(t.Context()); err == nil {
				_, err = j.TaskSpec(w)
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
