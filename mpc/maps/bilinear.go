package maps

import (
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Bilinear is a public bilinear map of two vectors, over any ring.
type Bilinear interface {
	// In is the lengths of the operands.
	In() (left, right int)
	// Out is the length of the result.
	Out() int
	// Apply sets dst to the map of a and b; all three are over one ring.
	Apply(dst, a, b ring.Vec)
	// Terms is the number of products that are summed in one element of the result.
	Terms() int
	// Products is the number of multiplications, a measure of local work.
	Products() int64
}

// Elementwise multiplies two vectors of N elements elementwise.
type Elementwise struct{ N int }

// In is the lengths of the operands.
func (e Elementwise) In() (int, int) { return e.N, e.N }

// Out is the length of the result.
func (e Elementwise) Out() int { return e.N }

// Terms is 1.
func (e Elementwise) Terms() int { return 1 }

// Products is N.
func (e Elementwise) Products() int64 { return int64(e.N) }

// Apply multiplies.
func (e Elementwise) Apply(dst, a, b ring.Vec) { ring.Mul(dst, a, b) }

// MatMul multiplies Batch matrices M×K with K×N, row-major.
type MatMul struct{ Batch, M, K, N int }

// In is the lengths of the operands.
func (m MatMul) In() (int, int) { return m.Batch * m.M * m.K, m.Batch * m.K * m.N }

// Out is the length of the result.
func (m MatMul) Out() int { return m.Batch * m.M * m.N }

// Terms is K.
func (m MatMul) Terms() int { return m.K }

// Products is Batch·M·K·N.
func (m MatMul) Products() int64 {
	return int64(m.Batch) * int64(m.M) * int64(m.K) * int64(m.N)
}

// Apply multiplies.
func (m MatMul) Apply(dst, a, b ring.Vec) { ring.MatMul(dst, a, b, m.Batch, m.M, m.K, m.N) }

// Conv is a convolution of channels-last data.
type Conv struct{ ring.Conv }

// In is the lengths of the image and of the kernel.
func (c Conv) In() (int, int) {
	return c.Batch * tensor.Shape(c.Conv.In).Size() * c.InChannels,
		tensor.Shape(c.Kernel).Size() * c.InChannels / c.Groups * c.OutChannels
}

// Out is the length of the result.
func (c Conv) Out() int { return c.Batch * tensor.Shape(c.Conv.Out).Size() * c.OutChannels }

// Terms is the number of kernel taps times the input channels of a group.
func (c Conv) Terms() int { return tensor.Shape(c.Kernel).Size() * c.InChannels / c.Groups }

// Apply convolves.
func (c Conv) Apply(dst, a, b ring.Vec) { ring.Convolve(dst, a, b, c.Conv) }
