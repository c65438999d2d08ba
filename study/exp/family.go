package exp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// family is a generalised linear model with a logarithmic link, fitted by gradient descent. The
// program returns the weights and the mean deviance. The text operates on vectors V of all rows; %y
// are the labels and %mu the means e^(Xw).
type family struct {
	name     string
	residual string // sets %r; the gradient is Xᵀ·%r
	deviance string // sets %d, half the deviance of each row
	label    func(r *rand.Rand, mean float64) float64
}

var families = []family{
	{"poisson", `
    %r = stablehlo.subtract %y, %mu : V`, `
    %positive = stablehlo.compare GT, %y, %zero, FLOAT : (V, V) -> B
    %floor = stablehlo.select %positive, %y, %one : B, V
    %q = stablehlo.divide %floor, %mu : V
    %log = stablehlo.log %q : V
    %t = stablehlo.multiply %y, %log : V
    %u = stablehlo.select %positive, %t, %zero : B, V
    %v = stablehlo.subtract %y, %mu : V
    %d = stablehlo.subtract %u, %v : V`,
		func(r *rand.Rand, mean float64) float64 { // Knuth's method: multiply uniform numbers until the product is below the bound
			n, bound := 0.0, math.Exp(-mean)
			for p := r.Float64(); p > bound; p *= r.Float64() {
				n++
			}
			return n
		}},
	{"gamma", `
    %e = stablehlo.subtract %y, %mu : V
    %r = stablehlo.divide %e, %mu : V`, `
    %q = stablehlo.divide %y, %mu : V
    %log = stablehlo.log %q : V
    %v = stablehlo.subtract %q, %one : V
    %d = stablehlo.subtract %v, %log : V`,
		func(r *rand.Rand, mean float64) float64 { return mean * (0.05 + 0.95*r.ExpFloat64()) }},
	{"tweedie", `
    %e = stablehlo.subtract %y, %mu : V
    %s = stablehlo.rsqrt %mu : V
    %r = stablehlo.multiply %e, %s : V`, `
    %s = stablehlo.rsqrt %mu : V
    %t = stablehlo.multiply %y, %s : V
    %root = stablehlo.sqrt %mu : V
    %label = stablehlo.sqrt %y : V
    %two = stablehlo.add %one, %one : V
    %u = stablehlo.add %t, %root : V
    %v = stablehlo.subtract %u, %label : V
    %w = stablehlo.subtract %v, %label : V
    %d = stablehlo.multiply %w, %two : V`,
		func(r *rand.Rand, mean float64) float64 {
			if r.IntN(2) == 0 {
				return 0
			}
			return 2 * mean * r.ExpFloat64()
		}},
}

// features is the number of features of a model; each of two parties owns half of them.
const features = 10

// trial returns the fit of n rows of random data in the given number of steps.
func (f family) trial(m mode, ring, n, steps int) study.Trial {
	t := study.Trial{Name: f.name + " regression by " + m.name, Text: f.text(n, steps), Owners: []int{0, 1, 1}, Ring: ring, Parties: 2, Set: m.set}
	r := rand.New(rand.NewPCG(7, 8))
	half := features / 2
	columns := [2][]float64{make([]float64, n*half), make([]float64, n*half)}
	labels := make([]float64, n)
	for i := range n {
		eta := 0.2
		for j := range features {
			x := 2*r.Float64() - 1
			columns[j/half][i*half+j%half] = x
			eta += 0.3 * math.Cos(float64(j)) * x
		}
		labels[i] = f.label(r, math.Exp(eta))
	}
	table := tensor.Shape{n, half}
	t.Data = []*tensor.Array{tensor.FromFloats(tensor.F64, table, columns[0]), tensor.FromFloats(tensor.F64, table, columns[1]),
		tensor.FromFloats(tensor.F64, tensor.Shape{n}, labels)}
	return t
}

// text returns the program for n rows.
func (f family) text(n, steps int) string {
	means := `
    %eta = stablehlo.dot_general %x, WEIGHTS, contracting_dims = [1] x [0] : (X, W) -> V
    %mu = stablehlo.exponential %eta : V`
	text := `func.func @main(%a: P, %b: P, %y: V) -> (W, S) {
  %ones = stablehlo.constant dense<1.0> : C
  %x = stablehlo.concatenate %a, %b, %ones, dim = 1 : (P, P, C) -> X
  %begin = stablehlo.constant dense<0.0> : W
  %first = stablehlo.constant dense<0> : tensor<i32>
  %end:2 = stablehlo.while(%i = %first, %w = %begin) : tensor<i32>, W
  cond {
    %steps = stablehlo.constant dense<STEPS> : tensor<i32>
    %more = stablehlo.compare LT, %i, %steps, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {` + strings.ReplaceAll(means, "WEIGHTS", "%w") + f.residual + `
    %g = stablehlo.dot_general %x, %r, contracting_dims = [0] x [0] : (X, V) -> W
    %rate = stablehlo.constant dense<RATE> : W
    %by = stablehlo.multiply %g, %rate : W
    %next = stablehlo.add %w, %by : W
    %c = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %c : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, W
  }
  %zero = stablehlo.constant dense<0.0> : V
  %one = stablehlo.constant dense<1.0> : V` + strings.ReplaceAll(means, "WEIGHTS", "%end#1") + f.deviance + `
  %none = stablehlo.constant dense<0.0> : S
  %sum = stablehlo.reduce(%d init: %none) applies stablehlo.add across dimensions = [0] : (V, S) -> S
  %share = stablehlo.constant dense<SHARE> : S
  %mean = stablehlo.multiply %sum, %share : S
  return %end#1, %mean : W, S
}
`
	values := map[string]string{
		"STEPS": fmt.Sprint(steps), "RATE": fmt.Sprintf("%e", 0.3/float64(n)), "SHARE": fmt.Sprintf("%e", 2/float64(n)),
		"S": "tensor<f64>", "V": fmt.Sprintf("tensor<%dxf64>", n), "B": fmt.Sprintf("tensor<%dxi1>", n), "W": fmt.Sprintf("tensor<%dxf64>", features+1),
		"P": fmt.Sprintf("tensor<%dx%dxf64>", n, features/2), "C": fmt.Sprintf("tensor<%dx1xf64>", n), "X": fmt.Sprintf("tensor<%dx%dxf64>", n, features+1),
	}
	return capitals.ReplaceAllStringFunc(text, func(name string) string {
		if v, ok := values[name]; ok {
			return v
		}
		return name
	})
}

// capitals matches the placeholders for types and numbers in a family's text.
var capitals = regexp.MustCompile(`\b[A-Z]+\b`)
