package conv

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// method is an algorithm for convolutions.
type method struct {
	name     string
	winograd *winograd // nil for the standard method
	elements bool      // elementwise products instead of matrix products
}

var methods = []method{
	{"standard", nil, false},
	{"F(2×2) elementwise", &two, true},
	{"F(2×2) matmul", &two, false},
	{"F(4×4) elementwise", &four, true},
	{"F(4×4) matmul", &four, false},
}

// multiplications returns the number of multiplications of secrets in a layer.
func (m method) multiplications(l layer) int64 {
	if m.winograd == nil {
		n := int64(l.results())
		return n * n * int64(l.in*l.out*l.kernel*l.kernel)
	}
	t, tiles := int64(m.winograd.tile+2), int64(m.winograd.tiles(l))
	return t * t * tiles * tiles * int64(l.in*l.out)
}

// trial returns the program of a layer. Its arguments are the image and the kernel; for an inner
// layer two images and the kernel, with ReLU(sum of the images) as the layer's input.
func (m method) trial(l layer) study.Trial {
	image, kernel := shape(1, l.size, l.size, l.in), shape(l.kernel, l.kernel, l.in, l.out)
	result := shape(1, l.results(), l.results(), l.out)
	var b strings.Builder
	t := study.Trial{Name: l.String() + " by " + m.name, Ring: 64, Parties: 2}
	if l.first {
		fmt.Fprintf(&b, "func.func @main(%%x: %s, %%k: %s) -> %s {\n", image, kernel, result)
		t.Owners = []int{0, 1}
	} else {
		fmt.Fprintf(&b, "func.func @main(%%a: %s, %%b: %s, %%k: %s) -> %s {\n", image, image, kernel, result)
		line(&b, "%%sum = stablehlo.add %%a, %%b : %s", image)
		line(&b, "%%none = stablehlo.constant dense<0.0> : %s", image)
		line(&b, "%%x = stablehlo.maximum %%sum, %%none : %s", image)
		t.Owners = []int{0, 1, 1}
	}
	if m.winograd != nil {
		m.winograd.emit(&b, l, m.elements)
	} else {
		// SAME padding, as XLA defines it.
		pad := max(0, (l.results()-1)*l.stride+l.kernel-l.size)
		low, high := pad/2, pad-pad/2
		line(&b, "%%y = stablehlo.convolution(%%x, %%k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [%d, %d], pad = [[%d, %d], [%d, %d]]} "+
			"{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%s, %s) -> %s", l.stride, l.stride, low, high, low, high, image, kernel, result)
	}
	line(&b, "return %%y : %s", result)
	b.WriteString("}\n")
	t.Text = b.String()
	return t
}

// shape returns a tensor type in StableHLO syntax.
func shape(sizes ...int) string {
	return "tensor<" + strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", "x"), "[]") + "xf64>"
}

func line(b *strings.Builder, format string, a ...any) { fmt.Fprintf(b, "  "+format+"\n", a...) }

// data returns random images and a random kernel, scaled so that results have about the magnitude
// of the images.
func (l layer) data() []*tensor.Array {
	r := rand.New(rand.NewPCG(uint64(l.size), uint64(l.in)))
	random := func(scale float64, sizes ...int) *tensor.Array {
		s := tensor.Shape(sizes)
		v := make([]float64, s.Size())
		for i := range v {
			v[i] = scale * r.NormFloat64()
		}
		return tensor.FromFloats(tensor.F64, s, v)
	}
	images := []*tensor.Array{random(1, 1, l.size, l.size, l.in)}
	if !l.first {
		images = append(images, random(1, 1, l.size, l.size, l.in))
	}
	return append(images, random(math.Sqrt(2/float64(l.in*l.kernel*l.kernel)), l.kernel, l.kernel, l.in, l.out))
}
