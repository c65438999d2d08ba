package nn

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Model holds the parameters of a program. New makes it; its methods declare layers and write trainings.
type Model struct {
	b      *build.Builder
	params []*Param
	path   string
}

// New returns a Model without parameters for the program that b builds.
func New(b *build.Builder) *Model { return &Model{b: b} }

// Param is a parameter: an argument of the program, whose value training replaces.
type Param struct {
	name    string
	init    Init
	current build.Value
	updated bool // by its layer (a running mean), not by an optimiser
}

// Name returns the parameter's name, including the names of the Model.Within calls around its declaration, such as
// "block.hidden.weight".
func (p *Param) Name() string { return p.name }

// Value returns the parameter's value at this point of the program: the argument; within Train, the value of the
// current step; after Train, the trained value.
func (p *Param) Value() build.Value { return p.current }

// Param declares a parameter: the next argument of the program, of f32 elements and the given dimensions. init draws
// its first values.
func (m *Model) Param(name string, init Init, dims ...int) *Param {
	p := &Param{name: m.path + name, init: init}
	p.current = m.b.Arg(p.name, tensor.F32, dims...)
	m.params = append(m.params, p)
	return p
}

// Within calls body. The parameters that body declares get name and a point in front of their names.
func (m *Model) Within(name string, body func()) {
	outer := m.path
	m.path += name + "."
	defer func() { m.path = outer }()
	body()
}

// Params returns the parameters in the order of their declaration, which is the order of the program's arguments.
func (m *Model) Params() []*Param { return append([]*Param{}, m.params...) }

// Values returns the current values of all parameters, in the order of Params. A program returns them after a training.
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

// Init returns a parameter's first values, drawn from r, for a parameter of the given shape, in row-major order.
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

// Fill returns an Init that sets all elements to x.
func Fill(x float64) Init { return fill(func(*rand.Rand, tensor.Shape) float64 { return x }) }

// Normal returns an Init that draws from a normal distribution with mean 0 and the given standard deviation.
func Normal(deviation float64) Init {
	return fill(func(r *rand.Rand, _ tensor.Shape) float64 { return deviation * r.NormFloat64() })
}

// Uniform returns an Init that draws uniformly from −limit to limit.
func Uniform(limit float64) Init {
	return fill(func(r *rand.Rand, _ tensor.Shape) float64 { return limit * (2*r.Float64() - 1) })
}

// Glorot returns an Init that draws from a uniform distribution with variance 2/(inputs + outputs), for layers before
// tanh, logistic or softmax. outputs is the last dimension, inputs the product of the others.
func Glorot() Init {
	return fill(func(r *rand.Rand, s tensor.Shape) float64 {
		in, out := fans(s)
		return math.Sqrt(6/(in+out)) * (2*r.Float64() - 1)
	})
}

// He returns an Init that draws from a normal distribution with variance 2/inputs, for layers before a ReLU. inputs is
// the product of all dimensions but the last.
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

// Init returns the first values of all parameters, which depend on seed and the parameters' names only. They are
// public: every holder of the seed can compute them.
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
