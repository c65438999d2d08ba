package node

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
)

// stackedJob is a task on rows that are split between alice and bob.
const stackedJob = `task: {fit: glm, family: gaussian, target: cost, features: [age, region], levels: {region: [north, south, west]}}
join: {method: stacked, rows: {alice: 11, bob: 10}}
parties: [alice, bob]
inputs: [{owner: alice, name: rest}, {owner: bob, name: rest}]
outputs: {reveal: [alice]}
`

// stackedRows are some rows of a table.
func stackedRows(from, to int) string {
	out := "age,region,cost,few,ill\n"
	for i := from; i < to; i++ {
		region := i % 3
		few := []string{"1", "", "", ""}[i%4]
		out += fmt.Sprintf("%d,%s,%v,%s,%d\n", 20+i*i%37, []string{"north", "south", "west"}[region], float64(3*(i*i%37)+10*region+i%5)/4, few, i%2)
	}
	return out
}

// stackedSubmission returns stackedJob with texts replaced, and its submission.
func stackedSubmission(t *testing.T, replace ...string) (*job.Job, *api.Submission, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replace...).Replace(stackedJob)), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		return nil, nil, err
	}
	s, err := cluster.NewSubmission(t.Context(), j, nil)
	return j, s, err
}

// TestStacked: tasks on rows that are split between nodes give what they give on the files in one process, and are refused where a policy
// does not allow them or where tables are not as the task declares.
func TestStacked(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	tables := map[string]string{"alice": stackedRows(0, 11), "bob": stackedRows(11, 21)}
	rules := map[string]string{"alice": "['rest.*', 'other.*'], joins: [stacked]", "bob": "any, joins: any, keys: any"}
	for name, text := range tables {
		c.stops[name]()
		c.write(name, "policy.yaml", strings.Replace(fitPolicy, "COLUMNS", rules[name]+", reveals: 2, keep: [m], kept: [m]", 1))
		c.write(name, "rest.csv", text)
		prepared := &job.Table{Steps: []table.Step{{Column: "age", Bins: 3}}}
		c.start(name, []string{"alice", "bob"}, func(k *Config) {
			rest := filepath.Join(c.dir, name, "rest.csv")
			k.Catalogue = map[string]string{"rest": rest, "other": rest}
			k.Tables = map[string]*job.Table{"rest": {}, "other": prepared}
		})
	}
	const fit = "task: {fit: glm, family: gaussian, target: cost, features: [age, region], levels: {region: [north, south, west]}}"
	for _, task := range []string{
		fit, "task: {compute: stats, columns: [region, cost, age], texts: [region]}",
		"task: {compute: group, by: [region], values: [cost], levels: {region: [north, south, west]}}",
		"task: {fit: kmeans, features: [age, cost], clusters: 2, iterations: 2}",
		"task: {fit: gbt, target: ill, features: [age, region], trees: 1, depth: 1, min_weight: 1.25, edges: {age: [40, 50]}, levels: {region: [north, south, west]}}",
		"task: {fit: gbt, target: ill, features: [age, region], trees: 1, depth: 1, bins: 2, min_weight: 1.25, ranges: {age: [0, 100]}, levels: {region: [north, south, west]}}",
		"task: {compute: bin, target: ill, features: [age], edges: {age: [45]}}",
		"task: {compute: bin, target: ill, features: [age], bins: 2, ranges: {age: [0, 100]}}",
		"task: {compute: eval, score: age, target: cost, metrics: [rmse, r2]}",
		"task: {fit: pca, features: [age, region], components: 1, levels: {region: [north, south, west]}}",
	} {
		j, s, err := stackedSubmission(t, fit, task)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		answer, report := fetchedAnswer(t, c, j, s)
		if !slices.Equal(report.Online.BytesSent, report.Predicted.Online.BytesSent) || report.Join != nil {
			t.Errorf("%s: costs are not those of the plan", task)
		}
		status, err := c.as("carol", "bob").Job(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		if want := `21 rows, stacked tables of the same columns with 11 of "alice" and 10 of "bob" rows`; !strings.Contains(status.Task, want) {
			t.Errorf("the task is %s, want %s", status.Task, want)
		}
		if reveals := fmt.Sprint(status.Reveals); strings.Contains(task, "fit: gbt") && strings.Contains(task, "ranges") !=
			strings.Contains(reveals, "bounds of the bins of columns with ranges, at quantiles of all rows") {
			t.Errorf("%s: the job reveals %v", task, reveals)
		}
		if d := cmp.Diff(plainOf(t, stackedInProcess(t, c, task)), plainOf(t, answer), cmpopts.EquateApprox(1e-5, 1e-5)); d != "" {
			t.Errorf("%s (-want +got):\n%s", task, d)
		}
	}
	// a kept model predicts for rows of one party
	j, s, err := stackedSubmission(t, "reveal: [alice]", "reveal: [alice], keep: m")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	fitted, _ := fetchedAnswer(t, c, j, s)
	predict := []string{
		fit, "task: {compute: predict, kept: m, link: identity, features: [bob.age, bob.region], levels: {bob.region: [north, south, west]}, rows: 10}",
		"{method: stacked, rows: {alice: 11, bob: 10}}", "{method: aligned}", "{owner: alice, name: rest}, ", "",
	}
	if j, s, err = stackedSubmission(t, predict...); err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	answer, _ := fetchedAnswer(t, c, j, s)
	b := fitted.(*glm.Result).Coefficients
	for i, got := range answer.(*job.Predictions).Values {
		row := 11 + i
		want := b[0].Value + b[1].Value*float64(20+row*row%37)
		if region := row % 3; region > 0 {
			want += b[1+region].Value
		}
		if math.Abs(got-want) > 1e-3 {
			t.Errorf("row %d: predicted %v, want %v", i, got, want)
		}
	}
	predict[1] = strings.Replace(predict[1], "south, west]", "west, south]", 1)
	if _, s, err = stackedSubmission(t, predict...); err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err == nil {
		if j := c.wait(s.ID, "bob"); !strings.Contains(j.Error, `"m" was kept as a model with`) {
			t.Errorf("other levels: %s (%s)", j.State, j.Error)
		}
	}
	for _, replace := range [][]string{ // what is not as the task declares: its owner's node says what
		{"alice: 11", "alice: 8"}, {"south, west]", "south, east]"}, {", levels: {region: [north, south, west]}", ""}, {"alice, name: rest", "alice, name: other"},
		{"target: cost", "target: weight"}, {fit, "task: {compute: stats, columns: [region, age]}"},
		{fit, "task: {compute: stats, columns: [age, few]}"}, // of few values single ones would follow
	} {
		_, s, err := stackedSubmission(t, replace...)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, p := range s.Parties {
			said += c.wait(s.ID, p).Error
		}
		if !strings.Contains(said, "the log of its node says where") {
			t.Errorf("%v: the parties say %s", replace, said)
		}
	}
	const confusion = "task: {compute: eval, score: age, target: cost, metrics: [confusion], thresholds: [1, 2, 3]}"
	three := func(s *api.Submission) { // bins, of 10 rows of the smaller table
		if s.Task.Bins = 3; s.Task.Growth != nil {
			s.Task.Bins, s.Task.Growth.Bins = 0, 3
		}
	}
	for want, x := range map[string]struct {
		replace []string
		change  func(*api.Submission)
	}{
		"has 4 rows, and nodes want at least 5 of each":      {[]string{"bob: 10", "bob: 4"}, nil},
		"has 5 rows, and the model 5 coefficients":           {[]string{"bob: 10", "bob: 5", "west]", "west, east]"}, nil},
		"3 thresholds for 10 rows, and nodes take at most 2": {[]string{fit, confusion}, nil},
		"lift and calibration of stacked tables divide all":  {[]string{fit, "task: {compute: eval, score: age, target: cost, metrics: [auc, lift], fractions: [1]}"}, nil},
		"rows is the sum of the stacked tables' numbers":     {nil, func(s *api.Submission) { s.Task.Rows = 0 }},
		"the task wants": {nil, func(s *api.Submission) { s.Inputs[0].Args = s.Inputs[0].Args[1:] }},
		"columns of stacked tables are of all parties: name": {nil, func(s *api.Submission) { s.Task.Target = "alice.cost" }},
		"method stacked is for stats, bin, group":            {nil, func(s *api.Submission) { s.Task.Fit = "predict"; s.Task.Kept = "m" }},
		"3 bins are too many: the parties but for":           {[]string{fit, "task: {fit: gbt, target: ill, features: [age], bins: 2, min_weight: 2, ranges: {age: [0, 9]}}"}, three},
		"bins: 3 bins are too many":                          {[]string{fit, "task: {compute: bin, target: ill, features: [age], bins: 2, ranges: {age: [0, 9]}}"}, three},
		"for stacked tables nodes want at least 1.25":        {[]string{fit, "task: {fit: gbt, target: ill, features: [age], edges: {age: [3]}}"}, nil},
	} {
		_, s, err := stackedSubmission(t, x.replace...)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if x.change != nil {
			x.change(s)
		}
		if err := c.submit(s, "carol"); !refusedAs(err, http.StatusBadRequest) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, replace := range map[string][]string{
		"join: rows is missing":              {", rows: {alice: 11, bob: 10}", ""},
		"want the numbers of rows of alice":  {"bob: 10", "carol: 7"},
		"21 rows together, and the task":     {"}}\njoin", "}, rows: 9}\njoin"},
		"all parties: name it age":           {"[age,", "[alice.age,"},
		"widths: tables that are stacked":    {"levels: {region: [north, south, west]}", "widths: {region: 2}"},
		"or of stacked tables, computes the": {"cost, features", "cost, iterations: 4, hessians: 2, features"},
	} {
		if _, _, err := stackedSubmission(t, replace...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestStackedBeside: a fit on rows that are split between two nodes, with further columns of all rows at a third one, is that of the files
// in one process; a table that lacks rows is refused, and so are tasks that take no such columns.
func TestStackedBeside(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob", "dave")
	defer c.stop()
	all := strings.Split(strings.TrimSpace(stackedRows(0, 21)), "\n")
	paid := "paid,place,few,late\n"
	for i := range 21 {
		paid += fmt.Sprintf("%d,%s,%s,%d\n", i*i%11, []string{"x", "y"}[i*i%5%2], []string{"3", "", "", "", "", ""}[i%6], i/3%2)
	}
	tables := map[string]string{"alice": stackedRows(0, 11), "bob": all[0] + "\n" + strings.Join(all[12:], "\n") + "\n", "dave": paid}
	for name, text := range tables {
		c.stops[name]()
		c.write(name, "policy.yaml", strings.Replace(fitPolicy, "COLUMNS", "any, joins: [stacked]", 1))
		c.write(name, "rest.csv", text)
		c.start(name, []string{"alice", "bob", "dave"}, func(k *Config) {
			k.Catalogue = map[string]string{"rest": filepath.Join(c.dir, name, "rest.csv")}
			k.Tables = map[string]*job.Table{"rest": {}}
		})
	}
	const task = "task: {fit: glm, family: gaussian, target: cost, features: [age, dave.paid, dave.place], levels: {dave.place: [x, y]}}"
	replace := []string{
		stackedJob[:strings.Index(stackedJob, "\n")], task, "bob: 10}}", "bob: 10, dave: 21}, beside: dave}", "parties: [alice, bob]", "parties: [alice, bob, dave]",
		"{owner: bob, name: rest}]", "{owner: bob, name: rest}, {owner: dave, name: rest}]",
	}
	for _, task := range []string{
		task, "task: {compute: stats, columns: [age, region, dave.paid, dave.place], texts: [region, dave.place], correlation: true}",
		"task: {fit: kmeans, features: [age, dave.paid, dave.place], clusters: 2, iterations: 2, levels: {dave.place: [x, y]}}",
		"task: {fit: pca, features: [dave.paid, age, cost], components: 2}",
		"task: {fit: gbt, target: ill, features: [age, dave.place, dave.paid], trees: 2, depth: 1, bins: 4, min_weight: 1.25, edges: {age: [30, 40]}, " +
			"levels: {dave.place: [x, y]}}",
		"task: {compute: bin, target: ill, features: [age, dave.paid, dave.place], bins: 2, edges: {age: [30, 40]}, levels: {dave.place: [x, y]}}",
		"task: {compute: bin, target: dave.late, features: [region, dave.paid], bins: 3, levels: {region: [north, south, west]}}",
		"task: {compute: group, by: [ill], values: [cost, dave.paid], levels: {ill: ['0', '1']}}",
		"task: {compute: group, by: [dave.place], values: [cost, dave.paid], levels: {dave.place: [x, y]}}",
		"task: {compute: eval, score: age, target: dave.paid, metrics: [rmse, r2]}",
		"task: {compute: eval, score: dave.paid, target: ill, metrics: [auc, ks, confusion, rmse], thresholds: [3]}",
		"task: {fit: gbt, target: dave.late, features: [age, region], trees: 1, depth: 1, min_weight: 1.25, edges: {age: [30, 40]}, " +
			"levels: {region: [north, south, west]}}",
	} {
		replace[1] = task
		j, s, err := stackedSubmission(t, replace...)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		answer, _ := fetchedAnswer(t, c, j, s)
		status, err := c.as("carol", "bob").Job(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := `21 rows, stacked tables of the same columns with 11 of "alice" and 10 of "bob" rows, beside the columns of "dave"`
		if !strings.Contains(status.Task, want) {
			t.Errorf("the task is %s, want %s", status.Task, want)
		}
		text := strings.NewReplacer("name: rest", "table: rest.csv").Replace(strings.NewReplacer(replace...).Replace(stackedJob))
		for name := range tables {
			text = strings.Replace(text, name+", table: rest.csv", name+", table: "+filepath.Join(c.dir, name, "rest.csv"), 1)
		}
		text = regexp.MustCompile(`, texts: \[[^]]*\]`).ReplaceAllString(text, "") // which tables show
		path := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		local, err := job.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(plainOf(t, runInProcess(t, local)), plainOf(t, answer), cmpopts.EquateApprox(1e-5, 1e-5)); d != "" {
			t.Errorf("%s (-want +got):\n%s", task, d)
		}
	}
	replace[1] = task
	replace[3] = "bob: 9, dave: 20}, beside: dave}"
	_, s, err := stackedSubmission(t, replace...)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != "failed" {
		t.Errorf("20 of 21 rows: %s", j.State)
	}
	// correlations with a column of four values would show the other columns' values in their rows
	replace[1], replace[3] = "task: {compute: stats, columns: [age, dave.few], correlation: true, fill: mean}", "bob: 10, dave: 21}, beside: dave}"
	if _, s, err = stackedSubmission(t, replace...); err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "dave"); !strings.Contains(j.Error, "the log of its node says where") {
		t.Errorf("few values: %s (%s)", j.State, j.Error)
	}
	for want, change := range map[string][2]string{
		"dave has 20 rows, and the stacked tables have 21 together": {"bob: 10, dave: 20}, beside: dave}", task},
		"edges: dave.paid is dave's alone, whose bins are": {"bob: 10, dave: 21}, beside: dave}", "task: {fit: gbt, target: ill, " +
			"features: [age, dave.paid], edges: {age: [1], dave.paid: [3]}}"},
		"beside is not for predict: predict the rows of each stacked table": {"bob: 10, dave: 21}, beside: dave}", "task: {compute: predict, kept: m, link: identity, features: [age, dave.paid]}"},
		"the first of the parties has one of the stacked tables":            {"bob: 10, dave: 21}, beside: alice}", task},
	} {
		replace[3], replace[1] = change[0], change[1]
		if _, _, err := stackedSubmission(t, replace...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// stackedInProcess runs a task on the nodes' files in this process.
func stackedInProcess(t *testing.T, c *testCluster, task string) job.Answer {
	t.Helper()
	text := task + "\njoin: {method: stacked}\nparties: [alice, bob]\ninputs:\n"
	for _, name := range []string{"alice", "bob"} {
		text += fmt.Sprintf("- {owner: %s, table: %s}\n", name, filepath.Join(c.dir, name, "rest.csv"))
	}
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return runInProcess(t, j)
}

// runInProcess runs the task of a job on files.
func runInProcess(t *testing.T, j *job.Job) job.Answer {
	t.Helper()
	w, _, err := j.Work(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := j.TaskSpec(w)
	if err != nil {
		t.Fatal(err)
	}
	s.Network = "none"
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := j.Answer(w, out.Results)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// plainOf returns an answer as what its JSON says.
func plainOf(t *testing.T, answer job.Answer) (out any) {
	t.Helper()
	text, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// besideKeyed returns the tables of alice, bob and dave: dave has further columns of 9 rows of alice and 8 of bob, and 3 other rows, in
// another order and with keys that are spelled differently.
func besideKeyed() map[string]string {
	lines := strings.Split(strings.TrimSpace(stackedRows(0, 21)), "\n")
	out := map[string]string{"alice": "id," + lines[0] + "\n", "bob": "id," + lines[0] + "\n", "dave": "paid,patient,place,number,far\n"}
	for i, line := range lines[1:] {
		name := "alice"
		if i >= 11 {
			name = "bob"
		}
		out[name] += fmt.Sprintf("P%d,%s\n", i, line)
	}
	for i := range 24 {
		key := i * 7 % 24 // 21 to 23 are of nobody, and dave lacks four others
		if key < 21 && key%5 == 4 {
			continue
		}
		out["dave"] += fmt.Sprintf("%d, p%d,%s,%d,%d\n", key*key%11, key, []string{"x", "y"}[key*key%5%2], key, 1000*(key%2)+key)
	}
	return out
}

// besideKeysJob is a task on rows of alice and bob that match dave's.
const besideKeysJob = `task: {fit: glm, family: gaussian, target: cost, features: [age, dave.paid, dave.place], levels: {dave.place: [x, y]}}
join:
  method: stacked
  beside: dave
  on: {alice: id, bob: id, dave: patient}
  normalise: [trim, case]
  rows: {alice: 11, bob: 10, dave: 20}
  matches: {alice: 9, bob: 8}
parties: [alice, bob, dave]
inputs: [{owner: alice, name: rest}, {owner: bob, name: rest}, {owner: dave, name: rest}]
outputs: {reveal: [alice]}
`

// besideKeysSubmission returns besideKeysJob with texts replaced, and its submission.
func besideKeysSubmission(t *testing.T, replace ...string) (*job.Job, *api.Submission, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replace...).Replace(besideKeysJob)), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		return nil, nil, err
	}
	s, err := cluster.NewSubmission(t.Context(), j, nil)
	return j, s, err
}

// besideKeysCluster starts nodes with the tables of besideKeyed. rules follow the columns in policies, by party.
func besideKeysCluster(t *testing.T, rules map[string]string) *testCluster {
	names := []string{"alice", "bob", "dave"}
	c := newCluster(t, names...)
	for name, text := range besideKeyed() {
		c.stops[name]()
		c.write(name, "policy.yaml", strings.Replace(fitPolicy, "COLUMNS", "any"+rules[name], 1))
		c.write(name, "rest.csv", text)
		c.start(name, names, func(k *Config) {
			k.Catalogue = map[string]string{"rest": filepath.Join(c.dir, name, "rest.csv")}
			k.Tables = map[string]*job.Table{"rest": {}}
		})
	}
	return c
}

// besideKeysInProcess returns the answer to besideKeysJob, with texts replaced, on the nodes' files in this process.
func besideKeysInProcess(t *testing.T, c *testCluster, replace ...string) job.Answer {
	t.Helper()
	text := strings.NewReplacer(replace...).Replace(besideKeysJob)
	text = regexp.MustCompile(`, texts: \[[^]]*\]`).ReplaceAllString(text, "") // which tables show
	for _, name := range []string{"alice", "bob", "dave"} {
		text = strings.Replace(text, name+", name: rest", name+", table: "+filepath.Join(c.dir, name, "rest.csv"), 1)
	}
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return runInProcess(t, j)
}

// TestBesideKeys: nodes match rows of two parties with a third one's further columns by keys, with the results of the files in one process.
// Each pair's measured bytes are those of its plan, and the audit log, the status and the report say what each party learns.
func TestBesideKeys(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := besideKeysCluster(t, map[string]string{
		"alice": ", protocols: any, joins: [stacked, psi], keys: [rest.id]", "bob": ", protocols: any, joins: any, keys: any",
		"dave": ", protocols: any, joins: [psi, stacked], keys: [rest.patient]",
	})
	defer c.stop()
	task := besideKeysJob[:strings.Index(besideKeysJob, "\n")]
	for _, want := range []string{
		task, "task: {compute: stats, columns: [age, region, dave.paid, dave.place], texts: [region, dave.place], correlation: true}",
		"task: {fit: kmeans, features: [ill, dave.far], clusters: 2, iterations: 8}",
		"task: {fit: pca, features: [dave.paid, age, cost], components: 2}",
		"task: {fit: glm, family: gaussian, target: dave.paid, features: [age, region], levels: {region: [north, south, west]}}",
		"task: {fit: gbt, target: ill, features: [age, dave.paid], trees: 1, depth: 1, bins: 4, min_weight: 1.25, edges: {age: [30, 40]}}",
		"task: {compute: group, by: [dave.place], values: [cost, dave.paid], levels: {dave.place: [x, y]}}",
	} {
		j, s, err := besideKeysSubmission(t, task, want)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		answer, _ := fetchedAnswer(t, c, j, s)
		if d := cmp.Diff(plainOf(t, besideKeysInProcess(t, c, task, want)), plainOf(t, answer), cmpopts.EquateApprox(1e-5, 1e-5)); d != "" {
			t.Errorf("%s (-want +got):\n%s", want, d)
		}
		for party, own := range map[string][]string{"alice": {"alice"}, "bob": {"bob"}, "dave": {"alice", "bob"}} {
			_, r, err := cluster.Fetch(t.Context(), c.as("carol", party), s.ID)
			if err != nil {
				t.Fatal(err)
			}
			var pairs []string
			for r = r.Join; r != nil; r = r.Join {
				pairs = append(pairs, r.Parties[0])
				if p := r.Predicted; !slices.Equal(r.Online.BytesSent, p.Online.BytesSent) || r.Offline.BytesSent != p.Offline.BytesSent ||
					p.Offline.BytesSent == 0 || min(p.Online.BytesSent[0], p.Online.BytesSent[1]) == 0 {
					t.Errorf("%s: %v sent %v, and %d were dealt; planned %+v", party, r.Parties, r.Online.BytesSent, r.Offline.BytesSent, p)
				}
				if ran := r.Online.Seconds > 0; ran != slices.Contains(own, r.Parties[0]) || r.Parties[1] != "dave" {
					t.Errorf("%s: the report of %v has %v seconds", party, r.Parties, r.Online.Seconds)
				}
			}
			if !slices.Equal(pairs, []string{"bob", "alice"}) {
				t.Errorf("%s: the report has joins of %v", party, pairs)
			}
		}
		status, err := c.as("carol", "bob").Job(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		var learned []string
		for _, l := range status.Reveals {
			if strings.HasPrefix(l.What, "join") {
				learned = append(learned, l.What+": "+strings.Join(l.By, "+")+" "+l.Name)
			}
		}
		if want := []string{
			"join: the rows of alice and dave that match: alice+dave which of their own rows match",
			"join: the rows of bob and dave that match: bob+dave which of their own rows match",
		}; !slices.Equal(learned, want) {
			t.Errorf("learned from the join: %q", learned)
		}
		if want := `17 rows, stacked tables of the same columns with 9 of 11 of "alice" and 8 of 10 of "bob" rows, ` +
			`beside the columns of "dave" with 20 rows that match by keys, ["id"] of alice and ["id"] of bob and ["patient"] of dave`; !strings.Contains(
			status.Task, want) {
			t.Errorf("the task is %s, want %s", status.Task, want)
		}
	}
	// aby3 has no outside dealer, and nothing is dealt for its intersections
	j, s, err := besideKeysSubmission(t, "parties: [", "protocol: aby3\nparties: [", task, "task: {compute: stats, columns: [age, dave.paid]}")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	answer, r := fetchedAnswer(t, c, j, s)
	if d := cmp.Diff(plainOf(t, besideKeysInProcess(t, c, task, "task: {compute: stats, columns: [age, dave.paid]}")), plainOf(t, answer),
		cmpopts.EquateApprox(1e-5, 1e-5)); d != "" {
		t.Errorf("aby3 (-want +got):\n%s", d)
	}
	if r = r.Join; r.Protocol != "ecdh" || r.Offline.BytesSent != 0 || !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
		t.Errorf("aby3: the join is %s, %+v", r.Protocol, r.Online)
	}
	for name, want := range map[string][]string{
		"alice": {`{"method":"stacked","keys":["id"],"rows":{"alice":11,"dave":20},"by":["alice","dave"],"matched":9}`},
		"bob":   {`{"method":"stacked","keys":["id"],"rows":{"bob":10,"dave":20},"by":["bob","dave"],"matched":8}`},
		"dave": {
			`{"method":"stacked","keys":["patient"],"rows":{"alice":11,"dave":20},"by":["alice","dave"],"matched":9}`,
			`{"method":"stacked","keys":["patient"],"rows":{"bob":10,"dave":20},"by":["bob","dave"],"matched":8}`,
		},
	} {
		log, err := os.ReadFile(filepath.Join(c.dir, name, "state", "audit.log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			before := strings.Replace(regexp.MustCompile(`,"matched":\d+`).ReplaceAllString(line, ""), "}", "}", 1)
			if at := strings.Index(string(log), before); at < 0 || at > strings.Index(string(log), line) {
				t.Errorf("%s: the audit log lacks %s, or not before %s", name, before, line)
			}
		}
		if n := strings.Count(string(log), `"matched":`); n != 8*len(want) {
			t.Errorf("%s: the audit log has %d numbers of matches", name, n)
		}
	}
}

// TestBesideKeysRefused: joins that a policy does not allow, and tables that are not as a task declares.
func TestBesideKeysRefused(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := besideKeysCluster(t, map[string]string{
		"alice": ", joins: [stacked, psi], keys: [rest.id]", "bob": ", joins: any, keys: any", "dave": ", joins: any, keys: any",
	})
	defer c.stop()
	for name, x := range map[string]struct {
		replace []string
		want    string
	}{
		"matches": {[]string{"alice: 9, bob: 8}", "alice: 8, bob: 7}"}, "other numbers of rows match those of dave than the join declares, " +
			"matches: {alice: 8, bob: 7}: run it again with matches: {alice: 9, bob: 8}"},
		"no matches":  {[]string{"normalise: [trim, case]", "normalise: []"}, "no rows of alice match: its table has no key in common with that of dave"},
		"rows":        {[]string{"dave: 20}", "dave: 19}"}, "the log of its node says where"},
		"kinds":       {[]string{"dave: patient", "dave: number"}, "the kind of key column 1"},
		"equal keys":  {[]string{"dave: patient", "dave: place"}, "the log of its node says where"},
		"key unknown": {[]string{"bob: id", "bob: nobody"}, "the log of its node says where"},
		"key":         {[]string{"alice: id", "alice: ill"}, `keys: "rest.ill" is not among them`},
	} {
		_, s, err := besideKeysSubmission(t, x.replace...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := ""
		for _, p := range s.Parties {
			if p != "alice" && name == "key" { // who submits would cancel it there
				continue
			}
			j := c.wait(s.ID, p)
			if j.State == api.Done {
				t.Errorf("%s: the job is done", name)
			}
			said += p + ": " + j.Error + "\n"
			if name == "matches" && !strings.Contains(j.Error, x.want) {
				t.Errorf("%s: %s says %s", name, p, j.Error)
			}
		}
		if !strings.Contains(said, x.want) {
			t.Errorf("%s: the parties say %s, want %s", name, said, x.want)
		}
	}
	for want, replace := range map[string][]string{
		"rows is missing":    {"rows: {alice: 11, bob: 10, dave: 20}", ""},
		"matches is missing": {"matches: {alice: 9, bob: 8}", ""},
		"matches: want how many rows of each stacked table match, those of alice and bob": {"matches: {alice: 9, bob: 8}", "matches: {alice: 9, dave: 8}"},
		"matches: 11 rows of bob, want 1 to 10, as many as it or dave has":                {"bob: 8}", "bob: 11}"},
		"17 rows match together, and the task declares rows: 18":                          {"target: cost", "rows: 18, target: cost"},
		"if all 3 parties compute, and the job has protocol semi2k with 2 computing":      {"outputs:", "computing: 2\noutputs:"},
		"on, normalise and aggregate belong to methods":                                   {"normalise: [trim, case]", "aggregate: {dave.paid: sum}"},
		"the first of the parties has one of the stacked tables":                          {"beside: dave", "beside: alice"},
		"matches belongs to method: stacked with keys":                                    {"on: {alice: id, bob: id, dave: patient}", "", "normalise: [trim, case]", ""},
		"on is missing: the key columns":                                                  {"on: {alice: id, bob: id, dave: patient}", "on: {alice: id, bob: id}"},
	} {
		if _, _, err := besideKeysSubmission(t, replace...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	_, s, err := besideKeysSubmission(t, "bob: 8}", "bob: 4}")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); !refusedAs(err, http.StatusBadRequest) || !strings.Contains(err.Error(), "4 rows of one of the stacked tables match") {
		t.Errorf("few matches: %v", err)
	}
	// a rule for stacked rows without keys allows no keys, of which others learn which match
	rows := besideKeysCluster(t, map[string]string{"alice": ", joins: [stacked]", "bob": ", joins: [stacked, hidden], keys: any", "dave": ""})
	defer rows.stop()
	if _, s, err = besideKeysSubmission(t); err != nil {
		t.Fatal(err)
	}
	if err := rows.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"alice": "psi", "bob": "psi", "dave": "stacked"} {
		if j := rows.wait(s.ID, name); j.State != api.Denied || !strings.Contains(j.Error, "joins: "+want+" is not among them") {
			t.Errorf("%s: %s, %s", name, j.State, j.Error)
		}
	}
}
