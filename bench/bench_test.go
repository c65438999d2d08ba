package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

func settings(protocol string, parties ...string) party.Spec {
	return party.Spec{Protocol: protocol, Ring: 64, Fraction: 18, Parties: parties, Computing: len(parties), Network: "none"}
}

// small returns all operations with small shapes.
func small() []Op {
	ops := []Op{matmul(6)}
	for _, o := range Ops() {
		if o.Elements > 0 {
			ops = append(ops, o)
		}
	}
	for _, c := range []convolution{{9, 2, 3, 7, 2}, {7, 3, 2, 3, 1}, {6, 2, 2, 3, 1}} {
		ops = append(ops, Op{c.name(), 0, func(int) program { return c.program() }})
		if c.window == 3 {
			ops = append(ops, Op{"winograd " + c.name(), 0, func(int) program { return c.winograd() }})
		}
	}
	return ops
}

// TestOps: every operation runs within its error bound and opens its operands.
func TestOps(t *testing.T) {
	cheap := []string{"relu", "less", "matmul-6"} // with cheetah, whose functions take seconds
	for _, s := range []party.Spec{settings("semi2k", "a", "b"), settings("plain", "a", "b"), settings("cheetah", "a", "b")} {
		left := len(cheap)
		for _, o := range small() {
			if s.Protocol == "cheetah" && !slices.Contains(cheap, o.Name) {
				continue
			}
			left--
			c, err := o.Case(s, 30)
			if err != nil {
				t.Fatalf("%s: %v", o.Name, err)
			}
			r, err := c.Measure(context.Background(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Elements != c.Elements || r.Elements == 0 || r.MaxAbsError == nil || *r.MaxAbsError > 1e-4 {
				t.Errorf("%s, %s: %+v, error %v", s.Protocol, o.Name, r, *r.MaxAbsError)
			}
			if s.Protocol != "plain" && (r.Rounds == 0 || r.BytesPerElement < 1) {
				t.Errorf("%s: %d rounds, %v bytes an element: the operands are not fresh", o.Name, r.Rounds, r.BytesPerElement)
			}
		}
		if left > 0 {
			t.Errorf("%s: %d operations were not measured", s.Protocol, left)
		}
	}
}

// TestWinograd: the Winograd form computes the same convolution.
func TestWinograd(t *testing.T) {
	c := convolution{5, 2, 3, 3, 1}
	direct, err := Op{"conv", 0, func(int) program { return c.program() }}.Case(settings("plain", "a", "b"), 0)
	if err != nil {
		t.Fatal(err)
	}
	tiled, err := Op{"winograd", 0, func(int) program { return c.winograd() }}.Case(settings("plain", "a", "b"), 0)
	if err != nil {
		t.Fatal(err)
	}
	tiled.Spec.Args[0] = direct.Spec.Args[0]
	copy(tiled.Spec.Args[1].Data.Floats(), transformed(direct.Spec.Args[1].Data.Floats()))
	var results [2][]float64
	for i, k := range []Case{direct, tiled} {
		out, err := party.Run(context.Background(), k.Spec)
		if err != nil {
			t.Fatal(err)
		}
		results[i] = out.Results[0].Floats()
	}
	for i, x := range results[0] {
		if math.Abs(x-results[1][i]) > 1e-4 {
			t.Fatalf("element %d is %v, not %v", i, results[1][i], x)
		}
	}
}

// transformed returns G·g·Gᵀ of every 3×3 kernel, with the position in the tile as first dimension.
func transformed(kernel []float64) []float64 {
	g := [4][3]float64{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}}
	channels := len(kernel) / 9
	out := make([]float64, 16*channels)
	for i := range 16 {
		for j := range 9 {
			for c := range channels {
				out[i*channels+c] += g[i/4][j/3] * g[i%4][j%3] * kernel[j*channels+c]
			}
		}
	}
	return out
}

// TestMeasure: costs are those of one run, times are over all runs, and errors are computed.
func TestMeasure(t *testing.T) {
	c, err := Ops()[0].Case(settings("semi2k", "a", "b", "c"), 40)
	if err != nil {
		t.Fatal(err)
	}
	var runs []int
	right := c.Want
	c.Want = func(ctx context.Context) ([]*tensor.Array, error) {
		out, err := right(ctx)
		out[0].Floats()[7] += 3
		return out, err
	}
	r, err := c.Measure(context.Background(), 3, func(run int) { runs = append(runs, run) })
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 3 || r.Runs != 3 || r.Parties != 3 || r.Elements != 40 || r.BytesSent != int64(r.BytesPerElement*40) {
		t.Errorf("runs %v, %+v", runs, r)
	}
	if o := r.Online; !(0 < o.Min && o.Min <= o.Median && o.Median <= o.Max) || r.Offline.Min <= 0 ||
		math.Abs(r.NanosPerElement-o.Min*1e9/40) > 1e-9 {
		t.Errorf("times %+v, %+v, %v", r.Online, r.Offline, r.NanosPerElement)
	}
	if cpuTime() > 0 && !(0 < r.CPU.Min && r.CPU.Min <= r.CPU.Max) {
		t.Errorf("CPU %+v", r.CPU)
	}
	if math.Abs(*r.MaxAbsError-3) > 1e-3 {
		t.Errorf("error %v", *r.MaxAbsError)
	}
	c.Want = func(context.Context) ([]*tensor.Array, error) { return nil, errors.ErrUnsupported }
	if _, err := c.Measure(context.Background(), 1, nil); !errors.Is(err, errors.ErrUnsupported) || !strings.HasPrefix(err.Error(), "mul: ") {
		t.Errorf("%v", err)
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want Times
	}{
		{[]float64{2}, Times{2, 2, 2}},
		{[]float64{5, 1}, Times{1, 3, 5}},
		{[]float64{4, 9, 1}, Times{1, 4, 9}},
	} {
		if got := timesOf(c.in); got != c.want {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	off := 1e-6
	rows := Table{
		{
			Op:              "mul",
			Elements:        10,
			Rounds:          3,
			Online:          Times{0.1, 0.2, 0.3},
			NanosPerElement: 1e7,
			BytesPerElement: 8,
			OfflineBytes:    70,
			MaxAbsError:     &off,
		},
		{Op: "job.yaml", Rounds: 4},
	}
	var b strings.Builder
	if err := Heading(&b); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := r.Print(&b); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(b.String(), "\n")
	want := [][]string{
		{"mul", "10", "0.1000", "–", "0.2000", "–", "0.3000", "10000000.0", "8.00", "3", "70", "0.0000", "1e-06"},
		{"job.yaml", "0.0000", "–", "0.0000", "–", "0.0000", "4", "0", "0.0000"},
	}
	for i, w := range want {
		if got := strings.Join(strings.Fields(lines[i+1]), " "); got != strings.Join(w, " ") {
			t.Errorf("row %d is %q", i, got)
		}
	}
	text, err := rows.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back []map[string]any
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if _, has := back[1]["max_abs_error"]; back[0]["ns_per_element"] != 1e7 || back[0]["max_abs_error"] != off || has {
		t.Errorf("%s", text)
	}
}

// TestExport: the exported program is the measured one without Tacet's custom calls.
func TestExport(t *testing.T) {
	c, err := Ops()[0].Case(settings("semi2k", "a", "b"), 10)
	if err != nil {
		t.Fatal(err)
	}
	c.Spec.Args[1].Owner = party.Public
	c.Name = "some/where/job.yaml"
	dir, err := c.Export(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(dir) != "where" {
		t.Errorf("written to %s", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "task.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got Task
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := Task{"where", "program.mlir", 2, 64, 18, []Argument{{"argument0.npy", false}, {"argument1.npy", true}}, []string{"result0.npy"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	program, err := hlo.ReadFile(filepath.Join(dir, got.Program))
	if err != nil {
		t.Fatal(err)
	}
	args := []*tensor.Array{read(t, dir, "argument0.npy"), read(t, dir, "argument1.npy")}
	out, err := eval.Func(context.Background(), program.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	if r := read(t, dir, "result0.npy").Floats(); len(r) != 10 || !slices.Equal(r, out[0].Floats()) {
		t.Errorf("%v, want %v", r, out[0].Floats())
	}
}

func read(t *testing.T, dir, name string) *tensor.Array {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := npy.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.Array()
	if err != nil {
		t.Fatal(err)
	}
	return a
}
