package nn

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Model holds the parameters of a program. New makes one; its methods declare layers.
type Model struct {
	b      *build.Builder
	params []*Param
	path   string
}

// New returns a Model without parameters for the program that b builds.
func New(b *build.Builder) *Model { return &Model{b: b} }

// Param is a parameter: an argument of the program, and what training makes of it.
type Param struct {
	name    string
	init    Init
	current build.Value
	updated bool // by its layer (a running mean), not by an optimiser
}

// Name returns the parameter's name, with the path of Model.Within.
func (p *Param) Name() string { return p.name }

// Value returns the parameter at this point of the program: the argument, within Train the value of the iteration, and
// after Train the trained value.
func (p *Param) Value() build.Value { return p.current }

// Param declares a parameter of 32-bit floats with the given dimensions.
func (m *Model) Param(name string, init Init, dims ...int) *Param {
	p := &Param{name: m.path + name, init: init}
	p.current = m.b.Arg(p.name, tensor.F32, dims...)
	m.params = append(m.params, p)
	return p
}

// Within puts a name and a point before the names of the parameters that body declares.
func (m *Model) Within(name string, body func()) {
	outer := m.path
	m.path += name + "."
	defer func() { m.path = outer }()
	body()
}

// Params returns the parameters in the order in which they were declared, which is the order of the arguments.
func (m *Model) Params() []*Param { return append([]*Param{}, m.params...) }

// Values returns the current values of all parameters in their order, such as to be returned.
func (m *Model) Values() []build.Value {
	out := make([]build.Value, len(m.params))
	for i, p := range m.params {
		out[i] = p.current
	}
	return out
}

// trained are the parameters that an optimiser updates.
func (m *Model) trained() (out []*Param) {
	for _, p := range m.params {
		if !p.updated {
			out = append(out, p)
		}
	}
	return out
}

// Init is the distribution of a parameter's first values.
type Init func(r *rand.Rand, shape tensor.Shape) []float64

// fill is an Init whose elements are drawn one by one.
func fill(draw func(r *rand.Rand, shape tensor.Shape) float64) Init {
	return func(r *rand.Rand, shape tensor.Shape) []float64 {
		out := make([]float64, shape.Size())
		for i := range out {
			out[i] = draw(r, shape)
		}
		return out
	}
}

// Fill sets all elements to x.
func Fill(x float64) Init { return fill(func(*rand.Rand, tensor.Shape) float64 { return x }) }

// Normal draws from a normal distribution with mean 0.
func Normal(deviation float64) Init {
	return fill(func(r *rand.Rand, _ tensor.Shape) float64 { return deviation * r.NormFloat64() })
}

// Uniform draws from −limit to limit.
func Uniform(limit float64) Init {
	return fill(func(r *rand.Rand, _ tensor.Shape) float64 { return limit * (2*r.Float64() - 1) })
}

// Glorot draws uniformly with variance 2/(inputs + outputs), for layers in front of tanh, logistic or softmax. The last
// dimension of a parameter are its outputs, all others its inputs.
func Glorot() Init {
	return fill(func(r *rand.Rand, s tensor.Shape) float64 {
		in, out := fans(s)
		return math.Sqrt(6/(in+out)) * (2*r.Float64() - 1)
	})
}

// He draws from a normal distribution with variance 2/inputs, for layers in front of a ReLU.
func He() Init {
	return fill(func(r *rand.Rand, s tensor.Shape) float64 {
		in, _ := fans(s)
		return math.Sqrt(2/in) * r.NormFloat64()
	})
}

// fans are the numbers of inputs and outputs of a parameter. Spatial dimensions of a kernel count for both.
func fans(s tensor.Shape) (in, out float64) {
	if len(s) == 0 {
		return 1, 1
	}
	space := 1.0
	for _, n := range s[:max(0, len(s)-2)] {
		space *= float64(n)
	}
	out = space * float64(s[len(s)-1])
	in = space
	if len(s) > 1 {
		in *= float64(s[len(s)-2])
	}
	return max(in, 1), max(out, 1)
}

// Init returns first values of all parameters. They are public: whoever knows the seed knows them.
func (m *Model) Init(seed uint64) *Params {
	out := &Params{}
	for _, p := range m.params {
		h := fnv.New64a()
		h.Write([]byte(p.name))
		t := p.current.Type()
		if t.DType == tensor.Invalid { // after a mistake, which the Builder reports
			continue
		}
		values := p.init(rand.New(rand.NewPCG(seed, h.Sum64())), t.Shape)
		out.Set(p.name, tensor.FromFloats(t.DType, t.Shape, values))
	}
	return out
}
