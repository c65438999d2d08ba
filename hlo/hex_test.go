package hlo

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/tensor"
)

// A constant's bytes survive the conversion to text and back for every type, also if the text is
// longer than the decoder's buffer.
func TestHexRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(
			[]tensor.DType{tensor.I8, tensor.I16, tensor.I32, tensor.I64, tensor.U8, tensor.U16, tensor.U32, tensor.U64, tensor.F16, tensor.BF16},
		).Draw(
			t,
			"dtype",
		)
		width := d.Bits() / 8
		n := rapid.IntRange(2, 3*chunk).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		raw := make([]byte, n*width)
		want := make([]uint64, n)
		for i := range raw {
			seed = seed*6364136223846793005 + 1442695040888963407
			raw[i] = byte(seed >> 56)
			want[i/width] |= uint64(raw[i]) << (8 * (i % width))
		}
		text := inMain(fmt.Sprintf("%%0 = stablehlo.constant dense<\"0x%X\"> : tensor<%dx%v>", raw, n, d))
		p, err := Parse("p", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		a := elementsOf(p.Main.Body.Ops[0])
		got := a.Words()
		mask := ^uint64(0) >> (64 - d.Bits())
		for i := range got {
			if got[i]&mask != want[i] {
				t.Fatalf("element %d is %x, want %x", i, got[i], want[i])
			}
		}
	})
}

// Upper and lower case digits are equivalent.
func TestHexCase(t *testing.T) {
	const bytes = "\xab\xcd\xef\x3f"
	for _, digits := range []string{hex.EncodeToString([]byte(bytes)), fmt.Sprintf("%X", bytes)} {
		a := elementsOf(op(t, `%0 = stablehlo.constant dense<"0x`+digits+`"> : tensor<4xui8>`))
		if !reflect.DeepEqual(a.Data, []uint8(bytes)) {
			t.Errorf("%s gives %x", digits, a.Data)
		}
	}
}
