package console

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image/png"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// withResults makes a fake node answer with results of a job.
func withResults(t *testing.T, f *fake, j api.Job, results ...*tensor.Array) {
	j.Results, j.Reveals = len(results), nil
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for i, a := range results {
		j.Reveals = append(j.Reveals, api.Learned{What: fmt.Sprintf("result %d: %v", i, a.Type), By: []string{"bob"}})
		w, err := z.Create(fmt.Sprintf("out%d.npy", i))
		if err == nil {
			err = npy.Write(w, a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.says("GET /v1/jobs/"+j.ID, j)
	f.HandleFunc("GET /v1/jobs/"+j.ID+"/results", func(w http.ResponseWriter, _ *http.Request) { w.Write(archive.Bytes()) })
	f.HandleFunc("GET /v1/jobs/"+j.ID+"/report", func(w http.ResponseWriter, _ *http.Request) { w.Write(mustJSON(t, testReport())) })
}

// testReport is the report of a run.
func testReport() *profile.Report {
	r := &profile.Report{Program: "town.mlir", Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"alice", "bob"},
		Network: "none"}
	r.Online = profile.Online{Seconds: 0.5, BytesSent: []int64{40, 40}, Messages: []int64{2, 2}, Rounds: 3}
	r.Frames = []profile.Frame{{Outer: -1, Op: -1, Func: "main"}}
	r.Ops = []profile.Op{{
		ID: 0, Op: "stablehlo.dot_general", Loc: "town.mlir:2:8", Calls: 1, BytesSent: []int64{40, 40}, Messages: []int64{2, 2},
		Rounds: 3, PathRounds: 3,
		Sites: []profile.Site{{Frame: 0, Calls: 1, BytesSent: []int64{40, 40}, Messages: []int64{2, 2}, Rounds: 3, PathRounds: 3,
			Depth: []int{0, 3}}},
	}}
	return r
}

func floats(shape tensor.Shape, f func(int) float64) *tensor.Array {
	v := make([]float64, shape.Size())
	for i := range v {
		v[i] = f(i)
	}
	return tensor.FromFloats(tensor.F32, shape, v)
}

// TestResults checks tables, plots, images, downloads and reports.
func TestResults(t *testing.T) {
	f := newFake()
	j := oneJob()
	vector := floats(tensor.Shape{300}, func(i int) float64 { return math.Sin(float64(i) / 10) })
	matrix := floats(tensor.Shape{3, 12, 10}, func(i int) float64 { return float64(i) })
	odd := floats(tensor.Shape{3}, func(i int) float64 { return math.Log(float64(i) - 1) })
	empty := floats(tensor.Shape{0}, nil)
	scalar := tensor.FromWords(tensor.I32, tensor.Shape{}, []uint64{math.MaxUint64})
	withResults(t, f, j, vector, matrix, odd, empty, scalar)
	f.says("GET /v1/jobs", []api.Job{j})
	_, b := start(t, map[string]http.Handler{"bob": f})
	page := b.get("/jobs/" + testID + "/results?node=bob")
	has(t, page, "Result 0", "<polyline", "Not shown: 250 rows", "out1-2.png", "Not shown: 104 columns",
		"2 elements are no finite numbers", "<td>-1</td>", "tensor&lt;0xf32&gt;")
	status, text, h := b.do("GET", "/jobs/"+testID+"/results/out1-2.png?node=bob", nil, nil)
	if status != 200 || h.Get("Content-Type") != "image/png" {
		t.Fatalf("%d %v", status, h)
	}
	img, err := png.Decode(strings.NewReader(text))
	if err != nil || img.Bounds().Dx() != 10 || img.Bounds().Dy() != 12 {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
	_, text, h = b.do("GET", "/jobs/"+testID+"/results/out0.npy?node=bob", nil, nil)
	r, err := npy.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil || r.Type().String() != "tensor<300xf32>" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") {
		t.Errorf("%v, %v", err, h)
	}
	for _, file := range []string{"out9.npy", "out0-0.png", "out1-3.png", "x", "out-1.npy", "out1-99999999999999999999.png", "outx.npy"} {
		if status, _, _ := b.do("GET", "/jobs/"+testID+"/results/"+file+"?node=bob", nil, nil); status != http.StatusNotFound {
			t.Errorf("%s: %d", file, status)
		}
	}
	status, page, h = b.do("GET", "/jobs/"+testID+"/report?node=bob", nil, nil)
	csp := h.Get("Content-Security-Policy")
	if status != 200 || !strings.Contains(csp, "style-src 'sha256-") || strings.Contains(csp, "unsafe") || strings.Contains(page,
		" style=") {
		t.Errorf("%d %s %.300s", status, csp, page)
	}
	has(t, page, "Run of town.mlir")
	has(t, b.get("/compare?a=bob:"+testID+"&b=bob:"+testID), "Every operation costs the same in both", "online bytes")
}

// TestLargeResults checks that results above the bound are not fetched.
func TestLargeResults(t *testing.T) {
	f := newFake()
	j := oneJob()
	j.Reveals[0].What = "result 0: tensor<100000000xf32>"
	f.says("GET /v1/jobs/"+testID, j)
	_, b := start(t, map[string]http.Handler{"bob": f})
	status, text, _ := b.do("GET", "/jobs/"+testID+"/results?node=bob", nil, nil)
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "tacet fetch 01234567 --node bob") {
		t.Errorf("%d %s", status, text)
	}
}
