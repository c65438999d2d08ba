package pattern

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// fixture reads the program of a fixture in $TACET_FIXTURES, or beside the repository; it skips the test if there is none.
func fixture(t *testing.T, name string) *hlo.Program {
	t.Helper()
	dir := os.Getenv("TACET_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "fixtures")
	}
	file := filepath.Join(dir, name, "program.mlir")
	if _, err := os.Stat(file); err != nil {
		t.Skipf("no fixtures in %s: set TACET_FIXTURES", dir)
	}
	return read(t, file)
}

// TestFixtures lists the matches in the fixtures' functions, without those inside of others.
func TestFixtures(t *testing.T) {
	for name, want := range map[string][]string{
		"transformer-block": {"layernorm(%arg0, %20) over [2] eps 1e-06 at 31:11", "softmax(%42) over [3] at 66:11",
			"layernorm(%60, %81) over [2] eps 1e-06 at 102:11", "gelu_tanh(%90) at 126:12"},
		"functions": {"sigmoid(%arg1) at 38:11", "gelu_erf(%arg1) at 54:11", "gelu_tanh(%arg1) at 71:11", "softplus(%arg1) at 72:11",
			"softmax(%arg1) over [0] at 85:11", "softplus(%arg0) at 154:11"},
		"logreg-infer": {"sigmoid(%3) at 14:10"},
		"logreg-train": {"sigmoid(%15) at 54:11"},
		"resnet18":     nil, "kmeans": nil, "gpr": nil, "glm-gamma": nil, "gcn-train": nil, "quantiles": nil,
	} {
		t.Run(name, func(t *testing.T) {
			ps := Find(fixture(t, name))
			var got []string
			for _, m := range ps.All {
				if !ps.Skipped(m.End) {
					got = append(got, m.String())
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
	t.Run("bert-tiny-like", func(t *testing.T) {
		count := map[Kind]int{}
		for _, m := range Find(fixture(t, "bert-tiny-like")).All {
			count[m.Kind]++
		}
		if len(count) != 3 || count[LayerNorm] != 5 || count[Softmax] != 2 || count[GeluTanh] != 2 {
			t.Errorf("found %v", count)
		}
	})
}

// TestFixtureBounds checks the bounds of the fixtures' denominators and roots.
func TestFixtureBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		file, fn, value string
		lo, hi          float64
	}{
		{"transformer-block", "main", "10", 0, inf}, // the variance
		{"transformer-block", "main", "48", -inf, 0},
		{"transformer-block", "main", "50", 1, 32},
		{"transformer-block", "main", "53", 0, 1},
		{"transformer-block", "main", "100", 0, 2},
		{"logreg-infer", "main", "7", 1, inf},
		{"logreg-train", "closed_call", "19", 1, inf},
		{"logreg-train", "closed_call", "21", 0, 1},
		{"kmeans", "closed_call", "9", 0, 1},
		{"kmeans", "closed_call", "12", 0, 200},
		{"kmeans", "closed_call", "14", 1, 200},
		{"kmeans", "main", "9", 0, inf},
		{"gpr", "main", "11", 0, 1}, // the kernel exp(−d²/2)
		{"glm-gamma", "closed_call", "2", 0, inf},
	} {
		p := fixture(t, c.file)
		if lo, hi := Bounds(p).Of(find(t, p, c.fn, c.value)); lo != c.lo || hi != c.hi {
			t.Errorf("%s: %%%s of @%s in [%v, %v], want [%v, %v]", c.file, c.value, c.fn, lo, hi, c.lo, c.hi)
		}
	}
	p := fixture(t, "transformer-block")
	if lo, _ := Bounds(p).Of(find(t, p, "main", "16")); math.Abs(lo-1e-6) > 1e-12 {
		t.Errorf("variance + eps at least %v", lo)
	}
}

// TestFixturesKeepBounds evaluates fixtures with random arguments.
func TestFixturesKeepBounds(t *testing.T) {
	for _, name := range []string{"functions", "logreg-infer", "logreg-train", "transformer-block", "kmeans", "glm-gamma", "control", "secret-index", "integers"} {
		p := fixture(t, name)
		checkBounds(t, p, Bounds(p), nil)
	}
}
