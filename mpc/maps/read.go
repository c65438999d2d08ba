package maps

import (
	"slices"

	"github.com/tacet-mpc/tacet/mpc/wire"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Limits of what Read accepts.
const (
	maxRank     = 64
	maxOperands = 1 << 20
	maxShift    = 1 << 12
)

// Read reads from d what Append wrote: a Linear, a Bilinear or nil. The input may come from anyone: the lengths of
// the returned map are consistent, and applying it to vectors of these lengths accesses nothing outside of them. For
// invalid input Read returns nil and d.Err is not nil.
func Read(d *wire.Decoder) any {
	var m any
	switch kind := d.Byte(); kind {
	case kindNone:
		return nil
	case kindStrided, kindListed:
		m = readView(d, kind == kindListed)
	case kindCombine:
		c := Combine{N: d.Len(), Coef: make([]int64, 0, 2)}
		for range d.Uint(maxOperands) {
			if d.Err() != nil {
				break
			}
			c.Coef = append(c.Coef, d.Int64())
		}
		d.Product(c.N, len(c.Coef))
		m = c
	case kindShift:
		m = Shift{N: d.Len(), By: d.Uint(maxShift)}
	case kindTimes:
		m = Times{By: d.Vec(), Bits: d.Int()}
	case kindSum:
		s := Sum{d.Len(), d.Len(), d.Len()}
		d.Product(s.Outer, s.Reduced, s.Inner)
		m = s
	case kindGathered:
		g := Gathered{From: d.Len(), To: d.Len(), Terms: d.Len()}
		g.Index = d.Runs(d.Product(g.To, g.Terms), g.From)
		m = g
	case kindWith:
		m = readWith(d)
	default:
		m = readBilinear(d, kind)
	}
	if d.Err() != nil {
		return nil
	}
	return m
}

func readView(d *wire.Decoder, listed bool) any {
	v := View{Lens: d.Ints(maxOperands)}
	in := 0
	for _, n := range v.Lens {
		in = d.Product(in + d.Product(n))
	}
	shape := tensor.Shape(d.Ints(maxRank))
	n := d.Product(shape...)
	if listed {
		if runs, count := d.RunList(n, in); d.Err() == nil && n >= 2*count {
			v.Rule = tensor.InRuns(shape, in, runs)
		} else if d.Err() == nil {
			v.Rule = tensor.Listed(shape, in, func() []int32 { return tensor.Positions(runs(), n) })
		}
		return v
	}
	v.Rule = tensor.View{Shape: shape, In: in, Offset: d.Int(), Strides: d.Ints(maxRank)}
	if d.Err() != nil {
		return nil
	}
	if len(v.Rule.Strides) != len(shape) {
		d.Failf("%d strides for %d dimensions", len(v.Rule.Strides), len(shape))
		return nil
	}
	lowest, highest := v.Rule.Offset, v.Rule.Offset
	for i, s := range v.Rule.Strides {
		reach := (shape[i] - 1) * s
		if n > 0 && (reach >= in || -reach >= in) {
			d.Failf("a view with strides of %d beyond %d elements", s, in)
			return nil
		}
		lowest, highest = lowest+min(reach, 0), highest+max(reach, 0)
	}
	if n > 0 && (lowest < 0 || highest >= in) {
		d.Failf("a view of elements %d to %d of %d", lowest, highest, in)
	}
	return v
}

func readWith(d *wire.Decoder) any {
	w := With{B: readBilinear(d, d.Byte()), Public: d.Vec(), Right: d.Bool(), Bits: d.Int()}
	if d.Err() != nil {
		return nil
	}
	public, other := w.B.In()
	if w.Right {
		public, other = other, public
	}
	if w.Public.Len() != public {
		d.Failf("a map with %d public elements, %d are expected beside %d secret ones", w.Public.Len(), public, other)
	}
	return w
}

// readBilinear returns nil after an error.
func readBilinear(d *wire.Decoder, kind byte) Bilinear {
	var b Bilinear
	switch kind {
	case kindElementwise:
		b = Elementwise{d.Len()}
	case kindMatMul:
		m := MatMul{d.Len(), d.Len(), d.Len(), d.Len()}
		d.Product(m.Batch, m.M, m.K)
		d.Product(m.Batch, m.K, m.N)
		d.Product(m.Batch, m.M, m.N)
		b = m
	case kindConv:
		b = readConv(d)
	default:
		d.Failf("a map of kind %d", kind)
	}
	if d.Err() != nil {
		return nil
	}
	return b
}

func readConv(d *wire.Decoder) Conv {
	c := Conv{ring.Conv{Batch: d.Len(), InChannels: d.Len(), OutChannels: d.Len(), Groups: d.Len()}}
	lists := []*[]int{&c.Conv.In, &c.Kernel, &c.Conv.Out, &c.Stride, &c.PadLow, &c.InDilate, &c.KernelDilate}
	for _, l := range lists {
		*l = d.Ints(maxRank)
	}
	if d.Err() != nil {
		return c
	}
	for _, l := range lists {
		if len(*l) != len(c.Conv.In) {
			d.Failf("a convolution over %d and over %d dimensions", len(c.Conv.In), len(*l))
			return c
		}
	}
	for _, l := range [][]int{c.Stride, c.InDilate, c.KernelDilate} {
		if slices.ContainsFunc(l, func(x int) bool { return x < 1 }) {
			d.Failf("a convolution with strides or dilations %v", l)
			return c
		}
	}
	if c.Groups < 1 || c.InChannels%c.Groups != 0 || c.OutChannels%c.Groups != 0 {
		d.Failf("a convolution of %d and %d channels in %d groups", c.InChannels, c.OutChannels, c.Groups)
		return c
	}
	// The table of the patches' positions must fit the limits too.
	in, kernel, out := d.Product(c.Conv.In...), d.Product(c.Kernel...), d.Product(c.Conv.Out...)
	d.Product(c.Batch, in, c.InChannels)
	d.Product(kernel, c.InChannels, c.OutChannels)
	d.Product(c.Batch, out, c.OutChannels)
	d.Spend(d.Product(out, kernel))
	return c
}
