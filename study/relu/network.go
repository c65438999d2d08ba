package relu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// network builds the program text of a ResNet18 as flax prints it: a 7×7 convolution, batch
// normalisation, ReLU and pooling, four stages of two blocks, the mean and a dense layer. The ReLUs
// of the blocks can be left out; the first ReLU cannot.
type network struct {
	text   strings.Builder
	names  int // number of values named so far
	params []string
	scales []spread
	kept   int // ReLUs kept in the blocks
	all    int
	relus  []activation
	choose choice
}

// activation is one activation of a block.
type activation struct {
	name     string
	elements int
}

// spread is the distribution of an argument: mean + scale × normal, or, if positive is set, uniform
// in [mean/2, 3·mean/2].
type spread struct {
	shape       tensor.Shape
	mean, scale float64
	positive    bool
}

// value is a named value of the program and its shape.
type value struct {
	name  string
	shape tensor.Shape
}

func (v value) String() string { return v.name }

// kind returns a type in StableHLO syntax.
func kind(s tensor.Shape, element string) string {
	if len(s) == 0 {
		return "tensor<" + element + ">"
	}
	return "tensor<" + strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(s)), " ", "x"), "[]") + "x" + element + ">"
}

func (v value) kind() string { return kind(v.shape, "f32") }

// set writes an operation and returns its result.
func (n *network) set(s tensor.Shape, format string, a ...any) value {
	n.names++
	v := value{fmt.Sprintf("%%%d", n.names), s}
	fmt.Fprintf(&n.text, "  %s = "+format+"\n", append([]any{v.name}, a...)...)
	return v
}

// argument adds an argument to the function.
func (n *network) argument(s spread) value {
	v := value{fmt.Sprintf("%%arg%d", len(n.params)), s.shape}
	n.params = append(n.params, v.name+": "+v.kind())
	n.scales = append(n.scales, s)
	return v
}

func (n *network) binary(op string, x, y value) value {
	return n.set(x.shape, "stablehlo.%s %s, %s : %s", op, x, y, x.kind())
}

// constant adds a splat constant.
func (n *network) constant(s tensor.Shape, x string) value {
	return n.set(s, "stablehlo.constant dense<%s> : %s", x, kind(s, "f32"))
}

// convolve adds a convolution with a new kernel, padded by (size−1)/2.
func (n *network) convolve(x value, size, stride, out int) value {
	in := x.shape[3]
	w := n.argument(spread{shape: tensor.Shape{size, size, in, out}, scale: math.Sqrt(1 / float64(size*size*in))})
	side, pad := (x.shape[1]+stride-1)/stride, (size-1)/2
	s := tensor.Shape{1, side, side, out}
	return n.set(s, "stablehlo.convolution(%s, %s) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [%d, %d], pad = [[%[6]d, %[6]d], [%[6]d, %[6]d]]} "+
		"{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%[7]s, %[8]s) -> %[9]s", x, w, stride, stride, pad, x.kind(), w.kind(), kind(s, "f32"))
}

// normalise adds a batch normalisation with parameters of its own, not folded into the convolution.
func (n *network) normalise(x value) value {
	c := tensor.Shape{x.shape[3]}
	mean, variance := n.argument(spread{shape: c, scale: 0.1}), n.argument(spread{shape: c, mean: 1, positive: true})
	scale, bias := n.argument(spread{shape: c, mean: 1, positive: true}), n.argument(spread{shape: c, scale: 0.1})
	root := n.set(c, "stablehlo.rsqrt %s : %s", n.binary("add", variance, n.constant(c, "1.0e-05")), kind(c, "f32"))
	by := n.binary("multiply", root, scale)
	y := n.binary("subtract", x, n.spread(mean, x.shape))
	return n.binary("add", n.binary("multiply", y, n.spread(by, x.shape)), n.spread(bias, x.shape))
}

// spread broadcasts a vector over the channels.
func (n *network) spread(v value, s tensor.Shape) value {
	return n.set(s, "stablehlo.broadcast_in_dim %s, dims = [%d] : (%s) -> %s", v, len(s)-1, v.kind(), kind(s, "f32"))
}

// relu adds max(x, 0).
func (n *network) relu(x value) value { return n.binary("maximum", x, n.constant(x.shape, "0.0")) }

// block adds a residual block: two convolutions plus the block's input, which passes a 1×1
// convolution if the shape changes.
func (n *network) block(name string, x value, out, stride int) value {
	y := n.normalise(n.convolve(x, 3, stride, out))
	y = n.activate(name+"/1", y)
	y = n.normalise(n.convolve(y, 3, 1, out))
	if stride != 1 || x.shape[3] != out {
		x = n.normalise(n.convolve(x, 1, stride, out))
	}
	return n.activate(name+"/2", n.binary("add", x, y))
}

// activate adds an activation of a block: ReLU for the elements that the choice keeps.
func (n *network) activate(name string, x value) value {
	n.relus = append(n.relus, activation{name, x.shape.Size()})
	n.all += x.shape.Size()
	y, kept := n.choose.activate(n, x)
	n.kept += kept
	return y
}

// resnet18 builds the network. Tests use networks with fewer channels (width).
func resnet18(c choice, width int) *network {
	n := &network{choose: c}
	x := n.argument(spread{shape: tensor.Shape{1, 32, 32, 3}, scale: 1})
	y := n.relu(n.normalise(n.convolve(x, 7, 2, width)))
	y = n.pool(y)
	for stage := range 4 {
		for block := range 2 {
			stride := 1
			if stage > 0 && block == 0 {
				stride = 2
			}
			y = n.block(fmt.Sprintf("%d/%d", stage+1, block+1), y, width<<stage, stride)
		}
	}
	y = n.mean(y)
	n.dense(y, 10)
	return n
}

// pool adds a max pooling with a 3×3 window and stride 2.
func (n *network) pool(x value) value {
	side := x.shape[1] / 2
	s := tensor.Shape{1, side, side, x.shape[3]}
	low := n.constant(tensor.Shape{}, "0xFF800000")
	return n.set(s, `"stablehlo.reduce_window"(%s, %s) <{padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%%l: tensor<f32>, %%r: tensor<f32>):
    %%m = stablehlo.maximum %%l, %%r : tensor<f32>
    stablehlo.return %%m : tensor<f32>
  }) : (%s, tensor<f32>) -> %s`, x, low, x.kind(), kind(s, "f32"))
}

// mean adds the mean over each channel.
func (n *network) mean(x value) value {
	s := tensor.Shape{1, x.shape[3]}
	sum := n.set(s, "stablehlo.reduce(%s init: %s) applies stablehlo.add across dimensions = [1, 2] : (%s, tensor<f32>) -> %s", x, n.constant(tensor.Shape{}, "0.0"), x.kind(), kind(s, "f32"))
	return n.binary("divide", sum, n.constant(s, fmt.Sprintf("%d.0", x.shape[1]*x.shape[2])))
}

// dense adds the last layer and the function's return.
func (n *network) dense(x value, out int) {
	w := n.argument(spread{shape: tensor.Shape{x.shape[1], out}, scale: math.Sqrt(1 / float64(x.shape[1]))})
	b := n.argument(spread{shape: tensor.Shape{out}, scale: 0.1})
	s := tensor.Shape{1, out}
	y := n.set(s, "stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (%s, %s) -> %s", x, w, x.kind(), w.kind(), kind(s, "f32"))
	y = n.binary("add", y, n.spread(b, s))
	fmt.Fprintf(&n.text, "  return %s : %s\n", y, y.kind())
}

// trial returns the network as a trial. Rank 0 owns the image, rank 1 all parameters.
func (n *network) trial() study.Trial {
	owners := make([]int, len(n.params))
	for i := 1; i < len(owners); i++ {
		owners[i] = 1
	}
	return study.Trial{Name: "ResNet18 with " + n.choose.String(), Owners: owners, Ring: 64, Parties: 2,
		Text: fmt.Sprintf("func.func @main(%s) -> tensor<1x10xf32> {\n%s}\n", strings.Join(n.params, ", "), n.text.String())}
}

// arguments returns random arguments, the same for all choices.
func (n *network) arguments() []*tensor.Array {
	var out []*tensor.Array
	r := rand.New(rand.NewPCG(18, 32))
	for _, s := range n.scales {
		v := make([]float64, s.shape.Size())
		for i := range v {
			if v[i] = s.mean + s.scale*r.NormFloat64(); s.positive {
				v[i] = s.mean * (0.5 + r.Float64())
			}
		}
		out = append(out, tensor.FromFloats(tensor.F32, s.shape, v))
	}
	return out
}
