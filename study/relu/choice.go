package relu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// choice says which ReLUs of the blocks are kept, and how the program selects them.
type choice struct {
	method string // one of methods; "" if all or none are kept
	share  float64
}

// The methods of selecting activations.
const (
	computed = "computed indices" // random; the program computes them with a sort
	constant = "constant indices"
	masked   = "mask"
	channels = "channels"
)

var methods = []string{computed, constant, masked, channels}

// shares are the fractions of ReLUs that are kept.
var shares = []float64{1, 0.5, 0.2, 0.1, 0.05, 0}

func (c choice) String() string {
	switch c.share {
	case 0:
		return "no ReLUs in blocks"
	case 1:
		return "all ReLUs"
	}
	return fmt.Sprintf("%g %% of ReLUs by %s", 100*c.share, c.method)
}

// choices returns all choices of the study, the largest share first.
func choices(shares []float64) []choice {
	var out []choice
	for _, s := range shares {
		if s == 0 || s == 1 {
			out = append(out, choice{share: s})
			continue
		}
		for _, w := range methods {
			out = append(out, choice{w, s})
		}
	}
	return out
}

// activate writes the activation of x and returns its result and the number of ReLUs.
func (c choice) activate(n *network, x value) (y value, kept int) {
	all := x.shape.Size()
	kept = int(math.Round(c.share * float64(all)))
	switch {
	case c.share == 0:
		return x, 0
	case c.share == 1:
		return n.relu(x), all
	case c.method == channels:
		return c.byChannel(n, x)
	case c.method == masked:
		mask := make([]string, all)
		for i := range mask {
			mask[i] = "false"
		}
		for _, i := range n.pick(all, kept) {
			mask[i] = "true"
		}
		flat := n.set(tensor.Shape{all}, "stablehlo.constant dense<[%s]> : %s", strings.Join(mask, ", "), kind(tensor.Shape{all}, "i1"))
		whole := n.set(x.shape, "stablehlo.reshape %s : (%s) -> %s", flat, kind(flat.shape, "i1"), kind(x.shape, "i1"))
		return n.set(x.shape, "stablehlo.select %s, %s, %s : %s, %s", whole, n.relu(x), x, kind(x.shape, "i1"), x.kind()), kept
	}
	places := tensor.Shape{kept, 1}
	var at value
	if c.method == constant {
		rows := make([]string, kept)
		for i, place := range n.pick(all, kept) {
			rows[i] = fmt.Sprintf("[%d]", place)
		}
		at = n.set(places, "stablehlo.constant dense<[%s]> : %s", strings.Join(rows, ", "), kind(places, "i32"))
	} else {
		at = n.shuffled(all, kept)
	}
	return n.scatter(x, at), kept
}

// pick returns kept random positions out of all.
func (n *network) pick(all, kept int) []int {
	return rand.New(rand.NewPCG(uint64(len(n.relus)), uint64(all))).Perm(all)[:kept]
}

// byChannel applies ReLU to the first channels and not to the others.
func (c choice) byChannel(n *network, x value) (y value, kept int) {
	side, all := x.shape[1], x.shape[3]
	count := min(max(1, int(math.Round(c.share*float64(all)))), all-1)
	part := func(from, to int) value {
		s := tensor.Shape{1, side, side, to - from}
		return n.set(s, "stablehlo.slice %s [0:1, 0:%[3]d, 0:%[3]d, %d:%d] : (%[6]s) -> %[7]s", x, side, from, to, x.kind(), kind(s, "f32"))
	}
	first, rest := n.relu(part(0, count)), part(count, all)
	return n.set(x.shape, "stablehlo.concatenate %s, %s, dim = 3 : (%s, %s) -> %s", first, rest, first.kind(), rest.kind(), x.kind()), side * side * count
}

// shuffled computes random positions in the program: positions sorted by a hash of their numbers.
func (n *network) shuffled(all, kept int) value {
	s := tensor.Shape{all}
	words, places := kind(s, "ui32"), kind(s, "i32")
	number := n.set(s, "stablehlo.iota dim = 0 : %s", words)
	for _, by := range []string{"2654435769", "2246822519"} { // an odd factor makes the hash a permutation
		factor := n.set(s, "stablehlo.constant dense<%s> : %s", by, words)
		product := n.set(s, "stablehlo.multiply %s, %s : %s", number, factor, words)
		half := n.set(s, "stablehlo.constant dense<15> : %s", words)
		high := n.set(s, "stablehlo.shift_right_logical %s, %s : %s", product, half, words)
		number = n.set(s, "stablehlo.xor %s, %s : %s", product, high, words)
	}
	place := n.set(s, "stablehlo.iota dim = 0 : %s", places)
	n.names++
	sorted := fmt.Sprintf("%%%d", n.names)
	fmt.Fprintf(&n.text, `  %s:2 = "stablehlo.sort"(%s, %s) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%%a: tensor<ui32>, %%b: tensor<ui32>, %%c: tensor<i32>, %%d: tensor<i32>):
    %%less = stablehlo.compare LT, %%a, %%b, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %%less : tensor<i1>
  }) : (%s, %s) -> (%s, %s)
`, sorted, number, place, words, places, words, places)
	first := n.set(tensor.Shape{kept}, "stablehlo.slice %s#1 [0:%d] : (%s) -> %s", sorted, kept, places, kind(tensor.Shape{kept}, "i32"))
	column := tensor.Shape{kept, 1}
	return n.set(column, "stablehlo.reshape %s : (%s) -> %s", first, kind(first.shape, "i32"), kind(column, "i32"))
}

// scatter gathers x at the positions at, and scatters the ReLUs of the gathered elements back.
func (n *network) scatter(x, at value) value {
	flat, some := tensor.Shape{x.shape.Size()}, tensor.Shape{at.shape[0]}
	line := n.set(flat, "stablehlo.reshape %s : (%s) -> %s", x, x.kind(), kind(flat, "f32"))
	taken := n.set(some, `"stablehlo.gather"(%s, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (%s, %s) -> %s`,
		line, at, line.kind(), kind(at.shape, "i32"), kind(some, "f32"))
	put := n.set(flat, `"stablehlo.scatter"(%s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%%old: tensor<f32>, %%new: tensor<f32>):
    stablehlo.return %%new : tensor<f32>
  }) : (%s, %s, %s) -> %s`, line, at, n.relu(taken), line.kind(), kind(at.shape, "i32"), kind(some, "f32"), line.kind())
	return n.set(x.shape, "stablehlo.reshape %s : (%s) -> %s", put, put.kind(), x.kind())
}
