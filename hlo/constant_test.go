package hlo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// A program of 1000 constants of 2^26 elements each, every one a splat, takes kilobytes.
func TestSplatsAreCompact(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @main() -> tensor<67108864xf32> {\n")
	for i := range 1000 {
		value := fmt.Sprintf("%d.5", i)
		if i%2 == 1 {
			value = `"0x0000803F"`
		}
		fmt.Fprintf(&b, "%%%d = stablehlo.constant dense<%s> : tensor<67108864xf32>\n", i, value)
	}
	b.WriteString("return %0 : tensor<67108864xf32>\n}\n")
	text := []byte(b.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := Parse("p", text)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
		t.Errorf("%d bytes are allocated for a program of %d bytes", got, len(text))
	}
	for i, o := range p.Main.Body.Ops[:1000] {
		c, ok := o.Constant()
		want := float64(i) + 0.5
		if i%2 == 1 {
			want = 1
		}
		if x, uniform := c.Uniform(); !ok || !c.Repeated || !uniform || x != want || c.Elements.Len() != 1 || c.Type.Shape.Size() != 1<<26 {
			t.Fatalf("constant %d is %+v with the number %v, not %v", i, c, x, want)
		}
	}
	var out bytes.Buffer
	runtime.ReadMemStats(&before)
	err = p.Print(&out)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d bytes are allocated to print %d", got, out.Len())
	}
	if again, err := Parse("p", out.Bytes()); err != nil || len(again.Main.Body.Ops) != len(p.Main.Body.Ops) {
		t.Errorf("the printed program is not the same: %v", err)
	}
}

func TestConstant(t *testing.T) {
	for _, c := range []struct {
		text     string
		repeated bool
		want     any
	}{
		{"dense<3> : tensor<i32>", false, []int32{3}},
		{"dense<3> : tensor<1x1xi32>", false, []int32{3}},
		{"dense<3> : tensor<2x0xi32>", false, []int32{}},
		{"dense<3> : tensor<2x2xi32>", true, []int32{3, 3, 3, 3}},
		{`dense<"0x03000000"> : tensor<2xi32>`, true, []int32{3, 3}},
		{"dense<[3, 4]> : tensor<2xi32>", false, []int32{3, 4}},
		{"dense<true> : tensor<3xi1>", true, []bool{true, true, true}},
		{"dense<(1.0,-2.0)> : tensor<2xcomplex<f32>>", true, []complex64{complex(1, -2), complex(1, -2)}},
		{"dense<0x7FC00001> : tensor<2xf32>", true, nil}, // a NaN
	} {
		o := op(t, "%0 = stablehlo.constant "+c.text)
		k, ok := o.Constant()
		a := k.Array()
		if !ok || k.Repeated != c.repeated || !a.Type.Equal(k.Type) || !a.Type.Equal(o.Results[0].Type) || a.Check() != nil {
			t.Errorf("%s: %+v", c.text, k)
		}
		if c.want != nil && fmt.Sprint(a.Data) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, not %v", c.text, a.Data, c.want)
		}
		if _, ok := k.Uniform(); ok != (c.text[:8] == "dense<3>" && a.Len() > 0 || c.repeated && c.text[:8] != "dense<(1" && c.want != nil) {
			t.Errorf("%s: one number: %v", c.text, ok)
		}
	}
	if _, ok := (&Op{Name: OpAdd, Attrs: Attrs{"value": tensor.NewArray(scalar(tensor.F32))}}).Constant(); ok {
		t.Error("an addition is a constant")
	}
	if _, ok := (Constant{}).Uniform(); ok {
		t.Error("no constant is a number")
	}
}

// A splat stands for a list of integers where the list is short, and is refused where it would be long.
func TestSplatOfList(t *testing.T) {
	o := op(t, `%0 = "stablehlo.slice"(%a) <{start_indices = dense<0> : tensor<2xi64>, limit_indices = dense<2> : tensor<2xi64>,`+
		` strides = dense<1> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<2x2xf32>`)
	if got := o.Attrs.Ints("strides"); len(got) != 2 || got[0] != 1 || got[1] != 1 {
		t.Errorf("strides are %v", got)
	}
}

// elementsOf returns all elements of a constant operation.
func elementsOf(o *Op) *tensor.Array {
	c, _ := o.Constant()
	return c.Array()
}

// The end of a context ends the reading of a long program, of a long list and of many bytes.
func TestParseEnds(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	for name, text := range map[string]string{
		"operations": inMain(strings.Repeat("stablehlo.add %a, %a : tensor<4x6xf32>\n", 3000)),
		"elements":   inMain("%0 = stablehlo.constant dense<[" + strings.Repeat("1, ", 2999) + "1]> : tensor<3000xi32>"),
		"bytes":      inMain(`%0 = stablehlo.constant dense<"0x` + strings.Repeat("00000001", 2<<20) + `"> : tensor<2097152xi32>`),
	} {
		if _, err := ParseContext(ctx, "p", []byte(text)); !errors.Is(err, enough) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Parse("p", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
