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

// rightUpdate is the largest error of a parameter, as a multiple of the largest update of one step.
const rightUpdate = 0.01

// TestOptax runs trainings that testdata/optax/export.py wrote into the folder TACET_TEST_OPTAX, with the protocols of
// TACET_TEST_OPTAX_PROTOCOLS (semi2k if it is empty). One rule judges all optimisers and models. It looks at the parameters
// whose gradients were 2^-16 or more in all steps. After the last step each is within a hundredth of the largest update
// of one step (rightUpdate), and the loss is within one per cent.
//
// Some trainings are not stable enough for that in 32-bit floats: a unit of an input may decide on which side of 0 a gradient
// lies, and an optimiser makes a whole update of its sign. nadam on the LeNet is off by 0.88 of an update in 32-bit floats
// against 64-bit ones. Where float32 gets beyond rightUpdate from inputs rounded to 18 bits, as all inputs of a private training
// are, the worst error and the number of parameters beyond rightUpdate may be three times the spread of float32, which is
// the upper quartile of twelve such trainings (spreadOf). Where float32 is stable, that allows nothing.
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
			if !(off <= rightUpdate) {
				beyond[bin]++
			}
		}
	}
	x, y := got[last].Floats()[0], want[last].Floats()[0]
	loss := math.Abs(x-y) / math.Abs(y)
	for i, b := range bins {
		t.Logf("gradients from 2^%.0f on: %d of %d parameters beyond, worst error %.4f of an update", math.Log2(b), beyond[i], number[i], worst[i])
	}
	t.Logf("largest update %.3g, loss %v (%.4f %%)", update, y, 100*loss)
	worsts, beyonds := float["worst"].Floats(), float["beyond"].Floats()
	t.Logf("float32 from inputs of 18 bits: worst errors %.4f, beyond %v", worsts, beyonds)
	if most := max(rightUpdate, 3*spreadOf(worsts)); !(worst[0] <= most) {
		t.Errorf("a parameter is off by %.4f of an update, more than %.4f", worst[0], most)
	}
	if most := 3 * spreadOf(beyonds); float64(beyond[0]) > most {
		t.Errorf("%d parameters are off by more than a hundredth of an update, more than %.0f", beyond[0], most)
	}
	if !(loss <= 0.01) {
		t.Errorf("the loss is off by %.3g %%", 100*loss)
	}
}

// spreadOf returns the upper quartile of x, which it sorts.
func spreadOf(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)*3/4]
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
