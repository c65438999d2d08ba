package onnx_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// nodeCase is a test case of the ONNX project: a model with inputs and outputs, as testdata/cases.py writes it.
type nodeCase struct {
	folder, name, op string
	file             *onnx.File
	in, out          []*tensor.Array
	rtol, atol       float64
}

// verdict is how a case ended.
type verdict struct {
	skipped string // why it was not run; "" if it was
	err     error
}

// errSkip is a reason not to run a case.
type errSkip struct{ why string }

func (e errSkip) Error() string { return e.why }

func readTensor(path string) (*tensor.Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, errSkip{"sequences, maps and optional values as inputs or outputs"}
	}
	t, err := model.ReadTensor(f, info.Size())
	if err != nil {
		return nil, err
	}
	a, err := t.Array()
	if err != nil {
		return nil, errSkip{"element types: " + model.ElemName(t.Elem)}
	}
	return a, nil
}

// readCase reads a case; an errSkip says that Tacet has no values of its kind.
func readCase(t *testing.T, folder string) (*nodeCase, error) {
	c := &nodeCase{folder: folder, name: filepath.Base(folder)}
	text, err := os.ReadFile(filepath.Join(folder, "case.json"))
	if err != nil {
		return nil, err
	}
	var tolerance struct{ Rtol, Atol float64 }
	if err := json.Unmarshal(text, &tolerance); err != nil {
		return nil, err
	}
	c.rtol, c.atol = tolerance.Rtol, tolerance.Atol
	if c.file, err = onnx.Open(filepath.Join(folder, "model.onnx")); err != nil {
		return c, err
	}
	t.Cleanup(func() { c.file.Close() })
	c.op = operationOf(c)
	for _, list := range []struct {
		name string
		to   *[]*tensor.Array
	}{{"in", &c.in}, {"out", &c.out}} {
		for i := 0; ; i++ {
			a, err := readTensor(filepath.Join(folder, fmt.Sprintf("%s%d.pb", list.name, i)))
			if errors.Is(err, os.ErrNotExist) {
				break
			}
			if err != nil {
				return c, err
			}
			*list.to = append(*list.to, a)
		}
	}
	return c, nil
}

// operationOf is the operation that a case is about: that of the case without the functions written out.
func operationOf(c *nodeCase) string {
	name, _, expanded := strings.Cut(c.name, "_expanded")
	g := c.file.Model.Graph
	if expanded {
		f, err := onnx.Open(filepath.Join(filepath.Dir(c.folder), name, "model.onnx"))
		if err != nil {
			return "(functions written out)"
		}
		defer f.Close()
		g = f.Model.Graph
	}
	n := g.Nodes[len(g.Nodes)-1]
	if len(g.Nodes) > 1 {
		for _, m := range g.Nodes {
			if strings.Contains(strings.ReplaceAll(c.name, "_", ""), strings.ToLower(m.Op)) {
				n = m
			}
		}
	}
	if n.Domain != "" {
		return n.Domain + "." + n.Op
	}
	return n.Op
}

// fixed are the inputs that must be known during the import: at first those that an operation itself asks for.
func (c *nodeCase) fixed(level int) map[string]*tensor.Array {
	out := map[string]*tensor.Array{}
	for i, in := range c.file.Model.Graph.Inputs {
		a := c.in[i]
		if level == 2 && (a.DType.IsInt() || a.DType == tensor.Bool) || level == 3 && (a.Len() <= 8 && len(a.Shape) <= 1 || !a.DType.IsFloat()) {
			out[in.Name] = a
		}
	}
	if level == 0 {
		return out
	}
	for _, n := range c.file.Model.Graph.Nodes {
		known, _ := onnx.KnownInputs(n.Domain, n.Op)
		for _, k := range known {
			if k >= len(n.Inputs) {
				continue
			}
			for i, in := range c.file.Model.Graph.Inputs {
				if in.Name == n.Inputs[k] {
					out[in.Name] = c.in[i]
				}
			}
		}
	}
	return out
}

// imported imports a case's model, with as few inputs fixed as possible, and returns the arguments.
func (c *nodeCase) imported() (*onnx.Imported, []*tensor.Array, error) {
	var first error
	if len(c.in) != len(c.file.Model.Graph.Inputs) {
		return nil, nil, fmt.Errorf("%d inputs for %d", len(c.in), len(c.file.Model.Graph.Inputs))
	}
	for level := range 4 {
		o := onnx.Options{Shapes: map[string][]int{}, Values: c.fixed(level)}
		var args []*tensor.Array
		for i, in := range c.file.Model.Graph.Inputs {
			if o.Values[in.Name] == nil {
				args = append(args, c.in[i])
			}
			o.Shapes[in.Name] = c.in[i].Shape
		}
		m, err := c.file.Import(o)
		if err != nil {
			if first == nil || level > 0 && strings.Contains(first.Error(), "must be known") {
				first = err
			}
			continue
		}
		for i := range m.Weights {
			a, err := m.Weights[i].Array()
			if err != nil {
				return nil, nil, err
			}
			args = append(args, a)
		}
		return m, args, nil
	}
	return nil, nil, first
}

// clear runs the program in clear and compares.
func (c *nodeCase) clear(m *onnx.Imported, args []*tensor.Array) error {
	got, err := eval.Func(context.Background(), m.Program.Main, args)
	if err != nil {
		return err
	}
	return c.compare(got, max(c.rtol, 1e-4), max(c.atol, 1e-5))
}

// private runs the program among two parties that have the arguments in turns, and compares.
func (c *nodeCase) private(m *onnx.Imported, args []*tensor.Array, protocol string) error {
	s := party.Spec{Program: m.Program, Protocol: protocol, Parties: []string{"alice", "bob"}, Reveal: []int{0}, Seed: []byte{1}}
	for i, a := range args {
		if a.DType.IsFloat() {
			for _, f := range a.Floats() {
				if !(math.Abs(f) < 1<<43) {
					return errSkip{"inputs that cannot be shared: infinities, NaN, magnitudes beyond 2^43"}
				}
			}
		}
		s.Args = append(s.Args, party.Arg{Owner: i % 2, Data: a})
	}
	if len(args) == 0 {
		return errSkip{"results that are known during the import"}
	}
	s, err := s.Resolve()
	if err != nil {
		return err
	}
	out, err := party.Run(context.Background(), s)
	if err != nil {
		return err
	}
	return c.compare(out.Results, 2e-3, 2e-3)
}

// compare compares results with the expected ones.
func (c *nodeCase) compare(got []*tensor.Array, rtol, atol float64) error {
	if len(got) != len(c.out) {
		return fmt.Errorf("%d results, want %d", len(got), len(c.out))
	}
	for i, want := range c.out {
		if !want.Type.Equal(got[i].Type) {
			return fmt.Errorf("result %d has type %v, want %v", i, got[i].Type, want.Type)
		}
		pairs := [][2]*tensor.Array{{got[i], want}}
		if want.DType.IsComplex() {
			r, s := got[i].Parts()
			p, q := want.Parts()
			pairs = [][2]*tensor.Array{{r, p}, {s, q}}
		}
		relative := rtol
		switch want.DType {
		case tensor.F16:
			relative = max(rtol, 2e-3)
		case tensor.BF16:
			relative = max(rtol, 2e-2)
		}
		for _, pair := range pairs {
			g, w := pair[0].Floats(), pair[1].Floats()
			for k := range w {
				same := g[k] == w[k] || math.IsNaN(g[k]) && math.IsNaN(w[k])
				if want.DType.IsFloat() || want.DType.IsComplex() {
					same = same || math.Abs(g[k]-w[k]) <= atol+relative*math.Abs(w[k]) && !math.IsInf(w[k], 0)
				}
				if !same {
					return fmt.Errorf("result %d: element %d is %v, want %v", i, k, g[k], w[k])
				}
			}
		}
	}
	return nil
}

// tally counts verdicts of an operation.
type tally struct{ right, wrong, refused, skipped int }

// TestCases runs the ONNX project's own cases: in clear, and privately among two parties with semi2k. Those in
// testdata/cases run always; TACET_TEST_ONNX is a folder with all of them, as testdata/cases.py writes it, and then
// the tables of docs/onnx.md are compared with the results.
func TestCases(t *testing.T) {
	folder, all := os.Getenv("TACET_TEST_ONNX"), true
	if folder == "" {
		folder, all = unpacked(t), false
	}
	names, err := filepath.Glob(filepath.Join(folder, "*", "model.onnx"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no cases: %v", folder, err)
	}
	sort.Strings(names)
	clear, private, reasons := map[string]*tally{}, map[string]*tally{}, map[string]int{}
	var failures, refusals []string
	only := os.Getenv("TACET_TEST_ONNX_CASE")
	for _, name := range names {
		if only != "" && !strings.Contains(name, only) {
			continue
		}
		c, err := readCase(t, filepath.Dir(name))
		if c == nil {
			t.Fatal(err)
		}
		if clear[c.op] == nil {
			clear[c.op], private[c.op] = &tally{}, &tally{}
		}
		cl, pr := clear[c.op], private[c.op]
		if skip := (errSkip{}); errors.As(err, &skip) {
			cl.skipped++
			pr.skipped++
			reasons[skip.why]++
			continue
		} else if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		m, args, err := c.imported()
		if err != nil {
			if _, has := onnx.KnownInputs("", c.op); !errors.Is(err, errors.ErrUnsupported) || has && !all {
				cl.wrong++
				failures = append(failures, fmt.Sprintf("%s (%s): import: %v", c.name, c.op, err))
			} else {
				cl.refused++
				refusals = append(refusals, fmt.Sprintf("%s (%s): %v", c.name, c.op, err))
			}
			c.file.Close()
			continue
		}
		if err := c.clear(m, args); err != nil {
			cl.wrong++
			failures = append(failures, fmt.Sprintf("%s (%s): clear: %v", c.name, c.op, err))
		} else {
			cl.right++
			if os.Getenv("TACET_TEST_ONNX_PRIVATE") != "skip" {
				err = c.private(m, args, "semi2k")
				var skip errSkip
				switch {
				case errors.As(err, &skip):
					pr.skipped++
					reasons[skip.why]++
				case err != nil && errors.Is(err, errors.ErrUnsupported):
					pr.refused++
					refusals = append(refusals, fmt.Sprintf("%s (%s): private: %v", c.name, c.op, err))
				case err != nil:
					pr.wrong++
					failures = append(failures, fmt.Sprintf("%s (%s): private: %v", c.name, c.op, err))
				default:
					pr.right++
				}
			}
		}
		c.file.Close()
	}
	for _, list := range [][]string{failures, refusals} {
		slices.Sort(list)
	}
	if !all {
		for _, f := range failures {
			t.Error(f)
		}
		right := 0
		for _, p := range private {
			right += p.right
		}
		if right < 100 {
			t.Errorf("%d cases are right privately, want at least 100", right)
		}
		return
	}
	report(t, clear, private, reasons, failures, refusals)
}
