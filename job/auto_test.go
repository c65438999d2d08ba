package job

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/glm"
)

// TestAuto: solver auto is the one whose plan takes less time: fisher where rounds are slow, cg where bytes are, and cg for more features
// than fisher takes. A run says so, and has standard errors if it is fisher. Other solvers are not changed, and nodes want a name.
func TestAuto(t *testing.T) {
	dir := t.TempDir()
	load := func(network, solver string, width int) *Job {
		t.Helper()
		path := filepath.Join(dir, "job.yaml")
		text := fmt.Sprintf("parties: [alice, bob]\njoin: {method: aligned}\ntask: {fit: glm, family: poisson, target: bob.y, features: [alice.x], "+
			"rows: 3000, widths: {alice.x: %d}, iterations: 2%s}\ninputs:\n- {owner: alice, name: x}\n- {owner: bob, name: y}\n", width, solver)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		j.Apply(Override{Network: network})
		return j
	}
	for _, c := range []struct {
		network, solver string
		width           int
		conjugate       bool
		chosen          string
	}{
		{"1e10/400ms", ", solver: auto", 30, false, "solver fisher, with standard errors: by plan on network 1e10/400ms it takes "},
		{"1e7/0ms", ", solver: auto, steps: 4", 100, true, "solver cg, without standard errors: by plan on network 1e7/0ms it takes "},
		{"1e7/0ms", "", 100, false, ""},
		{"1e10/400ms", ", solver: cg, steps: 2", 30, true, ""},
		{"wan", ", solver: auto, steps: 2", 1500, true, "solver cg, without standard errors: fisher takes 999 features, and the model has more"},
	} {
		j := load(c.network, c.solver, c.width)
		w, _, err := j.PlanWork()
		if err != nil {
			t.Fatal(err)
		}
		s := w.(*glm.Shape)
		if (s.CG != nil) != c.conjugate || !strings.HasPrefix(j.Chosen, c.chosen) || c.chosen == "" && j.Chosen != "" || j.Task.Auto {
			t.Errorf("%s%s: conjugate gradients %v, %q, want %q", c.network, c.solver, s.CG, j.Chosen, c.chosen)
		}
	}
	if _, _, err := load("wan", ", solver: auto", 3).NodeTask(); err == nil || !strings.Contains(err.Error(), "name the solver that tacet plan shows") {
		t.Errorf("nodes: %v", err)
	}
	if _, _, err := load("wan", ", solver: auto, l1: 0.1", 3).PlanWork(); err == nil || !strings.Contains(err.Error(), "solver cg takes no l1") {
		t.Errorf("l1: %v", err)
	}
}
