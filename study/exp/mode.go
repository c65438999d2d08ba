package exp

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// mode is an algorithm for exponentials, as settings of the job.
type mode struct {
	name string
	set  map[string]string
}

// modes are the modes of the study, the default first.
var modes = []mode{
	{"prime", map[string]string{"exp.mode": "prime"}},
	{"prime, no clamp", map[string]string{"exp.mode": "prime", "exp.clamp": "none"}},
	{"pade", map[string]string{"exp.mode": "pade"}},
	{"taylor-8", map[string]string{"exp.mode": "taylor", "exp.iterations": "8"}},
	{"taylor-12", map[string]string{"exp.mode": "taylor", "exp.iterations": "12"}},
}

var rings = []int{128, 64}

// published are SPU's published figures with FM128 and two parties.
var published = []struct {
	mode         string
	bytes        float64 // per element
	rounds       int
	meanError    float64 // mean absolute percentage error
	seconds      float64 // per element, at 100 Mbit/s and 10 ms
	lower, upper float64 // valid range, NaN where not published
}{
	{"pade", 1208, 52, 1.6e-5, 12.1e-5, math.NaN(), math.NaN()},
	{"taylor-8", 272, 17, 0.209, 2.9e-5, math.NaN(), math.NaN()},
	{"prime", 169, 12, 3.9e-6, 2.2e-5, -11.8, 40.9},
}

// largest returns the value at which exponentials saturate.
func largest(ring int) float64 {
	return math.Exp2(float64(ring-2-study.Fractions[ring]) - 1.0/1024)
}

// trial returns the program e^(a·b) on n elements. One party owns a, the other b.
func (m mode) trial(ring, parties, n int) study.Trial {
	text := fmt.Sprintf(`func.func @main(%%a: tensor<%[1]dxf64>, %%b: tensor<%[1]dxf64>) -> tensor<%[1]dxf64> {
  %%x = stablehlo.multiply %%a, %%b : tensor<%[1]dxf64>
  %%y = stablehlo.exponential %%x : tensor<%[1]dxf64>
  return %%y : tensor<%[1]dxf64>
}
`, n)
	return study.Trial{Name: fmt.Sprintf("exp of %d elements by %s", n, m.name), Text: text, Owners: []int{0, 1}, Ring: ring, Parties: parties, Set: m.set}
}

// trialAt returns the trial with the given arguments, which must be multiples of 2^-18.
func (m mode) trialAt(ring, parties int, x []float64) study.Trial {
	t := m.trial(ring, parties, len(x))
	shape := tensor.Shape{len(x)}
	one := make([]float64, len(x))
	for i := range one {
		one[i] = 1
	}
	t.Data = []*tensor.Array{tensor.FromFloats(tensor.F64, shape, x), tensor.FromFloats(tensor.F64, shape, one)}
	return t
}

// grid returns n arguments from low to high, all multiples of 2^-18.
func grid(low, high float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Round((low+(high-low)*float64(i)/float64(n-1))*(1<<18)) / (1 << 18)
	}
	return x
}
