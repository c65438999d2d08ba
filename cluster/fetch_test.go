package cluster

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/tensor"
)

// hostile is a node whose answers a test determines.
type hostile struct {
	job     api.Job
	report  func(io.Writer)
	results func(io.Writer)
}

// fetch fetches the results of a job from the node.
func (h hostile) fetch(t *testing.T) ([]*tensor.Array, error) {
	results, _, err := Fetch(t.Context(), h.client(t), "17")
	return results, err
}

// client returns a client of the node, which lives as long as the test.
func (h hostile) client(t *testing.T) *api.Client {
	t.Helper()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		api.Identify(w.Header())
		switch {
		case strings.HasSuffix(r.URL.Path, "/report"):
			h.report(w)
		case strings.HasSuffix(r.URL.Path, "/results"):
			h.results(w)
		default:
			api.Answer(w, h.job)
		}
	}))
	t.Cleanup(node.Close)
	return api.Over("alice", "alice", func(context.Context) (net.Conn, error) { return net.Dial("tcp", node.Listener.Addr().String()) })
}

// TestFetchFurther fetches results of a service's further program, which has other results than the first one.
func TestFetchFurther(t *testing.T) {
	h := hostile{
		api.Job{Reveals: []api.Learned{{What: "result 0: tensor<3xf32>"}, {What: "result 1: tensor<i1>"}, {What: "of program fill, result 0: tensor<4xf32>"}}},
		func(w io.Writer) { io.WriteString(w, `{"protocol": "semi2k", "parties": ["alice", "bob"]}`) }, archive("out0.npy", npyFile(t, 4)),
	}
	for program, want := range map[string]string{
		"fill": "", "": "says that it has 1 results, and announces the types of 2", "drain": "announces the types of 0",
	} {
		results, _, err := FetchRequest(t.Context(), h.client(t), api.RequestStatus{Service: "17", ID: "18", Program: program, Results: 1})
		if want == "" && (err != nil || len(results) != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("program %q: %v, %v; want %q", program, results, err, want)
		}
	}
}

// npyFile returns the text of an .npy file of float32 zeros.
func npyFile(t testing.TB, n int) string {
	t.Helper()
	var b strings.Builder
	if err := npy.Write(&b, tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{n}})); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archive returns what sends a zip archive of files, as name and content in turns.
func archive(files ...string) func(io.Writer) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, _ := z.Create(files[i])
		io.WriteString(f, files[i+1])
	}
	z.Close()
	return func(w io.Writer) { w.Write(b.Bytes()) }
}

// TestFetchHostile fetches from nodes that send too much or something else than they announce.
func TestFetchHostile(t *testing.T) {
	announced := func(types ...string) (out []api.Learned) {
		for i, text := range types {
			out = append(out, api.Learned{What: fmt.Sprintf("result %d: %s", i, text), By: []string{"alice"}})
		}
		return append(out, api.Learned{What: "intermediate loss (%5): tensor<f32>"})
	}
	good := func(w io.Writer) { io.WriteString(w, `{"protocol": "semi2k", "parties": ["alice", "bob"]}`) }
	four, bomb := npyFile(t, 4), npyFile(t, 16<<20)
	for name, c := range map[string]struct {
		node hostile
		want string
	}{
		"good":           {hostile{api.Job{Results: 1, Reveals: announced("tensor<4xf32>")}, good, archive("out0.npy", four)}, ""},
		"negative":       {hostile{api.Job{Results: -1}, good, archive()}, "says that it has -1 results"},
		"many":           {hostile{api.Job{Results: 1 << 40}, good, archive()}, "results, and announces the types of 0"},
		"another type":   {hostile{api.Job{Results: 1, Reveals: announced("tensor<5xf32>")}, good, archive("out0.npy", four)}, "but the node announced"},
		"another name":   {hostile{api.Job{Results: 1, Reveals: announced("tensor<4xf32>")}, good, archive("../out0.npy", four)}, `"out0" is not in the archive`},
		"a file more":    {hostile{api.Job{Results: 1, Reveals: announced("tensor<4xf32>")}, good, archive("out0.npy", four, "x", "y")}, "has 2 files for 1 results"},
		"twice":          {hostile{api.Job{Results: 2, Reveals: announced("tensor<4xf32>", "tensor<4xf32>")}, good, archive("out0.npy", four, "out0.npy", four)}, "twice"},
		"a bomb":         {hostile{api.Job{Results: 1, Reveals: announced("tensor<4xf32>")}, good, archive("out0.npy", bomb)}, "is longer than"},
		"a small bomb":   {hostile{api.Job{Results: 1, Reveals: announced("tensor<65536xf32>")}, good, archive("out0.npy", bomb)}, "but the node announced"},
		"huge":           {hostile{api.Job{Results: 1, Reveals: announced("tensor<1000000000000xf32>")}, good, archive()}, "above the maximum"},
		"overflow":       {hostile{api.Job{Results: 1, Reveals: announced("tensor<4294967296x4294967296xf32>")}, good, archive()}, "above the maximum"},
		"endless zip":    {hostile{api.Job{Results: 1, Reveals: announced("tensor<4xf32>")}, good, endless}, "archive of the results is longer than"},
		"no zip":         {hostile{api.Job{Results: 1, Reveals: announced("tensor<4xf32>")}, good, good}, "not an .npz archive"},
		"endless report": {hostile{api.Job{}, endless, nil}, "the report is longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			results, err := c.node.fetch(t)
			runtime.ReadMemStats(&after)
			if c.want == "" && (err != nil || len(results) != 1) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, %v; want %q", results, err, c.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; name != "endless report" && took > 32<<20 {
				t.Errorf("%d MiB were allocated", took>>20)
			}
		})
	}
}

// endless writes until the client has enough.
func endless(w io.Writer) {
	for text := bytes.Repeat([]byte(" "), 1<<16); ; {
		if _, err := w.Write(text); err != nil {
			return
		}
	}
}
