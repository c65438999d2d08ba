package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/sbinet/npyio/npz"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/tensor"
)

// fixtures returns the folder of the fixtures: TACET_FIXTURES, or shared/fixtures beside the
// module.
func fixtures(t *testing.T) string {
	dir := os.Getenv("TACET_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "fixtures")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no fixtures in %s; set TACET_FIXTURES", dir)
	}
	return dir
}

type job struct {
	Program string
	Inputs  []struct{ File string }
	Expect  struct {
		File       string
		Atol, Rtol float64
	}
}

// Every fixture, evaluated in the clear, gives the expected results.
func TestFixtures(t *testing.T) {
	jobs, err := filepath.Glob(filepath.Join(fixtures(t), "*", "job.yaml"))
	if err != nil || len(jobs) == 0 {
		t.Fatalf("no jobs: %v", err)
	}
	runs := testcases.OneOf(t, 2)
	for _, path := range jobs {
		if !runs() {
			continue
		}
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var j job
			if err := yaml.Unmarshal(text, &j); err != nil {
				t.Fatal(err)
			}
			prog, err := hlo.ReadFile(filepath.Join(dir, j.Program))
			if err != nil {
				t.Fatal(err)
			}
			arrays := map[string]*tensor.Array{}
			for _, in := range j.Inputs {
				readArrays(t, filepath.Join(dir, in.File), arrays)
			}
			var args []*tensor.Array
			for i := range prog.Main.Body.Params {
				args = append(args, arrays[fmt.Sprintf("arg%d", i)])
			}
			got, err := Func(context.Background(), prog.Main, args)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]*tensor.Array{}
			readArrays(t, filepath.Join(dir, j.Expect.File), want)
			if len(want) != len(got) {
				t.Fatalf("%d results, want %d", len(got), len(want))
			}
			for i, g := range got {
				within(t, fmt.Sprintf("out%d", i), g, want[fmt.Sprintf("out%d", i)], j.Expect.Atol, j.Expect.Rtol)
			}
		})
	}
}

// Every operation of the program of all operations, applied to zeros, has results of the types that
// the verifier inferred, or is refused with its position and name.
func TestEveryOperation(t *testing.T) {
	prog, err := hlo.ReadFile(filepath.Join("..", "hlo", "testdata", "every_op.pretty.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	env := NewEnv(func(v *hlo.Value) *tensor.Array { return tensor.NewArray(v.Type) })
	for _, f := range prog.Funcs {
		for _, op := range f.Body.Ops[:len(f.Body.Ops)-1] {
			args, err := env.operands(op)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond) // one loop does not end
			out, err := env.Op(ctx, op, args)
			cancel()
			if err != nil {
				if errors.Is(err, context.DeadlineExceeded) {
					continue // stopped inside the loop
				}
				if !strings.HasPrefix(err.Error(), fmt.Sprintf("%s: %s: ", op.Pos, op.Name)) {
					t.Error(err)
				}
				continue
			}
			for i, r := range op.Results {
				if !out[i].Type.Equal(r.Type) {
					t.Errorf("%s: %s: result %d is %s, want %s", op.Pos, op.Name, i, out[i].Type, r.Type)
				}
			}
		}
	}
}

func within(t *testing.T, name string, got, want *tensor.Array, atol, rtol float64) {
	t.Helper()
	if !got.Type.Equal(want.Type) {
		t.Fatalf("%s is %s, want %s", name, got.Type, want.Type)
	}
	if !want.DType.IsFloat() {
		same(t, got, want)
		return
	}
	g, w := got.Floats(), want.Floats()
	for i := range w {
		if g[i] == w[i] || math.IsNaN(g[i]) && math.IsNaN(w[i]) {
			continue
		}
		if !(math.Abs(g[i]-w[i]) <= atol+rtol*math.Abs(w[i])) {
			t.Fatalf("%s[%d] = %v, want %v", name, i, g[i], w[i])
		}
	}
}

// readArrays adds the arrays of an .npz file to arrays.
func readArrays(t *testing.T, path string, arrays map[string]*tensor.Array) {
	t.Helper()
	r, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	types := map[string]tensor.DType{
		"b1": tensor.Bool, "i1": tensor.I8, "i2": tensor.I16, "i4": tensor.I32, "i8": tensor.I64,
		"u1": tensor.U8, "u2": tensor.U16, "u4": tensor.U32, "u8": tensor.U64, "f4": tensor.F32, "f8": tensor.F64,
	}
	for _, key := range r.Keys() {
		h := r.Header(key)
		d, ok := types[h.Descr.Type[1:]]
		if !ok || h.Descr.Fortran && len(h.Descr.Shape) > 1 {
			t.Fatalf("%s: %s is of type %s, Fortran order %v", path, key, h.Descr.Type, h.Descr.Fortran)
		}
		a := tensor.NewArray(tensor.Type{DType: d, Shape: h.Descr.Shape})
		if a.Len() > 0 {
			if a.Data, err = readData(r, key, a.Data); err != nil {
				t.Fatalf("%s: %s: %v", path, key, err)
			}
		}
		arrays[strings.TrimSuffix(key, ".npy")] = a
	}
}

// readData reads an array into a slice of data's type.
func readData(r *npz.Reader, key string, data any) (any, error) {
	switch d := data.(type) {
	case []bool:
		return readSlice(r, key, d)
	case []int8:
		return readSlice(r, key, d)
	case []int16:
		return readSlice(r, key, d)
	case []int32:
		return readSlice(r, key, d)
	case []int64:
		return readSlice(r, key, d)
	case []uint8:
		return readSlice(r, key, d)
	case []uint16:
		return readSlice(r, key, d)
	case []uint32:
		return readSlice(r, key, d)
	case []uint64:
		return readSlice(r, key, d)
	case []float32:
		return readSlice(r, key, d)
	case []float64:
		return readSlice(r, key, d)
	}
	return nil, fmt.Errorf("no slices of type %T", data)
}

func readSlice[T any](r *npz.Reader, key string, data []T) ([]T, error) {
	err := r.Read(key, &data)
	return data, err
}
