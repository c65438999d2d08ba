package main

import (
	"math/rand/v2"

	"github.com/tacet-mpc/tacet/tensor"
)

// data returns 200 random rows of two features and of three, and labels that depend on both.
func data() (alice, bob, labels *tensor.Array) {
	r := rand.New(rand.NewPCG(1, 2))
	var x, z, y []float64
	for range 200 {
		score := 0.3 * r.NormFloat64()
		for i, w := range []float64{2, -1, 0, 1, -2} {
			v := r.NormFloat64()
			score += w * v
			if i < 2 {
				x = append(x, v)
			} else {
				z = append(z, v)
			}
		}
		label := 0.0
		if score > 0 {
			label = 1
		}
		y = append(y, label)
	}
	f := func(v []float64, dims ...int) *tensor.Array { return tensor.FromFloats(tensor.F32, dims, v) }
	return f(x, 200, 2), f(z, 200, 3), f(y, 200)
}
