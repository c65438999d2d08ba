package pattern

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Kind is the function that a Match computes from its inputs x (and y).
type Kind uint8

// The kinds of matches. Each is the function that the matched operations compute, which a program may write in several ways,
// with another order of operands for example. Axes and Eps are fields of Match.
const (
	Softmax    Kind = iota + 1 // exp(x − max x) / Σ exp(x − max x) along Axes
	LogSoftmax                 // x − max x − log Σ exp(x − max x) along Axes
	LogSumExp                  // max x + log Σ exp(x − max x) along Axes, which the result lacks or has with size 1
	LayerNorm                  // (x − mean x) / √(var x + Eps) over Axes, times y if there are two inputs; batch norm too
	RMSNorm                    // x / √(mean x² + Eps) over Axes, times y if there are two inputs
	Sigmoid                    // 1 / (1 + exp(−x)), other than by the operation of that name
	Silu                       // x · sigmoid(x)
	GeluTanh                   // ½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))
	GeluErf                    // ½ x (1 + erf(x/√2))
	Softplus                   // log(1 + exp(x))
	LogSigmoid                 // −log(1 + exp(−x))
	Tanh                       // (exp(x) − exp(−x)) / (exp(x) + exp(−x))
	Rsqrt                      // 1 / √x, other than by the operation of that name
	DivSqrt                    // x / √y
	Abs                        // √(x²)
	Negative                   // whether x's sign bit is set, read off its bits
)

var kindNames = [...]string{"", "softmax", "log_softmax", "logsumexp", "layernorm", "rmsnorm", "sigmoid", "silu",
	"gelu_tanh", "gelu_erf", "softplus", "log_sigmoid", "tanh", "rsqrt", "div_sqrt", "abs", "negative"}

// String returns the kind's name, such as "softmax".
func (k Kind) String() string { return kindNames[k] }

// Match is one recognised function in a block of a program.
type Match struct {
	Kind Kind // the function
	// End is the operation whose result the match computes; it may be a call.
	End *hlo.Op
	// Inputs are the values from which the match is computed, of End's block or of an enclosing one. Their
	// float type may differ from the result's.
	Inputs []*hlo.Value
	// Dims says how each input is broadcast to x's shape: dimension d of input i lies along dimension
	// Dims[i][d], −1 if it has size 1, and the input is repeated along the other dimensions. Dims[i] is nil
	// for an input of x's shape; x has that always.
	Dims [][]int
	// Axes are the reduced dimensions of x, in ascending order.
	Axes []int
	// Eps is the number that a normalisation adds to the variance, 0 if none.
	Eps float64
	// Ops are the operations of End's block that compute the match from its inputs, in the block's order,
	// without End. They run where the match is not taken.
	Ops []*hlo.Op
	// Interior are those of Ops that are unused once a fused kernel computes End's result.
	Interior map[*hlo.Op]bool
	// Shared are the non-constant results of Ops that other operations read, such as the exponential in a
	// gradient or a mean that is reported too.
	Shared []*hlo.Value
}

// X returns Inputs[0], the input x of the function.
func (m *Match) X() *hlo.Value { return m.Inputs[0] }

// View returns the view that broadcasts input i to the shape of the first input.
func (m *Match) View(i int) tensor.View {
	in, out := m.Inputs[i].Type.Shape, m.Inputs[0].Type.Shape
	if m.Dims[i] == nil {
		return tensor.Reshaped(in, in)
	}
	var shape tensor.Shape
	var dims []int
	for d, to := range m.Dims[i] {
		if to >= 0 {
			shape, dims = append(shape, in[d]), append(dims, to)
		}
	}
	return tensor.Broadcast(shape, dims, out)
}

// String returns a description such as "layernorm(%3, %arg1) over [1] eps 1e-05 at 7:5".
func (m *Match) String() string {
	s := m.Kind.String() + "("
	for i, v := range m.Inputs {
		if i > 0 {
			s += ", "
		}
		s += "%" + v.Name
	}
	s += ")"
	if m.Axes != nil {
		s += fmt.Sprintf(" over %v", m.Axes)
	}
	if m.Kind == LayerNorm || m.Kind == RMSNorm {
		s += fmt.Sprintf(" eps %.3g", m.Eps)
	}
	return s + fmt.Sprintf(" at %d:%d", m.End.Pos.Line, m.End.Pos.Col)
}
