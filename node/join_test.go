package node

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/kmeans"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/statistics"
)

// keyedTables returns alice's stack table with keys, and bob's, in the reverse order and with two rows that alice does not have.
func keyedTables() (alice, bob string) {
	a := strings.Split(strings.TrimSpace(stackAlice), "\n")
	b := strings.Split(strings.TrimSpace(stackBob), "\n")
	alice, bob = "id,"+a[0]+"\n", b[0]+",patient,number\n99,99,a,p99,99\n"
	for i := 1; i < len(a); i++ {
		alice += fmt.Sprintf("P%d,%s\n", i, a[i])
	}
	for i := len(b) - 1; i > 0; i-- {
		bob += fmt.Sprintf("%s,p%d,%d\n", b[i], i, i)
	}
	return alice, bob + "1,1,b,p98,98\n"
}

// joinCluster is fitCluster with tables that have keys. rules follows columns in each policy.
func joinCluster(t *testing.T, rules map[string]string) *testCluster {
	c := newCluster(t, "alice", "bob")
	alice, bob := keyedTables()
	for name, text := range map[string]string{"alice": alice, "bob": bob} {
		c.stops[name]()
		c.write(name, "policy.yaml", strings.Replace(fitPolicy, "columns: COLUMNS", "columns: any"+rules[name], 1))
		c.write(name, "stack.csv", text)
		c.start(name, []string{"alice", "bob"}, func(k *Config) {
			k.Catalogue = map[string]string{"stack": filepath.Join(c.dir, name, "stack.csv")}
			k.Tables = map[string]*job.Table{"stack": {}}
		})
	}
	return c
}

// joinJob is a task whose rows a join matches.
const joinJob = `task: {fit: glm, family: gaussian, target: bob.target, features: [alice.AIRFLOW, bob.WATERTEMP], rows: 21, iterations: 3}
join: {method: psi, on: {alice: id, bob: patient}, normalise: [case], rows: {alice: 21, bob: 23}}
parties: [alice, bob]
inputs:
  - {owner: alice, name: stack}
  - {owner: bob, name: stack}
outputs: {reveal: [alice]}
`

// joinSubmission returns the submission of joinJob with texts replaced.
func joinSubmission(t *testing.T, replace ...string) (*job.Job, *api.Submission, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replace...).Replace(joinJob)), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		return nil, nil, err
	}
	s, err := cluster.NewSubmission(t.Context(), j, nil)
	return j, s, err
}

// joinedAnswer runs a submission and returns its answer.
func joinedAnswer(t *testing.T, c *testCluster, j *job.Job, s *api.Submission) job.Answer {
	t.Helper()
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	answer, report := fetchedAnswer(t, c, j, s)
	r := report.Join
	if r == nil {
		t.Fatal("the report has no join")
	}
	if dealt := r.Offline.BytesSent; !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) ||
		dealt != r.Predicted.Offline.BytesSent || dealt == 0 {
		t.Errorf("the join sent %v and %d were dealt, planned %v and %d",
			r.Online.BytesSent, r.Offline.BytesSent, r.Predicted.Online.BytesSent, r.Predicted.Offline.BytesSent)
	}
	for _, o := range r.Ops {
		if p := o.Predicted; !slices.Equal(o.BytesSent, p.BytesSent) || !slices.Equal(o.Messages, p.Messages) || o.Rounds != p.Rounds ||
			o.OfflineBytes != p.OfflineBytes {
			t.Errorf("%s: measured %+v", o.Op, o)
		}
	}
	return answer
}

// TestJoins: a fit and statistics on rows that nodes match, by both methods and with either keeper, equal those of aligned rows; the
// status says what is learned, and so does the audit log.
func TestJoins(t *testing.T) {
	defer goleak.VerifyNone(t)
	allow := ", joins: any, keys: any"
	c := joinCluster(t, map[string]string{"alice": ", joins: [psi, hidden], keys: [stack.id]", "bob": allow})
	defer c.stop()
	for name, x := range map[string]struct {
		replace []string
		task    string
		learned int
	}{
		"psi": {nil, `21 rows, join psi on ["id"] of alice and ["patient"] of bob with 21 of alice and 23 of bob rows`, 1},
		"hidden": {[]string{"method: psi", "method: hidden", ", rows: 21,", ","},
			"23 rows, join hidden on [\"id\"] of alice and [\"patient\"] of bob with 21 of alice and 23 of bob rows, " +
				"kind inner, bob keeps its rows and nobody learns which match", 0},
		"hidden, alice keeps": {[]string{"method: psi", "method: hidden, keeper: alice", ", rows: 21,", ","},
			"kind inner, alice keeps its rows and nobody learns which match", 0},
	} {
		j, s, err := joinSubmission(t, x.replace...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fit := joinedAnswer(t, c, j, s).(*glm.Result)
		// least squares of target on AIRFLOW and WATERTEMP
		for i, want := range []float64{-50.3588401, 0.6711544, 1.2953514} {
			if got := fit.Coefficients[i].Value; math.Abs(got-want) > 1e-3*math.Abs(want) {
				t.Errorf("%s: coefficient %d is %v, want %v", name, i, got, want)
			}
		}
		status, err := c.as("carol", "bob").Job(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		learned := 0
		for _, l := range status.Reveals {
			if l.Name == "which of their own rows match" && slices.Equal(l.By, []string{"alice", "bob"}) {
				learned++
			}
		}
		if !strings.Contains(status.Task, x.task) || learned != x.learned {
			t.Errorf("%s: the task is %s, and %d things are learned from the join", name, status.Task, learned)
		}
	}
	task := joinJob[:strings.Index(joinJob, "\n")]
	for name, replace := range map[string][]string{
		"hidden": {task, "task: {compute: stats, columns: [alice.AIRFLOW, bob.WATERTEMP]}", "method: psi", "method: hidden, keeper: alice"},
		"psi":    {task, "task: {compute: stats, columns: [alice.AIRFLOW, bob.WATERTEMP], rows: 21}"},
	} {
		j, s, err := joinSubmission(t, replace...)
		if err != nil {
			t.Fatal(err)
		}
		stats := joinedAnswer(t, c, j, s).(*statistics.Result)
		if x := stats.Columns[1]; x.Mean == nil || math.Abs(*x.Mean-21.095238) > 1e-3 || x.Name != "bob.WATERTEMP" {
			t.Errorf("%s: the statistics are %+v", name, x)
		}
	}
	j, s, err := joinSubmission(t, task, "task: {compute: stats, columns: [alice.AIRFLOW, bob.WATERTEMP]}", "method: psi", "method: hidden, kind: outer")
	if err != nil {
		t.Fatal(err)
	}
	if r := joinedAnswer(t, c, j, s).(*statistics.Result); r.Rows != 23 || r.Columns[0].Count != 21 || r.Columns[1].Count != 23 {
		t.Errorf("the statistics of the outer join are %+v", r)
	}
	j, s, err = joinSubmission(t, task, "task: {fit: kmeans, features: [alice.AIRFLOW, bob.WATERTEMP], clusters: 2, iterations: 1}",
		"method: psi", "method: hidden, kind: left, keeper: bob")
	if err != nil {
		t.Fatal(err)
	}
	r := joinedAnswer(t, c, j, s).(*kmeans.Result)
	if r.Join != "left" || r.Rows != 23 || r.Few != 0 || r.Clusters[0].Rows+r.Clusters[1].Rows != 23 {
		t.Errorf("the clusters of the left join are %+v", r)
	}
	// alice has no argument of her own here: all of her table moves to bob's rows
	j, s, err = joinSubmission(t, task, "task: {compute: eval, score: alice.AIRFLOW, target: bob.target, metrics: [rmse]}", "method: psi", "method: hidden")
	if err != nil {
		t.Fatal(err)
	}
	if r := joinedAnswer(t, c, j, s).(*metrics.Result); r.RMSE == nil || math.Abs(*r.RMSE-43.081871) > 1e-4 || !r.Hidden {
		t.Errorf("the evaluation is %+v", r)
	}
	for name, key := range map[string]string{"alice": `["id"]`, "bob": `["patient"]`} {
		log, err := os.ReadFile(filepath.Join(c.dir, name, "state", "audit.log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			`"event":"joined"`, `"join":{"method":"psi","keys":` + key + `,"rows":{"alice":21,"bob":23},"by":["alice","bob"],"matched":21}`,
			`"join":{"method":"hidden","keys":` + key + `,"rows":{"alice":21,"bob":23}}`,
		} {
			if !strings.Contains(string(log), want) {
				t.Errorf("%s: the audit log lacks %s", name, want)
			}
		}
	}
}

// TestJoinsRefused: joins that a policy does not allow, and what differs from what a task declares.
func TestJoinsRefused(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := joinCluster(t, map[string]string{"alice": ", joins: [psi], keys: [stack.id]", "bob": ", joins: any, keys: any"})
	defer c.stop()
	hidden := []string{"method: psi", "method: hidden", ", rows: 21,", ","}
	for name, x := range map[string]struct {
		replace []string
		want    string
	}{
		"method":      {hidden, `rule "fits": joins: hidden is not among them`},
		"key":         {[]string{"alice: id,", "alice: secret,"}, `keys: "stack.secret" is not among them`},
		"matches":     {[]string{"rows: 21, it", "rows: 20, it"}, "21 rows of the tables match, and the task declares 20: submit it again with rows: 21"},
		"rows":        {[]string{"bob: 23}", "bob: 22}"}, "the log of its node says where"},
		"kinds":       {[]string{"bob: patient", "bob: number"}, "the kind of key column 1"},
		"no matches":  {[]string{"normalise: [case], ", ""}, "no rows of the tables match"},
		"equal keys":  {[]string{"alice: id,", "alice: id,", "bob: patient", "bob: kind"}, "the log of its node says where"},
		"key unknown": {[]string{"bob: patient", "bob: nobody"}, "the log of its node says where"},
	} {
		_, s, err := joinSubmission(t, x.replace...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.submit(s, "carol"); err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", name, err, x.want)
			continue
		}
		said := ""
		for _, p := range s.Parties {
			if p == "bob" && strings.Contains(x.want, "is not among them") { // who submits would cancel it there
				continue
			}
			if j := c.wait(s.ID, p); j.State == api.Done {
				t.Errorf("%s: the job is done", name)
			} else {
				said += p + ": " + j.Error + "\n"
			}
		}
		if !strings.Contains(said, x.want) {
			t.Errorf("%s: the parties say %s, want %s", name, said, x.want)
		}
	}
	for name, x := range map[string]struct {
		replace []string
		want    string
	}{
		"no rows":      {[]string{", rows: {alice: 21, bob: 23}", ""}, "rows is missing"},
		"more matches": {[]string{"rows: 21, it", "rows: 22, it"}, "the number of rows that match, 1 to 21"},
		"no matches":   {[]string{", rows: 21, it", ", it"}, "the number of rows that match"},
		"holdout, hidden": {[]string{"fit: glm, family: gaussian", "fit: gbt, holdout: 3", ", iterations: 3", "", "method: psi", "method: hidden",
			", rows: 21", ""}, "how many of the rows that are held out match is secret"},
		"a row too many":   {append([]string{"bob: 23}", "bob: 3000000}"}, hidden...), "want 1 to 2097152"},
		"offline protocol": {append([]string{"parties: [", "protocol: cheetah\nparties: ["}, hidden...), "needs a protocol of the two parties with a dealer"},
	} {
		if _, _, err := joinSubmission(t, x.replace...); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
	}
	keys := strings.Repeat(", k", 5000) + "],"
	for want, replace := range map[string][]string{
		"4 rows match, and nodes want at least 5":                       {"rows: 21, it", "rows: 4, it"},
		"have 10004 names and numbers together, and nodes take at most": {"alice: id,", "alice: [id" + keys, "bob: patient", "bob: [patient" + keys},
	} {
		_, s, err := joinSubmission(t, replace...)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if err := c.submit(s, "carol"); !refusedAs(err, http.StatusBadRequest) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestMisfitsCount: jobs that end since a party's values are not as they declare count as runs of the policy's rule, each once: with
// as many tries as a submitter likes it would learn numbers of rows and of distinct keys, and the values that a column has.
func TestMisfitsCount(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := joinCluster(t, map[string]string{"alice": ", joins: any, keys: any", "bob": ", joins: any, keys: any, runs: 3"})
	defer c.stop()
	for i, x := range []struct {
		replace []string
		want    string
	}{
		{[]string{"bob: 23}", "bob: 22}"}, "the log of its node says where"},
		{[]string{"bob: patient", "bob: kind"}, "the log of its node says where"},
		{[]string{"bob.WATERTEMP]", "bob.kind], levels: {bob.kind: [a, c]}"}, "the log of its node says where"},
		{nil, "runs: all 3 are used up"},
	} {
		_, s, err := joinSubmission(t, x.replace...)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.submit(s, "carol"); err != nil {
			if !strings.Contains(err.Error(), x.want) {
				t.Errorf("try %d: %v, want %s", i, err, x.want)
			}
			continue
		}
		said := ""
		for _, p := range s.Parties {
			said += p + ": " + c.wait(s.ID, p).Error + "\n"
		}
		if !strings.Contains(said, x.want) {
			t.Errorf("try %d: the parties say %s, want %s", i, said, x.want)
		}
	}
}

// TestExactly: a rule with the digest of a task allows that task, and no other one with the same columns.
func TestExactly(t *testing.T) {
	defer goleak.VerifyNone(t)
	_, same, err := joinSubmission(t)
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := joinSubmission(t, "iterations: 3", "iterations: 2")
	if err != nil {
		t.Fatal(err)
	}
	rules := fmt.Sprintf(", joins: any, keys: any, exactly: [%q]", same.Task.Digest())
	c := joinCluster(t, map[string]string{"alice": rules, "bob": rules})
	defer c.stop()
	if err := c.submit(other, "carol"); err == nil {
		if j := c.wait(other.ID, "alice"); j.State != api.Denied || !strings.Contains(j.Error, "exactly: the task's digest is "+other.Task.Digest()) {
			t.Errorf("another task: %+v", j)
		}
	}
	if err := c.submit(same, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(same.ID, "alice"); j.State != api.Done {
		t.Errorf("the same task: %+v", j)
	}
}
