package hostile

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/tacet-mpc/tacet/node/api"
)

// File is a hostile file of arrays or of a model: one that is cut, that promises more than it has, or that contradicts itself.
type File struct {
	Name     string        // name of the case, for test messages
	Ext      string        // ".safetensors" or ".onnx"
	Accepted bool          // the file is odd, but may be read
	Large    bool          // the file has megabytes
	Write    func() []byte // returns the content
}

// Files returns all hostile files.
func Files() []File { return append(safetensors(), models()...) }

// files are submissions that have a hostile file where a node reads what a submitter sends: as the program and as a public array.
func files() []Case {
	var out []Case
	for _, f := range Files() {
		out = append(out, Case{Name: "program: " + f.Name, Large: f.Large, change: func(s *api.Submission) {
			s.Program.Name, s.Program.Text = "model"+f.Ext, f.Write()
		}}, Case{Name: "public array: " + f.Name, Large: f.Large, change: func(s *api.Submission) {
			s.Public = []api.Public{{Arg: 0, Array: f.Write()}}
		}})
	}
	return out
}

// safetensors are files in the format safetensors.
func safetensors() []File {
	file := func(header, data string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+data...)
	}
	const four = `"dtype":"F32","shape":[4],"data_offsets":[0,16]`
	data := strings.Repeat("\x00", 16)
	out := []File{
		{Name: "empty", Write: func() []byte { return nil }},
		{Name: "cut in the length", Write: func() []byte { return []byte{1, 0, 0} }},
		{Name: "cut in the header", Write: func() []byte { return file(`{"arg0":{`+four+`}}`, data)[:30] }},
		{Name: "cut in the elements", Write: func() []byte { return file(`{"arg0":{`+four+`}}`, data[1:]) }},
		{Name: "a header of 2^64 bytes", Write: func() []byte { return append(binary.LittleEndian.AppendUint64(nil, math.MaxUint64), data...) }},
		{Name: "a header of 2^63 bytes", Write: func() []byte { return append(binary.LittleEndian.AppendUint64(nil, 1<<63), data...) }},
		{Name: "a header of 20 MiB", Large: true, Write: func() []byte { return file("{"+strings.Repeat(" ", 20<<20)+"}", "") }},
		{Name: "10^6 tensors", Large: true, Write: func() []byte {
			var b strings.Builder
			b.WriteByte('{')
			for i := range 1_000_000 {
				fmt.Fprintf(&b, `"%d":{},`, i)
			}
			return file(b.String()+`"arg0":{`+four+`}}`, data)
		}},
	}
	for name, header := range map[string]string{
		"no object":              `[1]`,
		"lists in lists":         `{"arg0":` + strings.Repeat("[", 100_000) + `}`,
		"objects in objects":     `{"arg0":{"shape":` + strings.Repeat(`{"a":`, 1000) + `}}`,
		"a name twice":           `{"arg0":{` + four + `},"arg0":{` + four + `}}`,
		"a field twice":          `{"arg0":{` + four + `,"shape":[2,2]}}`,
		"a field in capitals":    `{"arg0":{` + four + `,"SHAPE":[2,2]}}`,
		"overlapping offsets":    `{"arg0":{` + four + `},"arg1":{"dtype":"F32","shape":[3],"data_offsets":[4,16]}}`,
		"equal offsets":          `{"arg0":{` + four + `},"arg1":{` + four + `}}`,
		"a gap":                  `{"arg0":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`,
		"offsets beyond the end": `{"arg0":{"dtype":"F32","shape":[4],"data_offsets":[1099511627776,1099511627792]}}`,
		"negative offsets":       `{"arg0":{"dtype":"F32","shape":[4],"data_offsets":[-16,0]}}`,
		"offsets that overflow":  `{"arg0":{"dtype":"F32","shape":[4],"data_offsets":[-9223372036854775808,9223372036854775807]}}`,
		"2^40 elements":          `{"arg0":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}}`,
		"elements that overflow": `{"arg0":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,16]}}`,
		"2^70 elements":          `{"arg0":{"dtype":"F32","shape":[1180591620717411303424],"data_offsets":[0,16]}}`,
		"100000 dimensions":      `{"arg0":{"dtype":"F32","shape":[` + strings.Repeat("1,", 99_999) + `4],"data_offsets":[0,16]}}`,
		"an unknown type":        `{"arg0":{"dtype":"\u001b[2J","shape":[4],"data_offsets":[0,16]}}`,
		"control characters":     `{"\u001b]0;x\u0007\n":{` + four + `}}`,
		"no UTF-8":               "{\"\xff\xfe\":{" + four + `}}`,
		"metadata of numbers":    `{"__metadata__":{"a":1},"arg0":{` + four + `}}`,
		"null":                   `{"arg0":null}`,
		"text after the header":  `{"arg0":{` + four + `}}{}`,
	} {
		out = append(out, File{Name: name, Write: func() []byte { return file(header, data) }})
	}
	for i := range out {
		out[i].Name, out[i].Ext = "safetensors, "+out[i].Name, ".safetensors"
	}
	return sortedByName(out)
}
