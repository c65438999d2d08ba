package exec_test

import (
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
)

// sharing is the protocol plain; it counts the elements that are shared as inputs.
type sharing struct {
	plain.Party
	shared *int
}

func (s sharing) Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	*s.shared += n
	return s.Party.Input(op, owner, r, n, bound, words)
}

// TestKnownValuesAreSharedOnce: of what a party derives of its inputs by copies, tiles and sums, the inputs
// are shared; a value that is used twice is shared once.
func TestKnownValuesAreSharedOnce(t *testing.T) {
	for _, c := range []struct {
		name, body string
		shared     int
	}{
		{"broadcast", "%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>\n%1 = stablehlo.multiply %0, %b : tensor<4x3xf32>\nreturn %1 : tensor<4x3xf32>", 3},
		{"used twice", "%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>\n%1 = stablehlo.multiply %0, %b : tensor<4x3xf32>\n%2 = stablehlo.multiply %0, %1 : tensor<4x3xf32>\nreturn %2 : tensor<4x3xf32>", 3},
		{"tiles", "%0 = stablehlo.concatenate %a, %a, %a, %a, dim = 0 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<12xf32>\n%r = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<4x3xf32>\n%1 = stablehlo.multiply %r, %b : tensor<4x3xf32>\nreturn %1 : tensor<4x3xf32>", 3},
		{"a matrix of small integers", "%k = stablehlo.constant dense<[[1.0], [2.0], [0.0], [-1.0]]> : tensor<4x1xf32>\n%r = stablehlo.reshape %a : (tensor<3xf32>) -> tensor<1x3xf32>\n%0 = stablehlo.dot_general %k, %r, contracting_dims = [1] x [0] : (tensor<4x1xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>\n%1 = stablehlo.multiply %0, %b : tensor<4x3xf32>\nreturn %1 : tensor<4x3xf32>", 3},
		{"a function", "%s = stablehlo.tanh %a : tensor<3xf32>\n%0 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>\n%1 = stablehlo.multiply %0, %b : tensor<4x3xf32>\nreturn %1 : tensor<4x3xf32>", 3},
		{"transposed in a loop", `%n = stablehlo.constant dense<0> : tensor<i32>
%w = stablehlo.concatenate %a, %a, %a, %a, dim = 0 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<12xf32>
%t = stablehlo.tanh %w : tensor<12xf32>
%y = stablehlo.reshape %t : (tensor<12xf32>) -> tensor<4x3xf32>
%l:2 = stablehlo.while(%i = %n, %x = %b) : tensor<i32>, tensor<4x3xf32>
cond {
  %m = stablehlo.constant dense<3> : tensor<i32>
  %p = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %p : tensor<i1>
} do {
  %d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  %g = stablehlo.slice %d [0:4, 0:3] : (tensor<4x4xf32>) -> tensor<4x3xf32>
  %k = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.add %i, %k : tensor<i32>
  stablehlo.return %j, %g : tensor<i32>, tensor<4x3xf32>
}
return %l#1 : tensor<4x3xf32>`, 12},
		{"nothing but its own", "%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>\n%1 = stablehlo.multiply %0, %0 : tensor<4x3xf32>\nreturn %1 : tensor<4x3xf32>", 0},
	} {
		p := program{name: c.name, args: "3xf32 4x3xf32", outs: "4x3xf32", body: c.body}
		agree(t, p)
		prog, shared := parse(t, p), 0
		_, err := walk(prog, middle[0], nil, []int{0, kept}, p.arguments(prog), func(x *exec.Config, dry bool) {
			shared = 0
			x.Arith = &fxp.Arith{P: sharing{shared: &shared}, Ring: x.Arith.Ring, Fraction: x.Arith.Fraction, Options: x.Arith.Options}
		})
		if err != nil || shared != c.shared {
			t.Errorf("%s: %d elements are shared, want %d (%v)", c.name, shared, c.shared, err)
		}
	}
}
