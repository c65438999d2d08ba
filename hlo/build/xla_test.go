package build_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// python is a Python that has JAX: TACET_PYTHON, or python3.
func python(t *testing.T) string {
	t.Helper()
	name := os.Getenv("TACET_PYTHON")
	if name == "" {
		name = "python3"
	}
	path, err := exec.LookPath(name)
	if err == nil {
		err = exec.Command(path, "-c", "import jax, numpy").Run()
	}
	if err != nil {
		t.Skipf("%s has no JAX (%v): set TACET_PYTHON to the Python of an environment in which jax is installed", name, err)
	}
	return path
}

// xlaCase is what testdata/xla.py reads.
type xlaCase struct {
	Name    string     `json:"name"`
	Text    string     `json:"text"`
	Compile bool       `json:"compile"` // and run, else only parse and verify
	Args    []xlaArray `json:"args"`
	Results []xlaArray `json:"results"`
}

type xlaArray struct {
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Data  []any  `json:"data"`
}

var numpyNames = map[tensor.DType]string{
	tensor.Bool: "bool", tensor.I8: "int8", tensor.I16: "int16", tensor.I32: "int32", tensor.I64: "int64",
	tensor.U8: "uint8", tensor.U16: "uint16", tensor.U32: "uint32", tensor.U64: "uint64",
	tensor.F16: "float16", tensor.BF16: "bf16", tensor.F32: "float32", tensor.F64: "float64",
}

func xlaArrays(all []*tensor.Array) []xlaArray {
	var out []xlaArray
	for _, a := range all {
		x := xlaArray{numpyNames[a.DType], append([]int{}, a.Shape...), []any{}}
		for _, v := range a.Floats() {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				x.Data = append(x.Data, strconv.FormatFloat(v, 'g', -1, 64)) // JSON has none; numpy reads it
				continue
			}
			x.Data = append(x.Data, v)
		}
		out = append(out, x)
	}
	return out
}

// XLA compiles what is printed of all samples, and computes what package eval
// does. A program with every operation it parses and verifies: not all can run
// on one CPU.
func TestXLA(t *testing.T) {
	interpreter := python(t)
	var cases []xlaCase
	for _, s := range samples {
		p := s.program(t)
		cases = append(cases, xlaCase{s.name, string(p.Text), true, xlaArrays(elements), xlaArrays(results(t, p, elements))})
	}
	every, err := hlo.ReadFile(filepath.Join("..", "testdata", "every_op.pretty.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := rebuild(every, func(o *hlo.Op) bool { return slices.Contains(chosen, o.Name) && len(o.Results) > 0 })
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, xlaCase{Name: "every operation", Text: string(p.Text)})
	input, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(interpreter, filepath.Join("testdata", "xla.py"))
	cmd.Env = append(os.Environ(), "JAX_PLATFORMS=cpu")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &stderr
	out, err := cmd.Output()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s%s", err, out, stderr.Bytes())
	}
}
