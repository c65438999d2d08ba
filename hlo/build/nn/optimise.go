package nn

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Schedule returns the learning rate of a step, both scalars: step counts from 0, as f32. Steps are public, so that a
// Schedule costs nothing.
type Schedule func(b *build.Builder, step build.Value) build.Value

// Constant returns a Schedule with the same rate in all steps.
func Constant(rate float64) Schedule {
	return func(b *build.Builder, _ build.Value) build.Value { return b.Const(tensor.F32, rate) }
}

// Exponential returns a Schedule with the rate rate·decay^(step/steps).
func Exponential(rate, decay float64, steps int) Schedule {
	return func(b *build.Builder, step build.Value) build.Value {
		return b.Mul(b.Exp(b.Mul(step, math.Log(decay)/float64(max(1, steps)))), rate)
	}
}

// Cosine returns a Schedule that falls from rate to 0 over the given steps, as half a period of a cosine does, and then
// stays 0.
func Cosine(rate float64, steps int) Schedule {
	return func(b *build.Builder, step build.Value) build.Value {
		at := b.Min(b.Mul(step, 1/float64(max(1, steps))), 1)
		return b.Mul(b.Add(b.Cos(b.Mul(at, math.Pi)), 1), rate/2)
	}
}

// Warmup returns a Schedule that multiplies the rate of then by (step + 1)/steps in the first steps, and is then
// afterwards.
func Warmup(steps int, then Schedule) Schedule {
	return func(b *build.Builder, step build.Value) build.Value {
		return b.Mul(then(b, step), b.Min(b.Mul(b.Add(step, 1), 1/float64(max(1, steps))), 1))
	}
}

// Optimiser updates parameters by their gradients. SGD, Momentum, Adam and AdamW implement it.
type Optimiser interface {
	// moments is the number of tensors that the optimiser keeps for each parameter, 0 at first.
	moments() int
	// update returns a parameter and its moments after a step with gradient g.
	update(b *build.Builder, step, p, g build.Value, moments []build.Value) (build.Value, []build.Value)
}

// SGD subtracts the rate times the gradient from the parameter.
type SGD struct{ Rate Schedule }

func (SGD) moments() int { return 0 }

func (o SGD) update(b *build.Builder, step, p, g build.Value, _ []build.Value) (build.Value, []build.Value) {
	return b.Sub(p, b.Mul(rate(o.Rate, b, step), g)), nil
}

// Momentum subtracts the rate times a sum: the gradient plus Decay times the sum of the step before. Decay is 0.9 if it
// is 0.
type Momentum struct {
	Rate     Schedule
	Decay    float64
	Nesterov bool // look ahead by one update
}

func (Momentum) moments() int { return 1 }

func (o Momentum) update(b *build.Builder, step, p, g build.Value, m []build.Value) (build.Value, []build.Value) {
	decay := or(o.Decay, 0.9)
	next := b.Add(g, b.Mul(m[0], decay))
	by := next
	if o.Nesterov {
		by = b.Add(g, b.Mul(next, decay))
	}
	return b.Sub(p, b.Mul(rate(o.Rate, b, step), by)), []build.Value{next}
}

// Adam subtracts the rate times the running mean of gradients, divided by the root of the running mean of their
// squares. Beta1, Beta2 and Epsilon are 0.9, 0.999 and 1e-8 if they are 0.
type Adam struct {
	Rate                  Schedule
	Beta1, Beta2, Epsilon float64
}

func (Adam) moments() int { return 2 }

func (o Adam) update(b *build.Builder, step, p, g build.Value, m []build.Value) (build.Value, []build.Value) {
	by, next := o.direction(b, step, g, m)
	return b.Sub(p, b.Mul(rate(o.Rate, b, step), by)), next
}

// direction is the update before the rate, and the next moments.
func (o Adam) direction(b *build.Builder, step, g build.Value, m []build.Value) (build.Value, []build.Value) {
	b1, b2 := or(o.Beta1, 0.9), or(o.Beta2, 0.999)
	mean := b.Add(b.Mul(g, 1-b1), b.Mul(m[0], b1))
	square := b.Add(b.Mul(b.Mul(g, g), 1-b2), b.Mul(m[1], b2))
	count := b.Add(step, 1)
	unbiased := func(v build.Value, beta float64) build.Value {
		return b.Div(v, b.Sub(1, b.Pow(b.Const(tensor.F32, beta), count)))
	}
	return b.Div(unbiased(mean, b1), b.Add(b.Sqrt(unbiased(square, b2)), or(o.Epsilon, 1e-8))), []build.Value{mean, square}
}

// AdamW updates like Adam and also subtracts the rate times Decay times the parameter. Decay is 1e-4 if it is 0.
type AdamW struct {
	Adam
	Decay float64
}

func (o AdamW) update(b *build.Builder, step, p, g build.Value, m []build.Value) (build.Value, []build.Value) {
	by, next := o.direction(b, step, g, m)
	return b.Sub(p, b.Mul(rate(o.Rate, b, step), b.Add(by, b.Mul(p, or(o.Decay, 1e-4))))), next
}

// rate is a schedule's rate; 0.001 without one.
func rate(s Schedule, b *build.Builder, step build.Value) build.Value {
	if s == nil {
		s = Constant(0.001)
	}
	return s(b, step)
}

// or is x, or other if x is 0.
func or(x, other float64) float64 {
	if x == 0 {
		return other
	}
	return x
}

// Train writes a training loop of the given number of steps. In each step, loss writes the operations that compute the
// loss, a scalar, from the parameters' current values and from step, a scalar i32 counted from 0, such as to choose a
// batch; o then updates the parameters. Train returns the loss of the last step, computed before its update. After
// Train, the parameters' Values are the trained ones.
func (m *Model) Train(steps int, o Optimiser, loss func(step build.Value) build.Value) build.Value {
	b := m.b
	last := func(_, _, y build.Value) build.Value { return b.Convert(y, tensor.F32) }
	return m.train(steps, o, m.derived(loss), b.Const(tensor.F32, 0), last)
}

// TrainHistory writes the same loop as Train and returns the losses of all steps, a vector of f32.
func (m *Model) TrainHistory(steps int, o Optimiser, loss func(step build.Value) build.Value) build.Value {
	return m.TrainGradients(steps, o, m.derived(loss))
}

// TrainGradients writes the loop of TrainHistory for a loss whose gradients are known: step returns the loss and, in the
// order in which they were declared, the gradients of all parameters that are trained. Gradients that are all multiplied by
// one number change no step of an optimiser that divides them by their size.
func (m *Model) TrainGradients(
	steps int, o Optimiser, step func(step build.Value) (loss build.Value, gradients []build.Value),
) build.Value {
	b := m.b
	return m.train(steps, o, step, b.Const(tensor.F32, 0, steps), func(step, losses, y build.Value) build.Value {
		return b.DynamicUpdateSlice(losses, b.Reshape(b.Convert(y, tensor.F32), 1), []build.Value{step})
	})
}

// derived returns a function that returns a loss and its derivatives by the trained parameters.
func (m *Model) derived(loss func(step build.Value) build.Value) func(step build.Value) (build.Value, []build.Value) {
	return func(step build.Value) (build.Value, []build.Value) {
		var values []build.Value
		for _, p := range m.trained() {
			values = append(values, p.current)
		}
		y := loss(step)
		return y, m.b.Gradient(y, values...)
	}
}

// train writes the loop of Train, with gradients from step. It carries a record of the losses, into which add puts the loss y of a step.
func (m *Model) train(
	steps int, o Optimiser, step func(step build.Value) (build.Value, []build.Value), record build.Value,
	add func(step, record, y build.Value) build.Value,
) build.Value {
	b := m.b
	trained := m.trained()
	state := append(m.Values(), record)
	for _, p := range trained {
		for range o.moments() {
			state = append(state, b.Const(tensor.F32, 0, p.current.Shape()...))
		}
	}
	out := b.For(steps, state, func(i build.Value, s []build.Value) []build.Value {
		m.set(s)
		at := s[len(m.params)+1:]
		y, gradients := step(i)
		record := add(i, s[len(m.params)], y)
		var values []build.Value
		for _, p := range trained {
			values = append(values, p.current)
		}
		number := b.Convert(i, tensor.F32)
		var moments []build.Value
		for k, g := range gradients {
			n := o.moments()
			p, next := o.update(b, number, values[k], g, at[k*n:(k+1)*n])
			trained[k].current = p
			moments = append(moments, next...)
		}
		return append(append(m.Values(), record), moments...)
	})
	m.set(out)
	return out[len(m.params)]
}

// set gives the parameters the first of values.
func (m *Model) set(values []build.Value) {
	for i, p := range m.params {
		p.current = values[i]
	}
}
