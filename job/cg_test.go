package job

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/glm"
)

// TestConjugate compares fits by conjugate gradients with those by Hessians of the same rows: matched by a hidden join, as an inner and as
// a left one, of stacked tables, and of stacked tables with further columns of all rows beside them.
func TestConjugate(t *testing.T) {
	const n, common = 90, 70
	r := rand.New(rand.NewPCG(21, 1))
	alice, bob, all := "id,a,e,y,w\n", "id,b,c\n", "a,b,c,y,w\n"
	parts, theirs := map[string]string{"north": "a,y,w\n", "south": "a,y,w\n"}, "b,c\n"
	for row := range n {
		a, b, c, w := r.NormFloat64(), 5+r.NormFloat64(), -3+2*r.NormFloat64(), 1+9*r.Float64()
		y := int(math.Exp(0.5+0.2*a-0.1*b-0.2*c)*2*r.Float64() + 0.5)
		alice += fmt.Sprintf("%d,%v,%v,%d,%v\n", row, a, 0.3*b, y, w)
		id := row
		if row >= common {
			id += n
		}
		bob += fmt.Sprintf("%d,%v,%v\n", id, b, c)
		all += fmt.Sprintf("%v,%v,%v,%d,%v\n", a, b, c, y, w)
		name := "north"
		if row >= n/3 {
			name = "south"
		}
		parts[name] += fmt.Sprintf("%v,%d,%v\n", a, y, w)
		theirs += fmt.Sprintf("%v,%v\n", b, c)
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name+".csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tables := map[string]string{"alice": file("alice", alice), "bob": file("bob", bob)}
	joined := func(join Join) func(g *glm.CG) *glm.Result {
		return func(g *glm.CG) *glm.Result {
			task := Task{
				Family: glm.Poisson, Target: "alice.y", Offset: "alice.e", Weights: "alice.w", Features: []string{"alice.a", "bob.b", "bob.c"}, Iterations: 6, CG: g,
			}
			answer, _, _ := runTask(t, tables, task, join)
			return answer.(*glm.Result)
		}
	}
	file("north", parts["north"])
	file("south", parts["south"])
	file("third", theirs)
	for name, fit := range map[string]func(g *glm.CG) *glm.Result{
		"hidden": joined(Join{Method: Hidden}), "left": joined(Join{Method: Hidden, Kind: left}),
		"stacked": func(g *glm.CG) *glm.Result {
			task := Task{Family: glm.Poisson, Target: "y", Weights: "w", Features: []string{"a", "b", "c"}, L2: 0.01, Iterations: 6, CG: g}
			answer, _ := runStacked(t, cutRows(t, all), task, Stacked)
			return answer.(*glm.Result)
		},
		"beside": func(g *glm.CG) *glm.Result {
			solver := ""
			if g != nil {
				solver = fmt.Sprintf(", solver: cg, steps: %d", g.Steps)
			}
			return fitOf(t, dir, "parties: [north, south, third]\njoin: {method: stacked, beside: third}\ntask: {fit: glm, family: gaussian, target: y, "+
				"features: [a, third.b, third.c], weights: w, iterations: 3"+solver+"}\ninputs:\n- {owner: north, table: north.csv}\n"+
				"- {owner: south, table: south.csv}\n- {owner: third, table: third.csv}\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, got := fit(nil), fit(&glm.CG{Steps: 5})
			if !want.Converged || !want.Inverted || !got.Converged || got.Solver != glm.SolverCG || len(got.Coefficients) != len(want.Coefficients) {
				t.Fatalf("%+v, want %+v", got, want)
			}
			for i, w := range want.Coefficients {
				if c := got.Coefficients[i]; c.Name != w.Name || !(math.Abs(c.Value-w.Value) <= 1e-4*w.Error) || c.Error != 0 {
					t.Errorf("%+v, want %+v", c, w)
				}
			}
			if !slices.ContainsFunc(want.Coefficients[1:], func(c glm.Coefficient) bool { return math.Abs(c.Value) > c.Error }) {
				t.Errorf("all coefficients are small: %+v", want.Coefficients)
			}
			if math.Abs(got.Deviance/want.Deviance-1) > 1e-5 || math.Abs(got.Dispersion/want.Dispersion-1) > 1e-5 {
				t.Errorf("deviance %v, dispersion %v, want %v, %v", got.Deviance, got.Dispersion, want.Deviance, want.Dispersion)
			}
		})
	}
}
