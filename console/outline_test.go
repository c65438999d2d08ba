package console

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// describe returns the outline of a program's functions.
func describe(t *testing.T, text string, ours ...int) *outline {
	t.Helper()
	o, err := outlineOf(context.Background(), "p.mlir", []byte(text), ours, true)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const copying = `func.func private @pick(%m: tensor<8x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.slice %m [2:3, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func public @main(%x: tensor<8x4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>) {
  %0 = func.call @pick(%x) : (tensor<8x4xf32>) -> tensor<4xf32>
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %2 = stablehlo.custom_call @tacet.reveal_to(%1) {mhlo.attributes = {to = 1 : i64}} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.add %w, %w : tensor<4xf32>
  return %0, %2, %3 : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>
}`

// TestOutline checks paths and warnings: of a copied row, of a large result, and of what does not depend on our input.
func TestOutline(t *testing.T) {
	o := describe(t, copying, 0)
	var paths []string
	for _, p := range o.Paths {
		paths = append(paths, fmt.Sprintf("%s <- %s: %s", p.Target, p.From, strings.Join(p.Steps, " ")))
	}
	want := []string{
		"tacet.reveal_to party 1 at p.mlir:9:8: tensor<8xf32> <- argument 0: argument 0 dot_general",
		"result 0: tensor<4xf32> <- argument 0: argument 0 slice reshape",
		"result 1: tensor<8xf32> <- argument 0: argument 0 dot_general tacet.reveal_to",
		"result 2: tensor<4xf32> <- : ",
	}
	if strings.Join(paths, "\n") != strings.Join(want, "\n") {
		t.Errorf("paths:\n%s\nwant:\n%s", strings.Join(paths, "\n"), strings.Join(want, "\n"))
	}
	warnings := strings.Join(o.Warnings, "\n")
	for _, w := range []string{"result 0: tensor<4xf32> may hold elements of argument 0 of ours unchanged",
		"result 0: tensor<4xf32> has the size of one row"} {
		if !strings.Contains(warnings, w) {
			t.Errorf("no %q in %s", w, warnings)
		}
	}
	if strings.Contains(warnings, "result 1") || strings.Contains(warnings, "as large") {
		t.Errorf("too many warnings: %s", warnings)
	}
	if o := describe(t, copying, 1); !strings.Contains(strings.Join(o.Warnings, "\n"),
		"result 1: tensor<8xf32> is as large as argument 1") {
		t.Errorf("a large result: %v", o.Warnings)
	}
	if o, err := outlineOf(context.Background(), "p.mlir", []byte(copying), []int{0}, false); err != nil || len(o.Paths) != 1 {
		t.Errorf("without revealed results: %+v, %v", o, err)
	}
	if _, err := outlineOf(context.Background(), "p.mlir", []byte("not a program <script>"), nil, true); err == nil {
		t.Error("no error")
	}
}

// TestOutlineRegions checks that what a loop's body reads from outside, and reveals within, counts.
func TestOutlineRegions(t *testing.T) {
	o := describe(t, `func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c, %s = %y) : tensor<i32>, tensor<4xf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.multiply %s, %x : tensor<4xf32>
    %u = stablehlo.custom_call @tacet.reveal(%t) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %j, %u : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}`, 0)
	if len(o.Paths) != 2 || o.Paths[0].None || o.Paths[1].None || !strings.HasPrefix(o.Paths[0].Target, "tacet.reveal at p.mlir:12") {
		t.Errorf("%+v", o.Paths)
	}
}

// TestOutlineBounded checks that a program whose calls multiply is described in bounded time.
func TestOutlineBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func private @f0(%x: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.add %x, %x : tensor<f32>\n return %0 : tensor<f32>\n}\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "func.func private @f%d(%%x: tensor<f32>) -> tensor<f32> {\n", i)
		fmt.Fprintf(&b,
			" %%0 = func.call @f%d(%%x) : (tensor<f32>) -> tensor<f32>\n %%1 = func.call @f%d(%%0) : (tensor<f32>) -> tensor<f32>\n",
			i-1, i-1)
		b.WriteString(" return %1 : tensor<f32>\n}\n")
	}
	b.WriteString("func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n %0 = func.call @f40(%x) : (tensor<f32>) -> tensor<f32>\n return %0 : tensor<f32>\n}\n")
	began := time.Now()
	o := describe(t, b.String(), 0)
	if !o.Coarse || o.Paths[0].None || time.Since(began) > time.Minute {
		t.Errorf("coarse %v, %+v, %v", o.Coarse, o.Paths, time.Since(began))
	}
}
