package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job/safetensors"
	"github.com/tacet-mpc/tacet/tensor"
)

func file(header, data string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+data...)
}

func open(b []byte) (*safetensors.File, error) {
	return safetensors.New(bytes.NewReader(b), int64(len(b)))
}

// TestRead reads a file as the format's own writer makes it: names sorted by type, metadata, blanks.
func TestRead(t *testing.T) {
	f, err := open(file(`{"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[2,10]},"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}}  `,
		"\x01\x00\x00\x00\x80\x3f\x00\x00\x00\xc0"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(f.Names(), []string{"a", "b"}) {
		t.Errorf("names %v", f.Names())
	}
	if typ, err := f.Type("b"); err != nil || typ.String() != "tensor<2x1xf32>" {
		t.Errorf("%v, %v", typ, err)
	}
	b, err := f.Read("b")
	if err != nil || !reflect.DeepEqual(b.Floats(), []float64{1, -2}) {
		t.Errorf("%v, %v", b, err)
	}
	a, err := f.Read("a")
	if err != nil || !reflect.DeepEqual(a.Data, []bool{true, false}) {
		t.Errorf("%v, %v", a, err)
	}
	if _, err := f.Read("c"); err == nil {
		t.Error("there is no c")
	}
}

// TestWritten reads what Write writes, for all element types.
func TestWritten(t *testing.T) {
	var all []safetensors.Tensor
	for _, d := range []tensor.DType{
		tensor.Bool, tensor.U8, tensor.U16, tensor.U32, tensor.U64, tensor.I8, tensor.I16, tensor.I32, tensor.I64,
	} {
		all = append(all, safetensors.Tensor{Name: d.String(), Array: tensor.FromWords(d, tensor.Shape{2}, []uint64{1, 0})})
	}
	for _, d := range []tensor.DType{tensor.F16, tensor.BF16, tensor.F32, tensor.F64} {
		all = append(all, safetensors.Tensor{Name: d.String() + ` "quoted"`, Array: tensor.FromFloats(d, tensor.Shape{2, 2}, []float64{1, -2, 0.5, 3})})
	}
	all = append(all, safetensors.Tensor{Name: "scalar", Array: tensor.FromFloats(tensor.F32, tensor.Shape{}, []float64{7})},
		safetensors.Tensor{Name: "empty", Array: tensor.FromFloats(tensor.F32, tensor.Shape{0, 3}, nil)})
	var b bytes.Buffer
	if err := safetensors.Write(&b, all); err != nil {
		t.Fatal(err)
	}
	f, err := open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		got, err := f.Read(want.Name)
		if err != nil || !got.Type.Equal(want.Array.Type) || !reflect.DeepEqual(got.Data, want.Array.Data) {
			t.Errorf("%s: %v, %v", want.Name, got, err)
		}
	}
	if err := safetensors.Write(&b, []safetensors.Tensor{all[0], all[0]}); err == nil {
		t.Error("a name is used twice")
	}
}

// TestMalformed refuses files with the place of the mistake.
func TestMalformed(t *testing.T) {
	ok := `"dtype":"F32","shape":[1],"data_offsets":[0,4]`
	for want, b := range map[string][]byte{
		"fewer than 8 bytes":                     []byte("abc"),
		"give a header of 7 bytes, but 2 follow": append(binary.LittleEndian.AppendUint64(nil, 7), "{}"...),
		"byte 8: the header must begin with {":   file("[]", ""),
		`tensor "a" at byte 12`:                  file(`{"a":`, ""), "the header is no JSON object": file(`{1`, ""),
		"only blanks may follow":                                                    file(`{}x`, ""),
		`tensor "a" at byte 65 is in the header twice`:                              file(`{"a":{`+ok+`},"a":{`+ok+`}}`, "1234"),
		`tensor "a" at byte 12: field "shape" is given twice, again before byte 68`: file(`{"a":{`+ok+`,"shape":[1]}}`, "1234"),
		`tensor "a" at byte 12: unknown field "Shape" before byte 21`:               file(`{"a":{"Shape":[1],`+ok+`}}`, "1234"),
		`unknown field "DTYPE"`:                                                     file(`{"a":{`+ok+`,"DTYPE":"F64"}}`, "1234"),
		`want an object`:                                                            file(`{"a":[1]}`, ""), `tensor "b" at byte 12`: file(`{"b":null}`, ""),
		`tensor "a" at byte 12 needs dtype, shape and data_offsets with two numbers`: file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}`, "1234"),
		`tensor "c" at byte 12 needs dtype, shape and data_offsets`:                  file(`{"c":{"dtype":"F32"}}`, ""),
		`tensor "a": element type "F8_E4M3" is not supported`:                        file(`{"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}}`, "1"),
		`tensor "a": dimension -1 is not between`:                                    file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, "1234"),
		"the shape has 65 dimensions, more than 64":                                  file(`{"a":{"dtype":"F32","shape":[`+strings.Repeat("1,", 64)+`1],"data_offsets":[0,4]}}`, "1234"),
		"has too many elements":                                                      file(`{"a":{"dtype":"F32","shape":[1000000000000,1000000000000],"data_offsets":[0,4]}}`, "1234"),
		`data_offsets [0 3] hold 3 bytes, but tensor<1xf32> has 4`:                   file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,3]}}`, "123"),
		`tensor "a" begins at byte 4 of the elements`:                                file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, "12345678"),
		"the tensors have 4 bytes of elements, but the file has 5":                   file(`{"a":{`+ok+`}}`, "12345"),
		`tensor "b" begins at byte 0 of the elements, but the tens`:                  file(`{"a":{`+ok+`},"b":{`+ok+`}}`, "1234"),
		`unknown field "x"`:                        file(`{"a":{"x":1}}`, ""),
		"__metadata__ must be one object of texts": file(`{"__metadata__":{"a":1}}`, ""),
	} {
		if _, err := open(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	f, err := open(file(`{"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}}`, "\x01\x02"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read("a"); err == nil || !strings.Contains(err.Error(), `tensor "a": element 1 is 2`) {
		t.Errorf("%v", err)
	}
}

// FuzzRead reads files of any content: nothing panics, and every tensor of a file that is accepted has the elements of
// its type.
func FuzzRead(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "1234"))
	f.Add(file(`{"__metadata__":{"k":"v"},"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}}`, "\x00\x01"))
	f.Add(file(`{"a":{"dtype":"I64","shape":[0],"data_offsets":[0,0]}} `, ""))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := open(b)
		if err != nil {
			return
		}
		for _, name := range file.Names() {
			if a, err := file.Read(name); err == nil && a.Check() != nil {
				t.Errorf("tensor %q: %v", name, a.Check())
			}
		}
	})
}
