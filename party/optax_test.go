package party_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// leastGradient is the magnitude from which on a parameter's gradients must have right updates.
const leastGradient = 1. / (1 << 16)

// TestOptax runs trainings that testdata/optax/export.py wrote into the folder TACET_TEST_OPTAX, with the protocols of
// TACET_TEST_OPTAX_PROTOCOLS (semi2k if it is empty): after the last step each parameter whose gradients were 2^-16
// or more in all steps is within a hundredth of the largest update of one step, and the loss within one per cent.
func TestOptax(t *testing.T) {
	folder := os.Getenv("TACET_TEST_OPTAX")
	if folder == "" {
		t.Skip("TACET_TEST_OPTAX is not the folder that testdata/optax/export.py wrote")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "job.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no folders with job files: %v", folder, err)
	}
	protocols := strings.Fields(os.Getenv("TACET_TEST_OPTAX_PROTOCOLS"))
	if len(protocols) == 0 {
		protocols = []string{"semi2k"}
	}
	for _, file := range files {
		for _, protocol := range protocols {
			t.Run(filepath.Base(filepath.Dir(file))+"/"+protocol, func(t *testing.T) {
				j, s := load(t, file, func(j *job.Job) { j.Protocol = protocol })
				out, err := party.Run(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				want, err := j.Expected(s.Program)
				if err != nil {
					t.Fatal(err)
				}
				checkTraining(t, filepath.Join(filepath.Dir(file), "float.npz"), out.Results, want)
			})
		}
	}
}

// checkTraining compares a training's results with floats, and logs the errors of parameters by their smallest
// gradients.
func checkTraining(t *testing.T, file string, got, want []*tensor.Array) {
	float := arraysOf(t, file)
	update := float["update"].Floats()[0]
	bins := []float64{leastGradient, leastGradient / 4, leastGradient / 16, leastGradient / 64, leastGradient / 1024, 0}
	number, beyond, worst := make([]int, len(bins)), make([]int, len(bins)), make([]float64, len(bins))
	last := len(want) - 1
	for i, w := range want[:last] {
		least := float[fmt.Sprint("least", i)].Floats()
		for k, x := range w.Floats() {
			bin := slices.IndexFunc(bins, func(b float64) bool { return least[k] >= b })
			off := math.Abs(got[i].Floats()[k]-x) / update
			number[bin]++
			worst[bin] = math.Max(worst[bin], off)
			if !(off <= 0.01) {
				beyond[bin]++
				if bin == 0 && beyond[bin] <= 5 {
					t.Logf("parameter %d, element %d, gradients of %.3g or more: %v, want %v", i, k, least[k], got[i].Floats()[k], x)
				}
			}
		}
	}
	x, y := got[last].Floats()[0], want[last].Floats()[0]
	loss := math.Abs(x-y) / math.Abs(y)
	for i, b := range bins {
		t.Logf("gradients from 2^%.0f on: %d of %d parameters beyond, worst error %.4f of an update", math.Log2(b), beyond[i], number[i], worst[i])
	}
	t.Logf("largest update %.3g, loss %v (%.4f %%)", update, y, 100*loss)
	if beyond[0] > 0 || !(loss <= 0.01) {
		t.Errorf("%d parameters are off by more than a hundredth of an update, the loss by %.3g %%", beyond[0], 100*loss)
	}
}

// arraysOf reads all arrays of an .npz file.
func arraysOf(t *testing.T, file string) map[string]*tensor.Array {
	t.Helper()
	a, err := npy.OpenArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	out := map[string]*tensor.Array{}
	for _, name := range a.Names() {
		if out[name], err = a.Read(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
