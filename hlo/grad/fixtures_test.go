package grad_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

// hexFloat is a 32-bit float in hexadecimal, such as an infinity.
var hexFloat = regexp.MustCompile(`dense<0x([0-9A-F]{8})>`)

// widened is a program's text in 64-bit floats.
func widened(text string) string {
	text = hexFloat.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s[8:16], 16, 32)
		if err != nil {
			return s
		}
		return fmt.Sprintf("dense<0x%016X>", math.Float64bits(float64(math.Float32frombits(uint32(n)))))
	})
	return strings.ReplaceAll(text, "f32>", "f64>")
}

// TestFixtures compares gradients and tangents of the fixtures' programs, in 64-bit floats, with differences along a
// random direction. It runs if TACET_TEST_GRAD is set.
func TestFixtures(t *testing.T) {
	if os.Getenv("TACET_TEST_GRAD") == "" {
		t.Skip("TACET_TEST_GRAD is not set")
	}
	files, err := filepath.Glob("../../../shared/fixtures/*/program.mlir")
	if err != nil || len(files) == 0 {
		t.Skipf("there are no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { alongDirection(t, file) })
	}
}

func alongDirection(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), `dense<"0x`) || strings.Contains(string(text), "bitcast_convert") || strings.Contains(string(text), "lapack") {
		t.Skip("the text has constants as bytes, bits of floats or LAPACK, which are not in 64-bit floats")
	}
	p, err := hlo.Parse("program.mlir", []byte(widened(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	args := fixtureArgs(t, filepath.Dir(file), p)
	r := rand.New(rand.NewPCG(1, 2))
	wrt := floats(p)
	for _, a := range wrt { // away from equal elements, where maxima have no derivative
		f := slices.Clone(args[a].Floats())
		for i := range f {
			f[i] += 1e-2 * (r.Float64() + 0.1)
		}
		args[a] = tensor.FromFloats(tensor.F64, args[a].Shape, f)
	}
	direction := make([]*tensor.Array, len(args))
	for _, a := range wrt {
		direction[a] = random(r, args[a].Type, -1, 1)
	}
	at := func(h float64) []*tensor.Array {
		moved := slices.Clone(args)
		for _, a := range wrt {
			f := slices.Clone(args[a].Floats())
			for i, d := range direction[a].Floats() {
				f[i] += h * d
			}
			moved[a] = tensor.FromFloats(tensor.F64, args[a].Shape, f)
		}
		return run(t, p, moved)
	}
	const h = 1e-6
	high, low := at(h), at(-h)
	for k, result := range p.Main.Results {
		if !result.DType.IsFloat() {
			continue
		}
		g, err := grad.Gradient(context.Background(), p, grad.Options{Wrt: wrt, Result: k, Cotangent: true, Only: true})
		var refused *hlo.Error
		if errors.As(err, &refused) {
			t.Skip(err) // a loop whose end is an argument
		}
		if err != nil {
			t.Fatal(err)
		}
		ct := random(r, result, -1, 1)
		want := (product(ct, high[k]) - product(ct, low[k])) / (2 * h)
		got := 0.0
		for i, x := range run(t, g, append(slices.Clone(args), ct)) {
			got += product(x, direction[wrt[i]])
		}
		if !near(got, want, 1e-4) {
			t.Errorf("result %d: %v along a direction, by differences %v", k, got, want)
		}
	}
}

// fixtureArgs reads a fixture's arguments, 32-bit floats as 64-bit ones.
func fixtureArgs(t *testing.T, dir string, p *hlo.Program) []*tensor.Array {
	files, err := filepath.Glob(filepath.Join(dir, "*.npz"))
	if err != nil {
		t.Fatal(err)
	}
	args := make([]*tensor.Array, len(p.Main.Body.Params))
	for _, file := range files {
		a, err := npy.OpenArchive(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range p.Main.Body.Params {
			if name := fmt.Sprint("arg", i); slices.Contains(a.Names(), name) {
				x, err := a.Read(name)
				if err != nil {
					t.Fatal(err)
				}
				if v.Type.DType.IsFloat() {
					x = tensor.FromFloats(v.Type.DType, x.Shape, x.Floats())
				}
				args[i] = x
			}
		}
		a.Close()
	}
	if slices.Contains(args, nil) {
		t.Skip("its inputs are those of another fixture")
	}
	return args
}
