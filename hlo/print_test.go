package hlo

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/tensor"
)

// printed is a program's text.
func printed(t testing.TB, p *Program) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// locations lists the names of all operations' locations.
func locations(p *Program) (names []string) {
	var visit func(b *Block)
	visit = func(b *Block) {
		for _, o := range b.Ops {
			names = append(names, o.Loc)
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	for _, f := range p.Funcs {
		visit(f.Body)
	}
	return names
}

// A printed program parses as the same program, and prints the same again.
func TestPrintParses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	artifacts, err := filepath.Glob(filepath.Join("testdata", "artifact", "*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, artifacts...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p, err := ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := printed(t, p)
			q, err := Parse("printed", text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if diff := cmp.Diff(p, q, sameProgram); diff != "" {
				t.Errorf("-parsed +printed:\n%s", diff)
			}
			if diff := cmp.Diff(locations(p), locations(q)); diff != "" {
				t.Errorf("locations: -parsed +printed:\n%s", diff)
			}
			if again := printed(t, q); !bytes.Equal(text, again) {
				t.Errorf("-first +second:\n%s", cmp.Diff(string(text), string(again)))
			}
		})
	}
}

// Lines in MLIR's own pretty form print as they are.
func TestPrintPretty(t *testing.T) {
	const every = "every_op.pretty.mlir"
	text, err := os.ReadFile(filepath.Join("testdata", every))
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string]bool{}
	p, err := parse(t.Context(), every, text)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(printed(t, p))) {
		ours[shape(line)] = true
	}
	for line := range strings.Lines(string(text)) {
		// Where this printer differs: it leaves out defaults, gives several
		// results one name, and writes @main public.
		differs := func(part string) bool { return strings.Contains(line, part) }
		if slices.ContainsFunc([]string{"dense", "batch_group_count", "backend_config", "FLOAT", "-1 : i64", "broadcast_dimensions", "  {", ", %batch", ", %grad", ", %output", ", %indices", "@main"}, differs) {
			continue
		}
		if !ours[shape(line)] {
			t.Errorf("not printed: %s", line)
		}
	}
}

// shape is a line without names and numbers of values.
func shape(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		if line[i] == '%' {
			b.WriteByte('%')
			for i+1 < len(line) && (classes[line[i+1]]&classSuffix != 0 || line[i+1] == '#') {
				i++
			}
			continue
		}
		b.WriteByte(line[i])
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Calls within regions have the dialect's name, which MLIR wants there.
func TestPrintCalls(t *testing.T) {
	const text = `module @m {
  func.func public @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
    %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.if"(%p) ({
      %2 = func.call @f(%0) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }, {
      stablehlo.return %x : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @f(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
}
`
	p, err := Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(printed(t, p))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Elements of all types are printed so that no bit is lost.
func TestPrintElements(t *testing.T) {
	for _, c := range []struct {
		typ, elements string
	}{
		{"tensor<2xi8>", "[-128, 127]"},
		{"tensor<2xi1>", "[true, false]"},
		{"tensor<2x0xi32>", ""},
		{"tensor<2x2xui64>", "[[18446744073709551615, 1], [2, 3]]"},
		{"tensor<3xf32>", "1.500000e+00"},
		{"tensor<4xf32>", "[1.000000e+00, -0.000000e+00, 0xFF800000, 0x7FC00001]"},
		{"tensor<2xf32>", "[1.401298e-45, 1.6777217e-01]"},
		{"tensor<f64>", "1.0000000000000002e+00"},
		{"tensor<3xbf16>", "[1.500000e+00, 0xFF80, 3.389531e+38]"},
		{"tensor<3xf16>", "[6.550400e+04, 5.960464e-08, 0x7C01]"},
		{"tensor<1xcomplex<f32>>", "(1.000000e+00,0x7F800000)"},
		{"tensor<2xcomplex<f64>>", "[(1.000000e+00,-2.000000e+00), (0.000000e+00,0.000000e+00)]"},
	} {
		o := op(t, "%0 = stablehlo.constant dense<"+c.elements+"> : "+c.typ)
		if got := elementsText(elementsOf(o)); got != c.elements {
			t.Errorf("%s: printed %s, want %s", c.typ, got, c.elements)
		}
	}
	long := tensor.NewArray(tensor.Type{DType: tensor.I16, Shape: tensor.Shape{101}})
	long.Data.([]int16)[0] = -2
	if got, want := elementsText(long), `"0xFEFF`+strings.Repeat("0000", 100)+`"`; got != want {
		t.Errorf("printed %s", got)
	}
}

// What has no text is refused at its operation.
func TestPrintRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(o *Op)
	}{
		{"a value of another place", "p:2:6: stablehlo.add: %x is not defined", func(o *Op) { o.Operands[0] = &Value{Name: "x"} }},
		{"an unknown operation", "unknown operation", func(o *Op) { o.Name = "stablehlo.ad" }},
		{"an attribute", "an attribute of type func() has no text", func(o *Op) { o.Attrs["x.y"] = func() {} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p", []byte(inMain("%0 = stablehlo.add %a, %a : tensor<4x6xf32>")))
			if err != nil {
				t.Fatal(err)
			}
			c.change(p.Main.Body.Ops[0])
			var e *Error
			if err := p.Print(io.Discard); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
