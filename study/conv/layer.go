package conv

import "fmt"

// layer is a convolution of square images with SAME padding: a stride of 1 keeps their size.
type layer struct {
	net     int // side of the network's input image
	size    int // side of the layer's input
	in, out int // channels
	kernel  int
	stride  int
	times   int  // number of such layers in the network
	first   bool // its input is owned by one party
}

// layers are the convolutions of ResNet18: for 32×32 images with a 3×3 first layer and no pooling,
// and for 224×224 images as published.
var layers = []layer{
	{32, 32, 3, 64, 3, 1, 1, true},
	{32, 32, 64, 64, 3, 1, 4, false},
	{32, 32, 64, 128, 3, 2, 1, false},
	{32, 32, 64, 128, 1, 2, 1, false},
	{32, 16, 128, 128, 3, 1, 3, false},
	{32, 16, 128, 256, 3, 2, 1, false},
	{32, 16, 128, 256, 1, 2, 1, false},
	{32, 8, 256, 256, 3, 1, 3, false},
	{32, 8, 256, 512, 3, 2, 1, false},
	{32, 8, 256, 512, 1, 2, 1, false},
	{32, 4, 512, 512, 3, 1, 3, false},

	{224, 224, 3, 64, 7, 2, 1, true},
	{224, 56, 64, 64, 3, 1, 4, false},
	{224, 56, 64, 128, 3, 2, 1, false},
	{224, 56, 64, 128, 1, 2, 1, false},
	{224, 28, 128, 128, 3, 1, 3, false},
	{224, 28, 128, 256, 3, 2, 1, false},
	{224, 28, 128, 256, 1, 2, 1, false},
	{224, 14, 256, 256, 3, 1, 3, false},
	{224, 14, 256, 512, 3, 2, 1, false},
	{224, 14, 256, 512, 1, 2, 1, false},
	{224, 7, 512, 512, 3, 1, 3, false},
}

// published are the bytes that SPU sends for the first layer at 32×32, by method.
var published = map[string]int64{"standard": 759_296, "F(2×2) elementwise": 6_291_456, "F(2×2) matmul": 3_964_928}

// eligible reports whether Winograd's method applies to the layer.
func (l layer) eligible() bool { return l.kernel == 3 && l.stride == 1 }

// results returns the side of the layer's output.
func (l layer) results() int { return (l.size + l.stride - 1) / l.stride }

func (l layer) String() string {
	return fmt.Sprintf("%d×%d×%d → %d, %d×%d/%d", l.size, l.size, l.in, l.out, l.kernel, l.kernel, l.stride)
}
