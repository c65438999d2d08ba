package hlo

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// Verify accepts what Parse accepts.
func TestVerifyParsed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		p, err := ReadFile(file)
		if err != nil {
			continue // refused on purpose
		}
		if err := p.Verify(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Invalid changes in memory are detected.
func TestVerifyBroken(t *testing.T) {
	const text = `func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %a, %a : tensor<3xf32>
  %1 = call @f(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func private @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}`
	for _, c := range []struct {
		name, want string
		change     func(p *Program)
	}{
		{"nothing", "", func(p *Program) {}},
		{"an unknown operation", "unknown operation", func(p *Program) { p.Main.Body.Ops[0].Name = "stablehlo.ad" }},
		{"too few operands", "p:2:8: stablehlo.add: has 1 operands, but takes 2", func(p *Program) { o := p.Main.Body.Ops[0]; o.Operands = o.Operands[:1] }},
		{"another type", "result 0 has type", func(p *Program) {
			p.Main.Body.Ops[0].Results[0].Type = tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}
		}},
		{"a value before its operation", "is not defined", func(p *Program) { b := p.Main.Body; b.Ops[0], b.Ops[1] = b.Ops[1], b.Ops[0] }},
		{"a value of another function", "is not defined", func(p *Program) { p.Funcs[1].Body.Ops[0].Operands[0] = p.Main.Body.Params[0] }},
		{"an operation twice", "a second time", func(p *Program) { b := p.Main.Body; b.Ops = append([]*Op{b.Ops[0]}, b.Ops...) }},
		{"no return", "must end with func.return", func(p *Program) { b := p.Main.Body; b.Ops = b.Ops[:2] }},
		{"another result", "returns [tensor<3xf32>], but function @f says", func(p *Program) { p.Funcs[1].Results[0].DType = tensor.F64 }},
		{"a foreign function", "not the program's", func(p *Program) { f := *p.Funcs[1]; p.Main.Body.Ops[1].Callee = &f }},
		{"an attribute", "attribute comparison_direction is missing", func(p *Program) { p.Main.Body.Ops[0].Name = "stablehlo.compare" }},
		{"no main", "no main function", func(p *Program) { p.Main = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			c.change(p)
			err = p.Verify()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
