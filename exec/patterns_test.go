package exec_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fused returns the functions as which a program of secrets was computed, instead of operation by operation.
func fused(t *testing.T, p program) []string {
	t.Helper()
	prog := parse(t, p)
	var owners []int
	for range prog.Main.Body.Params {
		owners = append(owners, kept)
	}
	got, err := walk(prog, middle[0], p.set, owners, p.arguments(prog), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range got.costs.Ops {
		if o.Whole != "" {
			out = append(out, o.Whole)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestPatterns runs what JAX writes of activations, softmaxes and normalizations. The result is the same for
// all visibilities, with fused kernels and without.
func TestPatterns(t *testing.T) {
	files, err := filepath.Glob("../hlo/pattern/testdata/*.mlir")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d programs: %v", len(files), err)
	}
	kernels := map[string]string{
		"softmax": "softmax", "softmax_where": "softmax", "softmax_mask": "softmax", "sm_manual": "softmax", "sm_2ax": "softmax", "sm_exp_lse": "softmax", "log_softmax": "log_softmax",
		"logsumexp": "logsumexp", "logsumexp_keep": "logsumexp", "lse_manual": "logsumexp", "ln": "layernorm", "ln2": "layernorm", "bn": "layernorm", "bn_flax": "layernorm",
		"standardize": "layernorm", "rms": "rmsnorm", "gelu": "gelu_tanh", "gelu_erf": "gelu_erf", "silu": "silu", "silu_manual": "silu", "softplus": "softplus",
		"log_sigmoid": "log_sigmoid", "tanh_m": "tanh", "rsqrt_m": "rsqrt", "div_sqrt": "div_sqrt", "ssig": "sigmoid", "signbit": "negative", "sm_nomax": "",
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".mlir")
		p := program{name: name, file: f, units: 120, lo: 0.25, hi: 2}
		if strings.HasSuffix(name, "bf16") {
			p.units = 1 << 12 // eval rounds to eight bits
		}
		agree(t, p)
		if kind, ok := kernels[name]; ok {
			if got := strings.Join(fused(t, p), " "); got != kind {
				t.Errorf("%s is computed as %q, want %q", name, got, kind)
			}
			delete(kernels, name)
		}
	}
	for name := range kernels {
		t.Errorf("no program %s", name)
	}
}
