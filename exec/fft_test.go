package exec_test

import (
	"fmt"
	"testing"
)

func TestFourier(t *testing.T) {
	for _, c := range []struct{ kind, in, out, length string }{
		{"FFT", "4x6x" + c64, "4x6x" + c64, "[4, 6]"}, {"FFT", "3x8x" + c64, "3x8x" + c64, "[8]"}, {"IFFT", "4x6x" + c64, "4x6x" + c64, "[6]"}, {"IFFT", "2x3x" + c64, "2x3x" + c64, "[2, 3]"},
		{"RFFT", "4x6xf32", "4x4x" + c64, "[4, 6]"}, {"RFFT", "7xf64", "4xcomplex<f64>", "[7]"}, {"RFFT", "1xf32", "1x" + c64, "[1]"},
		{"IRFFT", "4x6x" + c64, "4x10xf32", "[4, 10]"}, {"IRFFT", "4x6x" + c64, "4x11xf32", "[11]"},
	} {
		p := program{name: c.kind + c.length, args: c.in, outs: c.out, alone: true, units: 40,
			body: fmt.Sprintf("%%0 = stablehlo.fft %%a, type = %s, length = %s : (tensor<%s>) -> tensor<%[4]s>\nreturn %%0 : tensor<%[5]s>", c.kind, c.length, c.in, c.out, c.out)}
		if p.alone = elementOf(c.in)[0] == 'c'; p.alone { // of secret parts
			real := "f32"
			parts := c.in[:len(c.in)-len(c64)] + real
			p.args = parts + " " + parts
			p.body = fmt.Sprintf("%%z = stablehlo.complex %%a, %%b : tensor<%[1]s>\n%%0 = stablehlo.fft %%z, type = %[2]s, length = %[3]s : (tensor<%[1]s>) -> tensor<%[4]s>\nreturn %%0 : tensor<%[4]s>",
				c.in, c.kind, c.length, c.out)
			p.alone = false
		}
		agree(t, p)
	}
}
