package exec_test

import "testing"

func TestBitcast(t *testing.T) {
	for _, c := range [][2]string{
		{"6xi32", "6xui32"}, {"2x3xi32", "2x3x4xi8"}, {"2x3x4xi8", "2x3xi32"}, {"3x2xi32", "3xui64"}, {"3xui64", "3x2xi32"}, {"4xi16", "4xui16"},
		{"i32", "4xui8"}, {"4xui8", "i32"}, {"0xi32", "0x4xi8"}, {"6xi64", "6xi64"}, {"i8", "ui8"},
		{"6xf32", "6xi32"}, {"6xf32", "6xui32"}, {"6xf64", "6xi64"}, {"6xf16", "6xui16"}, {"6xbf16", "6xi16"}, {"6xf32", "6x4xi8"}, {"f32", "i32"}, {"0xf32", "0xi32"},
	} {
		agree(t, program{name: c[0] + " to " + c[1], op: "stablehlo.bitcast_convert", args: c[0], outs: c[1]})
	}
	// floats whose bits are in range: 0x3F800000 to 0x40FFFFFF are 1 to 8
	agree(t, program{name: "to floats", op: "stablehlo.bitcast_convert", args: "6xi32", outs: "6xf32", least: 0x3f800000, most: 0x40ffffff, units: 4},
		program{name: "to negative floats", op: "stablehlo.bitcast_convert", args: "6xui32", outs: "6xf32", least: 0xbf800000, most: 0xc0ffffff, units: 4},
		program{name: "of a known sign", args: "6xf32", outs: "6xi32", body: `
%0 = stablehlo.abs %a : tensor<6xf32>
%1 = stablehlo.bitcast_convert %0 : (tensor<6xf32>) -> tensor<6xi32>
return %1 : tensor<6xi32>`})
	refused(t, program{op: "stablehlo.bitcast_convert", args: "8xi1", outs: "i8"}, "stablehlo.bitcast_convert", "bitcast integers and floats only")
}

func TestSizeOfDimension(t *testing.T) {
	agree(t, program{op: "stablehlo.get_dimension_size", attrs: "dimension = 1 : i64", args: "2x3xf32", outs: "i32"})
}

// TestNextAfter: in fixed point the next number is one unit away, where eval's is the next f32.
func TestNextAfter(t *testing.T) {
	agree(t, program{op: "chlo.next_after", args: "6xf32 6xf32", outs: "6xf32", units: 1.5})
	p := parse(t, program{op: "chlo.next_after", args: "3xf32 3xf32", outs: "3xf32"})
	x := []float64{1, 1, 1}
	got, err := walk(p, middle[0], nil, []int{kept, 0}, arrays(floats(f32, shape{3}, x...), floats(f32, shape{3}, 0, 1, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{1 - 0x1p-18, 1, 1 + 0x1p-18}
	for i, g := range got.arrays[0].Floats() {
		if g != want[i] {
			t.Errorf("next after 1 towards %d is %v, want %v", i, g, want[i])
		}
	}
}

func TestReducePrecision(t *testing.T) {
	agree(t, program{op: "stablehlo.reduce_precision", attrs: "exponent_bits = 8 : i32, mantissa_bits = 23 : i32", args: "5xf32", outs: "5xf32"})
}
