package grad_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// folders hold what testdata/jax/export.py wrote: the one of the repository, and TACET_TEST_GRAD.
func folders() []string {
	list := []string{"testdata/jax"}
	if more := os.Getenv("TACET_TEST_GRAD"); more != "" {
		list = append(list, more)
	}
	return list
}

// arrays reads arrays NAME0, NAME1, … of an archive.
func arrays(t *testing.T, a *npy.Archive, name string) (out []*tensor.Array) {
	t.Helper()
	for i := 0; slices.Contains(a.Names(), fmt.Sprint(name, i)); i++ {
		x, err := a.Read(fmt.Sprint(name, i))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// TestJAX compares gradients of JAX's programs with those that JAX computes.
func TestJAX(t *testing.T) {
	tested := 0
	for _, folder := range folders() {
		files, err := filepath.Glob(filepath.Join(folder, "*.npz"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			tested++
			name := strings.TrimSuffix(filepath.Base(file), ".npz")
			t.Run(name, func(t *testing.T) { compareWithJAX(t, folder, name) })
		}
	}
	if tested < 8 {
		t.Errorf("%d programs of JAX were tested", tested)
	}
}

func compareWithJAX(t *testing.T, folder, name string) {
	p, err := hlo.ReadFile(filepath.Join(folder, name+".mlir"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.OpenArchive(filepath.Join(folder, name+".npz"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	args, want := arrays(t, a, "arg"), arrays(t, a, "grad")
	var wrt []int // the last arguments
	for i := range want {
		wrt = append(wrt, len(args)-len(want)+i)
	}
	g, err := grad.Gradient(context.Background(), p, grad.Options{Wrt: wrt, Only: true})
	if name == "fixture-gpr-lapack" { // fixture-gpr is the same function, written with operations
		if err == nil || !strings.Contains(err.Error(), "@lapack") {
			t.Errorf("the gradient of a call to LAPACK is not refused: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	g = reread(t, g)
	for i, got := range run(t, g, args) {
		for e, x := range got.Floats() {
			if w := want[i].Floats()[e]; x != w && !near(x, w, 1e-4) && !(math.IsNaN(x) && math.IsNaN(w)) {
				t.Fatalf("gradient %d, element %d: %v, JAX has %v", i, e, x, w)
			}
		}
	}
	if folder != "testdata/jax" || !strings.HasPrefix(name, "random") {
		spec := jobOf(g, args)
		if strings.HasPrefix(name, "fixture-resnet18-") {
			// Windows of its max-pool have elements that are equal in 18 bits, of which any may get the gradient.
			spec.Ring, spec.Fraction = 128, 30
		}
		comparePrivately(t, spec, want)
	}
	if _, err := os.Stat(filepath.Join(folder, name+".step.mlir")); err == nil {
		compareCosts(t, folder, name, p, wrt, args)
	}
}

// jobOf is a run of p by semi2k between two parties; the first owns the first two arguments, or the first of two.
func jobOf(p *hlo.Program, args []*tensor.Array) party.Spec {
	s := party.Spec{Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Network: "none", Parties: []string{"alice", "bob"}, Computing: 2}
	for i, a := range args {
		owner := 1
		if i < min(2, len(args)-1) {
			owner = 0
		}
		s.Args = append(s.Args, party.Arg{Owner: owner, Data: a})
	}
	return s
}

// comparePrivately runs a gradient on secrets and compares it with JAX's to 1e-2, where that is finite: the fixture
// glm-tweedie has square roots of zeros, whose derivative is not.
func comparePrivately(t *testing.T, spec party.Spec, want []*tensor.Array) {
	out, err := party.Run(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, w := range want {
		got := out.Results[i].Floats()
		for e, x := range w.Floats() {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				continue
			}
			worst = max(worst, math.Abs(got[e]-x)/(1+math.Abs(x)))
			if !near(got[e], x, 1e-2) {
				t.Errorf("privately, gradient %d, element %d: %v, JAX has %v", i, e, got[e], x)
				return
			}
		}
	}
	t.Logf("privately: largest error %.2g", worst)
}

// compareCosts plans a training step with this package's gradients and with JAX's own.
func compareCosts(t *testing.T, folder, name string, p *hlo.Program, wrt []int, args []*tensor.Array) {
	step, err := grad.Gradient(context.Background(), p, grad.Options{Wrt: wrt})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := hlo.ReadFile(filepath.Join(folder, name+".step.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	costs := func(p *hlo.Program) (bytes, rounds, dealt int64) {
		r, err := party.Plan(context.Background(), jobOf(p, args))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range r.Predicted.Online.BytesSent {
			bytes += n
		}
		return bytes, int64(r.Predicted.Online.Rounds), r.Predicted.Offline.BytesSent
	}
	bytes, rounds, dealt := costs(reread(t, step))
	jb, jr, jd := costs(theirs)
	t.Logf("%s: %d bytes, %d rounds, %d dealt; JAX's gradient: %d, %d, %d", name, bytes, rounds, dealt, jb, jr, jd)
	if float64(bytes) > 1.05*float64(jb) || float64(rounds) > 1.05*float64(jr) {
		t.Errorf("%s: %d bytes and %d rounds, more than 1.05 times the %d and %d of JAX's gradient", name, bytes, rounds, jb, jr)
	}
	out, err := party.Run(context.Background(), jobOf(reread(t, step), args))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range run(t, step, args) {
		for e, w := range want.Floats() {
			if x := out.Results[i].Floats()[e]; !near(x, w, 1e-2) {
				t.Fatalf("private result %d, element %d: %v, in clear %v", i, e, x, w)
			}
		}
	}
}
