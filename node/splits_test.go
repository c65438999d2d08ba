package node

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
)

// TestOwnerSplits runs trees of which owners learn their splits: a rule must allow that, jobs list it, and a submission that says another
// number of tensors is refused.
func TestOwnerSplits(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := fitCluster(t, false)
	defer c.stop()
	rows := strings.Split(strings.TrimSuffix(stackBob, "\n"), "\n")
	for i := range rows {
		rows[i] += map[bool]string{true: ",flag", false: fmt.Sprint(",", (i/6)%2)}[i == 0]
	}
	c.write("bob", "stack.csv", strings.Join(rows, "\n")+"\n")
	const fit = "task: {fit: glm, family: gaussian, target: bob.target, features: [alice.AIRFLOW, bob.WATERTEMP, bob.kind], rows: 21, iterations: 3}"
	trees := func() *api.Submission {
		_, s := fitSubmission(t, fit, "task: {fit: gbt, target: bob.flag, features: [alice.AIRFLOW, bob.WATERTEMP], rows: 21, trees: 2, depth: 2, "+
			"bins: 8, splits: owner}")
		return s
	}
	s := trees()
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); !strings.Contains(j.Error, "reveals: the program may reveal 8 intermediate tensors, 0 are allowed") {
		t.Errorf("by a rule that allows no reveals the job is %s (%s)", j.State, j.Error)
	}
	for name, reveal := range map[string]string{"alice": "[alice, bob]", "bob": "any"} {
		c.stops[name]()
		c.write(name, "policy.yaml", strings.NewReplacer("COLUMNS", "['stack.*']", "reveal: any", "reveals: 9, reveal: "+reveal).Replace(fitPolicy))
		c.start(name, []string{"alice", "bob"}, func(k *Config) {
			k.Catalogue = map[string]string{"stack": filepath.Join(c.dir, name, "stack.csv")}
			k.Tables = map[string]*job.Table{"stack": {}}
		})
	}
	s = trees()
	if s.Reveals = 9; c.submit(s, "carol") == nil {
		j := c.wait(s.ID, "alice")
		t.Errorf("a submission with another number of tensors is %s (%s)", j.State, j.Error)
	}
	s = trees()
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		j := c.wait(s.ID, p)
		if j.State != api.Done || !strings.Contains(j.Task, "each owner of features learns the splits on them") {
			t.Fatalf("%s: the job is %s (%s): %s", p, j.State, j.Error, j.Task)
		}
		var listed []string
		for _, r := range j.Reveals {
			if strings.HasPrefix(r.Name, "feature and bin of each split on its features") {
				listed = append(listed, strings.Join(r.By, " ")+": "+r.What)
			}
		}
		if fmt.Sprint(listed) != "[alice: 4 intermediate tensors bob: 4 intermediate tensors]" || len(j.Reveals) != 6 {
			t.Errorf("%s lists %+v", p, j.Reveals)
		}
	}
}
