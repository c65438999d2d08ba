package maps

import (
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Bilinear is a public bilinear map of two vectors to one vector, over any ring. Length means a number of ring
// elements.
type Bilinear interface {
	// In returns the lengths of the two operands.
	In() (left, right int)
	// Out returns the length of the result.
	Out() int
	// Apply sets dst to the map of a and b; all three are over one ring and have the lengths In and Out. dst must not
	// overlap a or b. Shape-only vectors are left as they are.
	Apply(dst, a, b ring.Vec)
	// Terms returns the number of products that are summed in one element of the result.
	Terms() int
	// Products returns the number of multiplications of one Apply, a measure of local work.
	Products() int64
}

// Elementwise is the bilinear map that multiplies two vectors of N elements element by element.
type Elementwise struct{ N int }

// In returns N and N.
func (e Elementwise) In() (int, int) { return e.N, e.N }

// Out returns N.
func (e Elementwise) Out() int { return e.N }

// Terms returns 1: no products are summed.
func (e Elementwise) Terms() int { return 1 }

// Products returns N.
func (e Elementwise) Products() int64 { return int64(e.N) }

// Apply implements Bilinear. Unlike for other maps, dst may be a or b.
func (e Elementwise) Apply(dst, a, b ring.Vec) { ring.Mul(dst, a, b) }

// MatMul is the bilinear map that multiplies Batch matrices of M×K elements by Batch matrices of K×N elements. All
// matrices are stored row by row, one after the other.
type MatMul struct{ Batch, M, K, N int }

// In returns the lengths of the operands: Batch·M·K and Batch·K·N.
func (m MatMul) In() (int, int) { return m.Batch * m.M * m.K, m.Batch * m.K * m.N }

// Out returns Batch·M·N.
func (m MatMul) Out() int { return m.Batch * m.M * m.N }

// Terms returns K.
func (m MatMul) Terms() int { return m.K }

// Products returns Batch·M·K·N.
func (m MatMul) Products() int64 {
	return int64(m.Batch) * int64(m.M) * int64(m.K) * int64(m.N)
}

// Apply implements Bilinear by ring.MatMul.
func (m MatMul) Apply(dst, a, b ring.Vec) { ring.MatMul(dst, a, b, m.Batch, m.M, m.K, m.N) }

// Conv is a convolution of an image (the left operand) with a kernel (the right one). ring.Conv says what the fields
// mean and how both are laid out.
type Conv struct{ ring.Conv }

// In returns the lengths of the image and of the kernel.
func (c Conv) In() (int, int) {
	return c.Batch * tensor.Shape(c.Conv.In).Size() * c.InChannels,
		tensor.Shape(c.Kernel).Size() * c.InChannels / c.Groups * c.OutChannels
}

// Out returns the length of the result.
func (c Conv) Out() int { return c.Batch * tensor.Shape(c.Conv.Out).Size() * c.OutChannels }

// Terms returns the number of kernel positions times the input channels of a group.
func (c Conv) Terms() int { return tensor.Shape(c.Kernel).Size() * c.InChannels / c.Groups }

// Apply implements Bilinear by ring.Convolve.
func (c Conv) Apply(dst, a, b ring.Vec) { ring.Convolve(dst, a, b, c.Conv) }
