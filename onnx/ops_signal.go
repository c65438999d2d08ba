package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

var signalOps = map[string]operation{
	".HannWindow":     {build: cosineWindow(0.5, 0.5, 0), known: []int{0}},
	".HammingWindow":  {build: cosineWindow(25.0/46, 1-25.0/46, 0), known: []int{0}},
	".BlackmanWindow": {build: cosineWindow(0.42, 0.5, 0.08), known: []int{0}},
}

// cosineWindow is a window that is a sum of cosines.
func cosineWindow(a, c, d float64) func(x *node) []*value {
	return func(x *node) []*value {
		n := int(x.number(0))
		if n < 1 || n > maxFolded {
			x.fail("the file is damaged", "the window has %d elements", n)
		}
		period := float64(n)
		if x.int("periodic", 1) == 0 {
			period--
		}
		f := make([]float64, n)
		for i := range f {
			t := 2 * math.Pi * float64(i) / period
			f[i] = a - c*math.Cos(t) + d*math.Cos(2*t)
		}
		return known(tensor.FromFloats(x.dtype("output_datatype", tensor.F32), tensor.Shape{n}, f))
	}
}
