package job

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hlo"
)

// TestAuto: solver auto is the one whose plan takes less time: fisher where rounds are slow, cg where bytes are, and cg for more features
// than fisher takes. A run says so, and has standard errors if it is fisher. Other solvers are not changed, and at nodes the submission
// chooses.
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
		w, _, err := j.PlanWork(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s := w.(*glm.Shape)
		if (s.CG != nil) != c.conjugate || !strings.HasPrefix(j.Chosen, c.chosen) || c.chosen == "" && j.Chosen != "" || j.Task.Auto {
			t.Errorf("%s%s: conjugate gradients %v, %q, want %q", c.network, c.solver, s.CG, j.Chosen, c.chosen)
		}
	}
	for _, network := range []string{"1e10/400ms", "1e7/0ms"} {
		conjugate := network == "1e7/0ms"
		j := load(network, ", solver: auto, steps: 4", 100)
		fit, spec, err := j.NodeTask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s := fit.Work.(*glm.Shape); (s.CG != nil) != conjugate || j.Chosen == "" {
			t.Errorf("nodes, %s: conjugate gradients %v, %q", network, s.CG, j.Chosen)
		}
		// Results of that submission are read where a plan would choose the other solver now.
		late := load(map[bool]string{true: "1e10/400ms", false: "1e7/0ms"}[conjugate], ", solver: auto, steps: 4", 100)
		late.RanAtNodes(t.Context(), func(p *hlo.Program) bool { return p.Digest() == spec.Program.Digest() })
		again, _, err := late.NodeTask(t.Context())
		if err != nil || (again.Work.(*glm.Shape).CG != nil) != conjugate || late.Chosen != "" {
			t.Errorf("results of %s: %+v, %q (%v)", network, again, late.Chosen, err)
		}
	}
	if _, _, err := load("wan", ", solver: auto, l1: 0.1", 3).PlanWork(t.Context()); err == nil || !strings.Contains(err.Error(), "solver cg takes no l1") {
		t.Errorf("l1: %v", err)
	}
}
