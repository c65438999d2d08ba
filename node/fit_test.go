package node

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/table"
)

const (
	stackAlice = "AIRFLOW,secret\n80,1\n80,1\n75,1\n62,1\n62,1\n62,1\n62,1\n62,1\n58,1\n58,1\n58,1\n58,1\n58,1\n58,1\n50,1\n50,1\n50,1\n50,1\n50,1\n56,1\n70,1\n"
	stackBob   = "target,WATERTEMP,kind\n42,27,a\n37,27,b\n37,25,a\n28,24,b\n18,22,a\n18,23,b\n19,24,a\n20,24,b\n15,23,a\n14,18,b\n14,18,a\n13,17,b\n" +
		"11,18,a\n12,19,b\n8,18,a\n7,18,b\n8,19,a\n8,19,b\n9,20,a\n15,20,b\n15,20,a\n"
	fitPolicy = "admins: [admin]\nrules:\n" +
		"  - {name: fits, submitters: [carol], tasks: [glm, gbt, stats, predict, eval, bin, group, kmeans, pca], columns: COLUMNS, inputs: any, reveal: any, fetch: [carol]}\n"
)

// fitCluster is a cluster of alice and bob, each with the table stack in its catalogue.
func fitCluster(t *testing.T, approve bool) *testCluster {
	c := newCluster(t, "alice", "bob")
	for name, columns := range map[string]string{"alice": "[stack.AIRFLOW]", "bob": "['stack.*']"} {
		c.stops[name]()
		rules := strings.Replace(fitPolicy, "COLUMNS", columns, 1)
		if approve && name == "bob" {
			rules = strings.Replace(rules, "reveal: any", "reveal: any, approve: true", 1)
		}
		c.write(name, "policy.yaml", rules)
		c.write(name, "stack.csv", map[string]string{"alice": stackAlice, "bob": stackBob}[name])
		c.start(name, []string{"alice", "bob"}, func(k *Config) {
			k.Catalogue = map[string]string{"stack": filepath.Join(c.dir, name, "stack.csv")}
			k.Tables = map[string]*job.Table{"stack": {}}
		})
	}
	return c
}

const fitJob = `task: {fit: glm, family: gaussian, target: bob.target, features: [alice.AIRFLOW, bob.WATERTEMP, bob.kind], rows: 21, iterations: 3}
join: {method: aligned}
parties: [alice, bob]
inputs:
  - {owner: alice, name: stack}
  - {owner: bob, name: stack}
outputs: {reveal: [alice]}
`

// fitSubmission returns the submission of fitJob with some text replaced.
func fitSubmission(t *testing.T, old, new string) (*job.Job, *api.Submission) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte(strings.Replace(fitJob, old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.NewSubmission(t.Context(), j, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j, s
}

// TestFit fits a model at nodes after an approval, which shows the task and what it reveals.
func TestFit(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, true)
	defer c.stop()
	j, s := fitSubmission(t, "iterations: 3}", "iterations: 3, levels: {bob.kind: [a, b]}}")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	status, err := c.as("admin", "bob").Job(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	const want = `glm, family gaussian, link identity, target "bob.target", features ["alice.AIRFLOW" "bob.WATERTEMP" "bob.kind"], "bob.kind" has the levels ["a" "b"], 21 rows, 3 iterations, 3 Hessians, condition 1e+06`
	if status.State != api.Pending || status.Task != want || len(status.Reveals) != 7 ||
		status.Reveals[0].Name != "coefficients" || status.Ring != 128 {
		t.Errorf("the status is %+v", status)
	}
	own, err := c.as("admin", "bob").OwnInputs(t.Context(), s.ID)
	if want := []string{"WATERTEMP", "kind", "target"}; err != nil || len(own) != 1 || !slices.Equal(own[0].Columns, want) {
		t.Errorf("the inputs are %+v (%v), want the columns %v", own, err, want)
	}
	if _, err := c.as("admin", "bob").Approve(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	answer, _ := fetchedAnswer(t, c, j, s)
	fit := answer.(*glm.Result)
	// least squares of target on AIRFLOW, WATERTEMP and [kind = b], computed with fractions
	for i, want := range []struct {
		name  string
		value float64
	}{{"const", -51.065332}, {"alice.AIRFLOW", 0.6766670}, {"bob.WATERTEMP", 1.2919733}, {"bob.kind=b", 0.9337360}} {
		if got := fit.Coefficients[i]; got.Name != want.name || math.Abs(got.Value-want.value) > 1e-3*math.Abs(want.value) {
			t.Errorf("%s is %v, want %s %v", got.Name, got.Value, want.name, want.value)
		}
	}
	if !fit.Inverted || fit.Rows != 21 || fit.Base["bob.kind"] != "a" {
		t.Errorf("the fit is %+v", fit)
	}
}

// TestFitSGD fits a model by stochastic gradient descent at nodes, and nodes refuse programs of other settings.
func TestFitSGD(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	j, s := fitSubmission(t, ", bob.kind], rows: 21, iterations: 3}", "], rows: 21, solver: sgd, epochs: 6, batch: 21, rate: 0.4}")
	for want, change := range map[string]func(g *api.SGD){
		"not the one that this node builds": func(g *api.SGD) { g.Epochs = 7 },
		"defaults too":                      func(g *api.SGD) { g.Bits = 0 },
		"batch: want 16 to":                 func(g *api.SGD) { g.Batch = 22 },
	} {
		other, g := *s, *s.Task.SGD
		task := *s.Task
		change(&g)
		other.Task, task.SGD = &task, &g
		if err := c.submit(&other, "carol"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	status, err := c.as("carol", "bob").Job(t.Context(), s.ID)
	const want = "21 rows, solver sgd, 6 epochs, batches of 21 rows, rate 0.4, features of 16 bits"
	if err != nil || !strings.HasSuffix(status.Task, want) || len(status.Reveals) != 2 || status.Reveals[1].Name != "whether they have converged (1 bit)" {
		t.Errorf("the status is %+v (%v), want the task to end with %q", status, err, want)
	}
	answer, _ := fetchedAnswer(t, c, j, s)
	fit := answer.(*glm.Result)
	// Six steps of gradient descent, each with the gradient at the coefficients without the last move, in floats.
	for i, want := range []struct {
		name  string
		value float64
	}{{"const", -26.2593369}, {"alice.AIRFLOW", 0.4108594}, {"bob.WATERTEMP", 0.8985678}} {
		if got := fit.Coefficients[i]; got.Name != want.name || math.Abs(got.Value-want.value) > 0.02*math.Abs(want.value) {
			t.Errorf("%s is %v, want %s %v", got.Name, got.Value, want.name, want.value)
		}
	}
	if fit.Solver != glm.Solver || fit.Rows != 21 {
		t.Errorf("the fit is %+v", fit)
	}
}

// TestFitCG fits a model by conjugate gradients at nodes: the coefficients are those of TestFit, without standard errors. Nodes refuse
// programs of other settings.
func TestFitCG(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	j, s := fitSubmission(t, "iterations: 3}", "iterations: 3, solver: cg, steps: 4, levels: {bob.kind: [a, b]}}")
	for want, change := range map[string]func(g *api.CG){
		"not the one that this node builds": func(g *api.CG) { g.Steps = 5 },
		"steps are given, defaults too":     func(g *api.CG) { g.Steps = 0 },
		"steps: want 1 to 1000":             func(g *api.CG) { g.Steps = 1001 },
	} {
		other, g := *s, *s.Task.CG
		task := *s.Task
		change(&g)
		other.Task, task.CG = &task, &g
		if err := c.submit(&other, "carol"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	status, err := c.as("carol", "bob").Job(t.Context(), s.ID)
	const want = "21 rows, solver cg, 3 iterations of 4 steps, condition 1e+06"
	if err != nil || !strings.HasSuffix(status.Task, want) || len(status.Reveals) != 5 || status.Reveals[1].Name != "deviance" {
		t.Errorf("the status is %+v (%v), want the task to end with %q", status, err, want)
	}
	answer, _ := fetchedAnswer(t, c, j, s)
	fit := answer.(*glm.Result)
	for i, want := range []struct {
		name  string
		value float64
	}{{"const", -51.065332}, {"alice.AIRFLOW", 0.6766670}, {"bob.WATERTEMP", 1.2919733}, {"bob.kind=b", 0.9337360}} {
		if got := fit.Coefficients[i]; got.Name != want.name || math.Abs(got.Value-want.value) > 1e-3*math.Abs(want.value) || got.Error != 0 {
			t.Errorf("got %+v, want %s %v", got, want.name, want.value)
		}
	}
	if fit.Solver != glm.SolverCG || !fit.Converged || fit.Rows != 21 {
		t.Errorf("the fit is %+v", fit)
	}
}

// TestFitRefused: submissions whose program or inputs are not those of the task, columns that policies do not allow, and
// tables that are not as the task declares.
func TestFitRefused(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	for name, x := range map[string]struct {
		change func(s *api.Submission)
		want   string
	}{
		"another program": {func(s *api.Submission) { s.Program.Text = append([]byte("// \n"), s.Program.Text...) }, "not the one that this node builds"},
		"a model larger than its program": {func(s *api.Submission) { s.Task.Widths = map[string]int{"alice.AIRFLOW": 900}; s.Task.Rows = 1000 },
			"a model of 903 coefficients has a longer one"},
		"another family":            {func(s *api.Submission) { s.Task.Family, s.Task.Link = "poisson", "log" }, "not the one that this node builds"},
		"another fit":               {func(s *api.Submission) { s.Task.Fit = "svm" }, `there is no task "svm"`},
		"no link":                   {func(s *api.Submission) { s.Task.Link = "" }, "defaults too"},
		"another ring":              {func(s *api.Submission) { s.Ring, s.Fraction = 64, 18 }, "computes in ring 128 with 40"},
		"arguments of others":       {func(s *api.Submission) { s.Inputs[0].Args = s.Inputs[1].Args }, "and the task wants [0 1 2]"},
		"a missing input":           {func(s *api.Submission) { s.Inputs = s.Inputs[:1] }, "of whom no input is named"},
		"two tables":                {func(s *api.Submission) { s.Inputs = append(s.Inputs, s.Inputs[0]) }, "one table of each owner"},
		"a file":                    {func(s *api.Submission) { s.Inputs[0].Name = "x.npy" }, "is not a table of its catalogue|columns: "},
		"all columns":               {func(s *api.Submission) { s.Task.Features[0] = "alice.*" }, "name each column"},
		"a service":                 {func(s *api.Submission) { s.Serve = true }, "is no service"},
		"a name that is no column":  {func(s *api.Submission) { s.Task.Target = "target" }, "want PARTY.COLUMN"},
		"a name with a line feed":   {func(s *api.Submission) { s.Task.Features[0] = "alice.\n" }, "a name of the task"},
		"a public input":            {func(s *api.Submission) { s.Public = []api.Public{{Arg: 0}} }, "public inputs"},
		"rows that are too few":     {func(s *api.Submission) { s.Task.Rows = 3 }, "too few"},
		"a column of another party": {func(s *api.Submission) { s.Task.Features[0] = "mallory.x" }, "want PARTY.COLUMN"},
	} {
		_, s := fitSubmission(t, "", "")
		x.change(s)
		if err := c.submit(s, "carol"); err == nil {
			j := c.wait(s.ID, "alice")
			if !strings.Contains(j.Error, "columns: ") || !strings.Contains(x.want, "columns: ") {
				t.Errorf("%s: the job is %s (%s)", name, j.State, j.Error)
			}
		} else if found, _, _ := strings.Cut(x.want, "|"); !strings.Contains(err.Error(), found) {
			t.Errorf("%s: got %v, want %q", name, err, x.want)
		}
	}
	_, s := fitSubmission(t, "alice.AIRFLOW", "alice.secret")
	s.Program.Text = append([]byte("// \n"), s.Program.Text...)
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil { // the policy denies it, so its task is not built
		t.Errorf("another program, with a column that the policy does not list: %v", err)
	} else if j := c.wait(s.ID, "alice"); !strings.Contains(j.Error, "columns: ") {
		t.Errorf("another program, with a column that the policy does not list: the job is %s (%s)", j.State, j.Error)
	}
	for name, x := range map[string]struct{ old, new, want string }{
		"a column that the policy does not list": {"alice.AIRFLOW", "alice.secret", `columns: "stack.secret" is not among them`},
		"another number of rows":                 {"rows: 21", "rows: 20", "an input of bob holds an element that cannot be shared"},
		"another number of features":             {"rows: 21", "rows: 21, widths: {bob.kind: 2}", "an input of bob holds an element that cannot be shared"},
		"other levels":                           {"rows: 21", "rows: 21, levels: {bob.kind: [a, c]}", "an input of bob holds an element that cannot be shared"},
		"a column that is not there":             {"bob.WATERTEMP", "bob.hush", "an input of bob holds an element that cannot be shared"},
	} {
		_, s := fitSubmission(t, x.old, x.new)
		if strings.HasPrefix(name, "another number of rows") { // alice's are fine
			s.Reveal = []int{0}
			c.write("alice", "stack.csv", strings.TrimSuffix(stackAlice, "70,1\n"))
		}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Parties {
			if strings.HasPrefix(x.want, "columns") && p == "bob" { // who submits would cancel it there
				continue
			}
			if j := c.wait(s.ID, p); !strings.Contains(j.Error, x.want) || strings.Contains(j.Error, "stack.csv") {
				t.Errorf("%s: %s: the job is %s (%s), want %q", name, p, j.State, j.Error, x.want)
			}
		}
		c.write("alice", "stack.csv", stackAlice)
	}
}

// TestTasks runs the tasks that are no fits at nodes.
func TestTasks(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	model := filepath.Join(t.TempDir(), "m.json")
	const text = `{"link": "identity", "base": {"bob.kind": "a"}, "coefficients": [{"name": "const", "value": -51}, {"name": "alice.AIRFLOW", "value": 0.5},` +
		` {"name": "bob.WATERTEMP", "value": 2}, {"name": "bob.kind=b", "value": 1}]}`
	if err := os.WriteFile(model, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(stackBob, "\n"), "\n")
	for i := range rows { // flag: whether AIRFLOW is above 58
		rows[i] += map[bool]string{true: ",flag", false: map[bool]string{true: ",1", false: ",0"}[i <= 8 || i == 21]}[i == 0]
	}
	c.write("bob", "stack.csv", strings.Join(rows, "\n")+"\n")
	const fit = "task: {fit: glm, family: gaussian, target: bob.target, features: [alice.AIRFLOW, bob.WATERTEMP, bob.kind], rows: 21, iterations: 3}"
	// what follows was computed in floats
	for task, want := range map[string][]string{
		"task: {compute: stats, columns: [alice.AIRFLOW, bob.kind, bob.target], texts: [bob.kind], quantiles: [0.5], rows: 21}": {
			"alice.AIRFLOW 21 0 60.4286 84.0571 58", "bob.target 0.9197"},
		"task: {compute: predict, model: " + model + ", rows: 21}":                  {"row 1: 43 row 2: 44 row 3: 36.5"},
		"task: {compute: eval, model: " + model + ", target: bob.target, rows: 21}": {"RMSE 5.44343 R² 0.699285"},
		"task: {fit: gbt, target: bob.flag, features: [alice.AIRFLOW, bob.kind], rows: 21, trees: 1, depth: 1, bins: 4}": {
			"1 trees of depth 1, 4 bins, 21 rows splits by feature alice.AIRFLOW 1"},
		"task: {compute: eval, score: alice.AIRFLOW, target: bob.target, rows: 21, metrics: [rmse]}": {"RMSE 43."},
		"task: {compute: eval, score: alice.AIRFLOW, target: bob.flag, rows: 21, metrics: [auc, lift, calibration], fractions: [0.5], bins: 2}": {
			"AUC 1 ", "0.5 11 9 0.818182 1.9091 1.0000", "1 10 53.8 0 2 11 66.4545 0.818182"},
		"task: {compute: bin, target: bob.flag, features: [alice.AIRFLOW, bob.kind], levels: {bob.kind: [a, b]}, bins: 3, rows: 21}": {
			"bob.kind: information value 0.0124"},
		"task: {fit: kmeans, features: [alice.AIRFLOW, bob.kind, bob.WATERTEMP], rows: 21, clusters: 2, iterations: 2, seed: 5}": {
			"1 10 59.6", "sum of squared distances 41.75"},
		"task: {fit: pca, features: [alice.AIRFLOW, bob.WATERTEMP, bob.target], rows: 21, components: 1}":       {"variance 2.7193", "bob.target 0.5940"},
		"task: {compute: group, by: [bob.kind], values: [alice.AIRFLOW], levels: {bob.kind: [a, b]}, rows: 21}": {"\"b\" 10 596 59.6"},
	} {
		j, s := fitSubmission(t, fit, task)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Parties {
			if j := c.wait(s.ID, p); j.State != api.Done {
				t.Fatalf("%s: %s: the job is %s (%s)", task, p, j.State, j.Error)
			} else if len(j.Reveals) == 0 || j.Reveals[0].Name == "" || !strings.HasSuffix(j.Task, ", 21 rows") {
				t.Errorf("%s: the status is %+v", task, j)
			}
		}
		results, _, err := cluster.Fetch(t.Context(), c.as("carol", "alice"), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		work, _, err := j.NodeTask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		answer, err := j.Answer(work.Work, results)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := answer.Print(&b); err != nil {
			t.Fatal(err)
		}
		for _, x := range want {
			if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), x) {
				t.Errorf("%s: got\n%s, want %q", task, b.String(), x)
			}
		}
	}
	for name, x := range map[string]struct {
		task   string
		change func(s *api.Submission)
		want   string
	}{
		"no model":          {"task: {compute: predict, model: " + model + ", rows: 21}", func(s *api.Submission) { s.Task.Model = nil }, "predict has a model"},
		"no intercept":      {"task: {compute: predict, model: " + model + ", rows: 21}", func(s *api.Submission) { s.Task.Model.Coefficients = s.Task.Model.Coefficients[1:] }, "no intercept"},
		"an unknown link":   {"task: {compute: predict, model: " + model + ", rows: 21}", func(s *api.Submission) { s.Task.Model.Link = "x" }, "unknown link"},
		"a model and stats": {"task: {compute: stats, columns: [alice.AIRFLOW, bob.target], rows: 21}", func(s *api.Submission) { s.Task.Model = &api.Model{} }, "have neither"},
		"small groups":      {"task: {compute: group, by: [bob.kind], values: [alice.AIRFLOW], levels: {bob.kind: [a, b]}, rows: 21, min_group: 4}", nil, "nodes want at least 5"},
		"quantiles of single rows": {"task: {compute: stats, columns: [alice.AIRFLOW, bob.target], quantiles: [0.5, 0.25, 0.45], rows: 21}", nil,
			"the quantiles 0.25 and 0.45 of 21 rows lie less than 5 rows apart"},
		"many thresholds": {"task: {compute: eval, score: alice.AIRFLOW, target: bob.flag, rows: 21, metrics: [confusion], thresholds: [1, 2, 3, 4, 5]}", nil,
			"5 thresholds for 21 rows, and nodes take at most 4, beside 0 fractions or bins"},
		"thresholds beside fractions": {"task: {compute: eval, score: alice.AIRFLOW, target: bob.flag, rows: 21, metrics: [confusion, lift, calibration], " +
			"fractions: [0.5], bins: 2, thresholds: [1, 2, 3]}", nil, "3 thresholds for 21 rows, and nodes take at most 2, beside 2 fractions or bins"},
		"columns of mallory": {"task: {compute: stats, columns: [alice.AIRFLOW, bob.target], rows: 21}", func(s *api.Submission) { s.Task.Columns[0] = "mallory.x" }, "want PARTY.COLUMN"},
		"a text that is a number": {"task: {compute: stats, columns: [alice.AIRFLOW, bob.target], texts: [bob.target], rows: 21, correlation: false}",
			nil, "an input of bob holds an element that cannot be shared"},
		"a column that the policy does not list": {"task: {compute: stats, columns: [alice.secret, bob.target], rows: 21}", nil, `columns: "stack.secret" is not among them`},
	} {
		_, s := fitSubmission(t, fit, x.task)
		if x.change != nil {
			x.change(s)
		}
		if err := c.submit(s, "carol"); err == nil {
			if j := c.wait(s.ID, "alice"); !strings.Contains(j.Error, x.want) {
				t.Errorf("%s: the job is %s (%s)", name, j.State, j.Error)
			}
		} else if !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", name, err, x.want)
		}
	}
}

// TestNumbered predicts at nodes with a model whose coefficients are numbered, since its owner's catalogue prepares the column.
func TestNumbered(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	prepared := func(s table.Step) {
		c.stops["bob"]()
		c.start("bob", []string{"alice", "bob"}, func(k *Config) {
			k.Catalogue = map[string]string{"stack": filepath.Join(c.dir, "bob", "stack.csv")}
			k.Tables = map[string]*job.Table{"stack": {Steps: []table.Step{s}}}
		})
	}
	run := func(old, new string) (job.Answer, string) {
		j, s := fitSubmission(t, old, new)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Parties {
			if got := c.wait(s.ID, p); got.State != api.Done {
				return nil, got.Error
			}
		}
		results, _, err := cluster.Fetch(t.Context(), c.as("carol", "alice"), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		task, _, err := j.NodeTask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		answer, err := j.Answer(task.Work, results)
		if err != nil {
			t.Fatal(err)
		}
		return answer, ""
	}
	prepared(table.Step{Column: "WATERTEMP", Edges: []float64{19, 23}, OneHot: true, Drop: "0"})
	answer, _ := run("bob.kind], rows: 21", "bob.kind], rows: 21, widths: {bob.WATERTEMP: 2}, levels: {bob.kind: [a, b]}")
	fit, ok := answer.(*glm.Result)
	if !ok || fit.Coefficients[2].Name != "bob.WATERTEMP.1" || fit.Coefficients[3].Name != "bob.WATERTEMP.2" || fit.Widths["bob.WATERTEMP"] != 2 {
		t.Fatalf("the fit is %+v", answer)
	}
	text, err := json.Marshal(fit)
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(model, text, 0o600); err != nil {
		t.Fatal(err)
	}
	const old = "task: {fit: glm, family: gaussian, target: bob.target, features: [alice.AIRFLOW, bob.WATERTEMP, bob.kind], rows: 21, iterations: 3}"
	predict := "task: {compute: predict, model: " + model + ", rows: 21}"
	answer, _ = run(old, predict)
	b := func(i int) float64 { return fit.Coefficients[i].Value }
	rows := map[int]float64{0: b(0) + 80*b(1) + b(3), 3: b(0) + 62*b(1) + b(3) + b(4), 4: b(0) + 62*b(1) + b(2), 20: b(0) + 70*b(1) + b(2)}
	for row, want := range rows {
		if got := answer.(*job.Predictions).Values[row]; math.Abs(got-want) > 1e-3 {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
	if answer, why := run(old, "task: {compute: eval, model: "+model+", target: bob.target, rows: 21, metrics: [rmse]}"); answer == nil {
		t.Errorf("eval failed: %s", why)
	}
	// quantiles of another table make other features
	prepared(table.Step{Column: "WATERTEMP", Bins: 3, OneHot: true})
	if answer, why := run(old, predict); answer != nil || !strings.Contains(why, "an input of bob holds an element that cannot be shared") {
		t.Errorf("got %v, %s", answer, why)
	}
}

// TestKeptModel fits a model that no party learns, and predicts with it; a task whose model is another one is refused.
func TestKeptModel(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	for _, name := range []string{"alice", "bob"} {
		c.stops[name]()
		text, err := os.ReadFile(filepath.Join(c.dir, name, "policy.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		c.write(name, "policy.yaml", strings.Replace(string(text), "reveal: any", "reveal: any, keep: [stack], kept: [stack]", 1))
		c.start(name, []string{"alice", "bob"}, func(k *Config) {
			k.Catalogue = map[string]string{"stack": filepath.Join(c.dir, name, "stack.csv")}
			k.Tables = map[string]*job.Table{"stack": {}}
		})
	}
	submit := func(text string, reveal string) (*job.Job, *api.Submission, error) {
		_, after, _ := strings.Cut(fitJob, "\n")
		path := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(path, []byte(text+"\n"+strings.Replace(after, "reveal: [alice]", reveal, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := job.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := cluster.NewSubmission(t.Context(), j, nil)
		if err != nil {
			t.Fatal(err)
		}
		return j, s, c.submit(s, "carol")
	}
	const fit = "task: {fit: glm, family: gaussian, target: bob.target, features: [alice.AIRFLOW, bob.WATERTEMP, bob.kind], " +
		"levels: {bob.kind: [a, b]}, rows: 21, iterations: 3}"
	_, s, err := submit(fit, "reveal: [], keep: stack")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done || len(j.Reveals) != 0 || j.Keep != "stack" {
			t.Fatalf("%s: %+v", p, j)
		}
	}
	const predict = "task: {compute: predict, kept: stack, link: identity, features: [alice.AIRFLOW, bob.WATERTEMP, bob.kind], levels: {bob.kind: [a, b]}, rows: 21}"
	j, s, err := submit(predict, "reveal: [alice]")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done || len(j.Reveals) != 1 || !strings.Contains(j.Task, `the kept model "stack" with link identity`) {
			t.Fatalf("%s: %+v", p, j)
		}
	}
	results, _, err := cluster.Fetch(t.Context(), c.as("carol", "alice"), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := j.Answer(&glm.KeptPrediction{}, results)
	if err != nil {
		t.Fatal(err)
	}
	// the coefficients are those of TestFit
	first := -51.065332 + 80*0.6766670 + 27*1.2919733
	for row, want := range map[int]float64{0: first, 1: first + 0.9337360} {
		if got := answer.(*job.Predictions).Values[row]; math.Abs(got-want) > 1e-3 {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
	// trees, which alice learns, so that predictions can be compared with hers
	rows := strings.Split(strings.TrimSuffix(stackBob, "\n"), "\n")
	for i := range rows {
		rows[i] += map[bool]string{true: ",flag", false: fmt.Sprint(",", (i/6)%2)}[i == 0]
	}
	c.write("bob", "stack.csv", strings.Join(rows, "\n")+"\n")
	const forest = "task: {fit: gbt, target: bob.flag, features: [alice.AIRFLOW, bob.WATERTEMP], rows: 21, trees: 3, depth: 2, bins: 8, min_weight: 1}"
	j, s, err = submit(forest, "reveal: [alice], keep: stack")
	if err != nil {
		t.Fatal(err)
	}
	fetched := func() job.Answer {
		for _, p := range s.Parties {
			if got := c.wait(s.ID, p); got.State != api.Done {
				t.Fatalf("%s: %+v", p, got)
			}
		}
		results, _, err := cluster.Fetch(t.Context(), c.as("carol", "alice"), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		task, _, err := j.NodeTask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		answer, err := j.Answer(task.Work, results)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	trees := fetched().(*gbt.Model)
	j, s, err = submit("task: {compute: predict, kept: stack, trees: 3, depth: 2, features: [alice.AIRFLOW, bob.WATERTEMP], rows: 21}", "reveal: [alice]")
	if err != nil {
		t.Fatal(err)
	}
	got := fetched().(*job.Predictions).Values
	distinct := map[string]bool{}
	for i, row := range rows[1:] {
		var flow, water float64
		fmt.Sscanf(strings.Split(stackAlice, "\n")[i+1], "%g,", &flow)
		fmt.Sscanf(strings.Split(row, ",")[1], "%g", &water)
		score := trees.Score(func(name string) float64 {
			return map[string]float64{"alice.AIRFLOW": flow, "bob.WATERTEMP": water}[name]
		})
		if want := 1 / (1 + math.Exp(-score)); math.Abs(got[i]-want) > 1e-4 {
			t.Errorf("row %d: %v, want %v", i, got[i], want)
		}
		distinct[fmt.Sprintf("%.3f", got[i])] = true
	}
	if len(distinct) < 3 {
		t.Errorf("the predictions are %v", got)
	}
	if _, s, err = submit(fit, "reveal: [], keep: stack"); err != nil { // for what is refused
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		c.wait(s.ID, p)
	}
	for name, x := range map[string]struct {
		old, new string
		change   func(*api.Submission)
		want     string
	}{
		"another order":  {"[alice.AIRFLOW, bob.WATERTEMP, bob.kind]", "[alice.AIRFLOW, bob.kind, bob.WATERTEMP]", nil, `"stack" was kept as a model with link identity`},
		"another link":   {"identity", "log", nil, `"stack" was kept as a model with link identity`},
		"other levels":   {"[a, b]", "[b, a]", nil, `"stack" was kept as a model with link identity`},
		"another name":   {"kept: stack", "kept: other", nil, `kept: `},
		"another result": {"", "", func(s *api.Submission) { s.Inputs[2].Result = 1 }, `input 2 of the task is result 0 of the kept model "stack" as argument 2`},
		"no model":       {"", "", func(s *api.Submission) { s.Task.Kept = "" }, "predict has a model"},
		"keep":           {"", "", func(s *api.Submission) { s.Keep = "stack" }, "has no keep"},
		"trees":          {"link: identity", "trees: 3, depth: 2", nil, `the task says 3 trees of depth 2`},
	} {
		_, after, _ := strings.Cut(fitJob, "\n")
		path := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(predict, x.old, x.new, 1)+"\n"+after), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := job.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := cluster.NewSubmission(t.Context(), j, nil)
		if err != nil {
			t.Fatal(err)
		}
		if x.change != nil {
			x.change(s)
		}
		if err := c.submit(s, "carol"); err == nil {
			if j := c.wait(s.ID, "alice"); !strings.Contains(j.Error, x.want) {
				t.Errorf("%s: the job is %s (%s)", name, j.State, j.Error)
			}
		} else if !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", name, err, x.want)
		}
	}
}

// fetchedAnswer waits for a submitted task and returns its answer and the report, as its submitter gets them at alice.
func fetchedAnswer(t *testing.T, c *testCluster, j *job.Job, s *api.Submission) (job.Answer, *profile.Report) {
	t.Helper()
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done {
			t.Fatalf("%s: the job is %s (%s)", p, j.State, j.Error)
		}
	}
	results, report, err := cluster.Fetch(t.Context(), c.as("carol", "alice"), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	task, _, err := j.NodeTask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := j.Answer(task.Work, results)
	if err != nil {
		t.Fatal(err)
	}
	return answer, report
}

// TestTreesOfFewRows: trees with leaves, or with a holdout, of so few rows that they show labels are refused.
func TestTreesOfFewRows(t *testing.T) {
	for want, change := range map[string]func(*api.Growth){
		"":                              func(g *api.Growth) { g.Holdout = 4 },
		"min_weight is 0.25":            func(g *api.Growth) { g.MinWeight = 0.25 },
		"holdout: 5 holds out 4 of 21 ": func(g *api.Growth) { g.Holdout = 5 },
	} {
		task := hostileTask(job.GBT)
		change(task.Growth)
		s := &api.Submission{Task: &task, Parties: []string{"alice", "bob"}, Program: api.Program{Text: make([]byte, 4096)}, Ring: 64, Fraction: 18}
		err := (&resolvedJob{sub: s}).checkTask()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
