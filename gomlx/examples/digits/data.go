package main

import "math/rand/v2"

// glyphs are the ten digits, as three columns of five rows.
var glyphs = [10]string{
	"###" + "#.#" + "#.#" + "#.#" + "###", ".#." + "##." + ".#." + ".#." + "###", "###" + "..#" + "###" + "#.." + "###",
	"###" + "..#" + ".##" + "..#" + "###", "#.#" + "#.#" + "###" + "..#" + "..#", "###" + "#.." + "###" + "..#" + "###",
	"###" + "#.." + "###" + "#.#" + "###", "###" + "..#" + ".#." + ".#." + ".#.", "###" + "#.#" + "###" + "#.#" + "###",
	"###" + "#.#" + "###" + "..#" + "###",
}

// digits returns n images of 8×8 with noise, and the digit in each.
func digits(seed uint64, n int) (images [][][][]float32, labels [][]int32) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		digit, dx, dy := r.IntN(10), 2+r.IntN(2), 1+r.IntN(2)
		image := make([][][]float32, 8)
		for y := range image {
			for x := range 8 {
				ink := 0.15 * r.NormFloat64()
				if i, j := y-dy, x-dx; i >= 0 && i < 5 && j >= 0 && j < 3 && glyphs[digit][3*i+j] == '#' {
					ink++
				}
				image[y] = append(image[y], []float32{float32(ink)})
			}
		}
		images, labels = append(images, image), append(labels, []int32{int32(digit)})
	}
	return images, labels
}
