package cluster

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
)

// FuzzResults reads arbitrary archives of results, with arbitrary announcements of what is in them: an archive is
// accepted only if it holds what was announced, and takes memory only for that.
func FuzzResults(f *testing.F) {
	zipped := func(files ...string) []byte {
		var b bytes.Buffer
		archive(files...)(&b)
		return b.Bytes()
	}
	four, bomb := npyFile(f, 4), npyFile(f, 1<<20)
	f.Add("tensor<4xf32>", zipped("out0.npy", four))
	f.Add("tensor<4xf32>", zipped("out0.npy", four[:len(four)-1]))
	f.Add("tensor<4xf32>", zipped("out0.npy", four, "out1.npy", four))
	f.Add("tensor<4xf32>;tensor<4xf32>", zipped("out0.npy", four, "out0.npy", four))
	f.Add("tensor<1048576xf32>", zipped("out0.npy", strings.Replace(four, "(4,)", "(1048576,)", 1)))
	f.Add("tensor<4xf32>", zipped("out0.npy", bomb))
	f.Add("tensor<-4xf32>", zipped("out0.npy", strings.Replace(four, "(4,)", "(-4,)", 1)))
	f.Add("tensor<f32>", []byte("PK\x05\x06"))
	f.Add("tensor<99999999999x99999999999xf32>", []byte{})
	f.Add("", zipped())
	f.Fuzz(func(t *testing.T, announced string, text []byte) {
		var reveals []api.Learned
		var all []string
		if announced != "" {
			all = strings.Split(announced, ";")
		}
		for i, what := range all {
			reveals = append(reveals, api.Learned{What: "result " + string(rune('0'+i%10)) + ": " + what})
		}
		types, size, err := resultTypes("", len(all), reveals)
		if err != nil {
			return
		}
		if size < 0 || size > maxResults {
			t.Errorf("%q: an archive of %d bytes", announced, size)
		}
		if int64(len(text)) > size {
			return // the client takes no more
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		results, err := arrays(text, types)
		runtime.ReadMemStats(&after)
		if took := int64(after.TotalAlloc - before.TotalAlloc); took > 8<<20+4*size {
			t.Errorf("%q: %d bytes are allocated for results of %d", announced, took, size)
		}
		if err != nil {
			return
		}
		for i, r := range results {
			if r.Type.String() != types[i] || len(r.Floats()) != r.Type.Shape.Size() && r.Type.DType.IsFloat() {
				t.Errorf("result %d is a %v, announced as %q", i, r.Type, types[i])
			}
		}
	})
}
