package npy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/tensor"
)

// decode reads one array from bytes.
func decode(b []byte) (*tensor.Array, error) {
	r, err := NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	return r.Array()
}

func testFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// values are the elements that make.py writes for every element type.
var values = map[string]*tensor.Array{
	"bool":       array(tensor.Bool, []bool{false, true, true, true, true, true}),
	"int8":       array(tensor.I8, []int8{0, 1, 2, 3, 100, 7}),
	"int16":      array(tensor.I16, []int16{0, 1, 2, 3, 100, 7}),
	"int32":      array(tensor.I32, []int32{0, 1, 2, 3, 100, 7}),
	"int64":      array(tensor.I64, []int64{0, 1, 2, 3, 100, 7}),
	"uint8":      array(tensor.U8, []uint8{0, 1, 2, 3, 100, 7}),
	"uint16":     array(tensor.U16, []uint16{0, 1, 2, 3, 100, 7}),
	"uint32":     array(tensor.U32, []uint32{0, 1, 2, 3, 100, 7}),
	"uint64":     array(tensor.U64, []uint64{0, 1, 2, 3, 100, 7}),
	"float16":    tensor.FromFloats(tensor.F16, tensor.Shape{2, 3}, []float64{0, 1, 2, 3, 100, 7}),
	"bfloat16":   tensor.FromFloats(tensor.BF16, tensor.Shape{2, 3}, []float64{0, 1, 2, 3, 100, 7}),
	"float32":    array(tensor.F32, []float32{0, 1, 2, 3, 100, 7}),
	"float64":    array(tensor.F64, []float64{0, 1, 2, 3, 100, 7}),
	"complex64":  array(tensor.C64, []complex64{0, 1, 2, 3, 100, 7}),
	"complex128": array(tensor.C128, []complex128{0, 1, 2, 3, 100, 7}),
}

func array(d tensor.DType, data any) *tensor.Array {
	return &tensor.Array{Type: tensor.Type{DType: d, Shape: tensor.Shape{2, 3}}, Data: data}
}

func TestReadAndWriteWhatNumPyWrites(t *testing.T) {
	for name, want := range values {
		t.Run(name, func(t *testing.T) {
			file := testFile(t, name)
			got, err := decode(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			var b bytes.Buffer
			if err := Write(&b, want); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), file) {
				t.Errorf("Write gives %q, NumPy %q", b.Bytes(), file)
			}
		})
	}
}

func TestReadOtherForms(t *testing.T) {
	f32 := values["float32"]
	ramp := tensor.NewArray(tensor.Type{DType: tensor.I16, Shape: tensor.Shape{2, 3, 4}})
	for i := range ramp.Data.([]int16) {
		ramp.Data.([]int16)[i] = int16(i)
	}
	for name, want := range map[string]*tensor.Array{
		"fortran":  f32,
		"fortran3": ramp,
		"big":      values["float64"],
		"version2": f32,
		"version3": f32,
		"scalar":   tensor.FromFloats(tensor.F32, tensor.Shape{}, []float64{2.5}),
		"vector":   tensor.FromWords(tensor.I32, tensor.Shape{3}, []uint64{3, 100, 7}),
		"empty":    tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{3, 0, 2}}),
	} {
		got, err := decode(testFile(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestWriteScalarVectorEmptyAsNumPy(t *testing.T) {
	for _, name := range []string{"scalar", "vector", "empty"} {
		file := testFile(t, name)
		a, err := decode(file)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), file) {
			t.Errorf("%s: Write gives %q, NumPy %q", name, b.Bytes(), file)
		}
	}
}

// npyFile returns a version 1 file with this dictionary and data.
func npyFile(dict string, data int) []byte {
	b := append([]byte(magic), 1, 0, byte(len(dict)), byte(len(dict)>>8))
	return append(append(b, dict...), make([]byte, data)...)
}

func TestRefuse(t *testing.T) {
	good := testFile(t, "float32")
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":        {nil, "not an .npy array"},
		"text":           {[]byte("1,2,3\n4,5,6\n"), "not an .npy array"},
		"version":        {append([]byte(magic), 4, 0), "format version 4"},
		"no length":      {good[:9], "cut short"},
		"no header":      {good[:20], "cut short"},
		"no data":        {good[:128], "needs 24 bytes of data, the file has 0"},
		"short data":     {good[:150], "needs 24 bytes of data, the file has 22"},
		"long data":      {append(bytes.Clone(good), 0), "needs 24 bytes of data, the file has 25"},
		"long header":    {append([]byte(magic), 2, 0, 255, 255, 255, 255), "header claims 4294967295 bytes"},
		"huge":           {npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,)}", 4), "needs 4000000000 bytes"},
		"too huge":       {npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000, 4)}", 4), "2^40"},
		"negative":       {npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 4), "shape is not a tuple"},
		"no dict":        {npyFile("[1]", 0), "not a dictionary"},
		"unknown key":    {npyFile("{'shape': (), 'x': 1}", 0), `unknown key "x"`},
		"doubled key":    {npyFile("{'shape': (), 'shape': ()}", 0), `key "shape" is given twice`},
		"missing key":    {npyFile("{'shape': (), 'fortran_order': True}", 0), "not all of"},
		"no comma":       {npyFile("{'shape': () 'fortran_order': True}", 0), "no comma"},
		"no value":       {npyFile("{'shape'", 0), "no value"},
		"order":          {npyFile("{'fortran_order': 0}", 0), "neither True nor False"},
		"object":         {testFile(t, "object"), `element type "|O"`},
		"record":         {testFile(t, "record"), "records are not supported"},
		"strings":        {testFile(t, "text"), `element type "<U2"`},
		"unclosed quote": {npyFile("{'descr", 0), "a quoted string is missing"},
	} {
		_, err := decode(c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestWriteThenRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := tensor.DType(rapid.IntRange(int(tensor.Bool), int(tensor.C128)).Draw(t, "dtype"))
		shape := tensor.Shape(rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "shape"))
		var want *tensor.Array
		switch n := shape.Size(); {
		case d.IsComplex():
			want = tensor.NewArray(tensor.Type{DType: d, Shape: shape})
		case d.IsFloat():
			want = tensor.FromFloats(d, shape, rapid.SliceOfN(rapid.Float64Range(-1e4, 1e4), n, n).Draw(t, "v"))
		default:
			want = tensor.FromWords(d, shape, rapid.SliceOfN(rapid.Uint64(), n, n).Draw(t, "v"))
		}
		var b bytes.Buffer
		if err := Write(&b, want); err != nil {
			t.Fatal(err)
		}
		got, err := decode(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzReadNPY(f *testing.F) {
	files, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(files) == 0 {
		f.Fatal("no files", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := decode(b)
		if err != nil {
			return
		}
		if n := a.Len() * width(a.DType); n > len(b) {
			t.Fatalf("%d bytes of elements from a file of %d", n, len(b))
		}
		var again bytes.Buffer
		if err := Write(&again, a); err != nil {
			t.Fatal(err)
		}
	})
}
