package algo

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// texts is a kind of values for tests: tensors of strings.
type texts struct{}

type text struct {
	shape tensor.Shape
	data  []string
}

func (texts) Shape(x text) tensor.Shape { return x.shape }

func (texts) View(v tensor.View, in ...text) text {
	data := make([][]string, len(in))
	size := 0
	for i, x := range in {
		data[i] = x.data
		size += len(x.data)
	}
	if size != v.In {
		panic(fmt.Sprintf("a view of %d elements is applied to %d", v.In, size))
	}
	return text{v.Shape, tensor.Apply(v, "?", data...)}
}

// appending is a Combiner that puts its two arguments one after the other, with brackets if tree is set. Like all
// associative bodies it tells the order of elements; with brackets it also tells the tree.
type appending struct {
	texts
	tree  bool
	calls *int
}

func (b appending) Apply(args ...text) ([]text, error) {
	if b.calls != nil {
		*b.calls++
	}
	n := len(args) / 2
	out := make([]text, n)
	for i := range out {
		x, y := args[i], args[n+i]
		if !x.shape.Equal(args[0].shape) || !y.shape.Equal(args[0].shape) {
			return nil, fmt.Errorf("arguments have shapes %v and %v", x.shape, y.shape)
		}
		out[i] = text{x.shape, make([]string, len(x.data))}
		for k := range x.data {
			out[i].data[k] = x.data[k] + y.data[k]
			if b.tree {
				out[i].data[k] = "(" + out[i].data[k] + ")"
			}
		}
	}
	return out, nil
}

// letters returns a text whose elements are all different.
func letters(shape ...int) text {
	t := text{shape: shape}
	for i := range t.shape.Size() {
		t.data = append(t.data, string(rune('a'+i)))
	}
	return t
}

func scalarText(s string) text { return text{tensor.Shape{}, []string{s}} }

func same(t rapid.TB, got text, shape tensor.Shape, want ...string) {
	t.Helper()
	if !got.shape.Equal(shape) || strings.Join(got.data, " ") != strings.Join(want, " ") {
		t.Fatalf("%v %q, not %v %q", got.shape, got.data, shape, want)
	}
}

func TestOthersAndSize(t *testing.T) {
	if got := fmt.Sprint(Others(5, []int{3, 0}, []int{4})); got != "[1 2]" {
		t.Error(got)
	}
	if got := Size(tensor.Shape{2, 3, 5}, []int{2, 0}); got != 10 {
		t.Error(got)
	}
}

func TestRowsAndConcatenated(t *testing.T) {
	x := letters(3, 2)
	same(t, Concatenated(texts{}, x), x.shape, x.data...)
	same(t, Concatenated(texts{}, rows(texts{}, x, 0, 3, 2), rows(texts{}, x, 1, 2, 1)), tensor.Shape{3, 2}, "a", "b", "e", "f", "c", "d")
	same(t, Spread(texts{}, scalarText("z"), tensor.Shape{2}), tensor.Shape{2}, "z", "z")
}

// block returns a block of scalar parameters; ops gets them and returns its operations and results.
func block(params int, ops func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value)) *hlo.Block {
	b := &hlo.Block{}
	for range params {
		b.Params = append(b.Params, &hlo.Value{Type: tensor.Type{DType: tensor.F32}})
	}
	list, results := ops(b.Params)
	b.Ops = append(list, &hlo.Op{Name: "stablehlo.return", Operands: results})
	return b
}

// op returns an operation on scalars.
func op(name string, in ...*hlo.Value) *hlo.Op {
	return &hlo.Op{Name: name, Operands: in, Results: []*hlo.Value{{Type: tensor.Type{DType: tensor.F32}}}}
}
