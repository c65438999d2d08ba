package job

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/tensor"
)

func TestReadTable(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want *tensor.Array
	}{
		"rows":         {"1,2.5\n-3e2, 4\n", filled(tensor.Shape{2, 2}, 1, 2.5, -300, 4)},
		"heading":      {"height,weight\n1,2\n", filled(tensor.Shape{1, 2}, 1, 2)},
		"row vector":   {"1,2,3\n", filled(tensor.Shape{3}, 1, 2, 3)},
		"column":       {"1\n2\n\n3", filled(tensor.Shape{3}, 1, 2, 3)},
		"one number":   {"x\n7\n", filled(tensor.Shape{}, 7)},
		"vector of 1":  {"7", filled(tensor.Shape{1}, 7)},
		"int8":         {"-128,127", tensor.FromWords(tensor.I8, tensor.Shape{2}, []uint64{1 << 7, 127})},
		"uint64":       {"18446744073709551615", tensor.FromWords(tensor.U64, tensor.Shape{1}, []uint64{1<<64 - 1})},
		"bool":         {"0,1,true,False", tensor.FromWords(tensor.Bool, tensor.Shape{4}, []uint64{0, 1, 1, 0})},
		"half floats":  {"0.1", tensor.FromFloats(tensor.F16, tensor.Shape{}, []float64{0.1})},
		"empty vector": {"a,b\n", filled(tensor.Shape{0, 0})},
	} {
		got, err := readTable(strings.NewReader(c.text), c.want.Type)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestReadTableRefuses(t *testing.T) {
	i8 := tensor.Type{DType: tensor.I8, Shape: tensor.Shape{2}}
	for text, c := range map[string]struct {
		typ  tensor.Type
		want string
	}{
		"1,2\n3\n":   {f32(2, 2), "wrong number of fields"},
		"1,2\n3,x\n": {f32(2, 2), `line 2, column 2: "x" is not a f32: invalid syntax`},
		"1,2\n":      {f32(3), "the file has 1 rows of 2 numbers, but the program expects tensor<3xf32>"},
		"1,2\n3,4\n": {f32(4), "the file has 2 rows of 2 numbers"},
		"1\n2\n":     {f32(), "the file has 2 rows of 1 numbers"},
		"1,128\n":    {i8, `line 1, column 2: "128" is not a i8: value out of range`},
		"1,0.5\n":    {i8, `"0.5" is not a i8`},
		"\"1,2\n":    {f32(2), `extraneous or missing " in quoted-field`},
	} {
		_, err := readTable(strings.NewReader(text), c.typ)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", text, err, c.want)
		}
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add("1,2.5\n-3e2, 4\n", uint8(tensor.F32), 2, 2)
	f.Add("height\n1\n2\n", uint8(tensor.I8), 2, -1)
	f.Add("0,1,true", uint8(tensor.Bool), 3, -1)
	f.Fuzz(func(t *testing.T, text string, d uint8, rows, cols int) {
		want := tensor.Type{DType: tensor.DType(d % uint8(tensor.C64)), Shape: tensor.Shape{rows}}
		if cols >= 0 {
			want.Shape = append(want.Shape, cols)
		}
		if want.DType == tensor.Invalid || want.Shape.Check() != nil {
			return
		}
		a, err := readTable(strings.NewReader(text), want)
		if err == nil && (!a.Type.Equal(want) || a.Len() > len(text)) {
			t.Fatalf("%q gives %v, want %v", text, a.Type, want)
		}
	})
}
