package profile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample returns a report of two parties and three operations, one of which has no cost.
func sample() *Report {
	r := &Report{
		Program: "program.mlir", Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"alice", "bob"}, Network: "none",
		Input:   Phase{Seconds: 0.25, BytesSent: []int64{160, 80}, Rounds: 1},
		Online:  Online{Seconds: 0.5, BytesSent: []int64{300, 310}, Messages: []int64{3, 4}, Rounds: 5},
		Output:  Phase{BytesSent: []int64{40, 40}, Rounds: 1},
		Offline: Offline{Seconds: 0.125, BytesSent: 1000, Rounds: 1},
		Setup:   Phase{Seconds: 0.5, BytesSent: []int64{30, 20}, Rounds: 1},
		Frames:  []Frame{{Outer: -1, Op: -1, Func: "main"}},
		Ops: []Op{
			{
				ID:           0,
				Op:           "stablehlo.multiply",
				Loc:          "program.mlir:3:5",
				Calls:        1,
				Seconds:      0.1,
				BytesSent:    []int64{100, 110},
				Messages:     []int64{1, 2},
				Rounds:       1,
				OfflineBytes: 700,
			},
			{ID: 1, Op: "stablehlo.reshape", Loc: "program.mlir:4:5", Calls: 1, Seconds: 0.2, BytesSent: []int64{0, 0}, Messages: []int64{0, 0}},
			{
				ID:           2,
				Op:           "stablehlo.maximum",
				Loc:          "program.mlir:5:5",
				Calls:        2,
				Seconds:      0.2,
				BytesSent:    []int64{200, 200},
				Messages:     []int64{2, 2},
				Rounds:       4,
				OfflineBytes: 300,
			},
		},
	}
	for i := range r.Ops {
		o := &r.Ops[i]
		o.Predicted = OpCost{o.BytesSent, o.Messages, o.Rounds, o.OfflineBytes}
		o.PathRounds = o.Rounds
		o.Sites = []Site{
			{
				Calls:        o.Calls,
				Seconds:      o.Seconds,
				BytesSent:    o.BytesSent,
				Messages:     o.Messages,
				Rounds:       o.Rounds,
				OfflineBytes: o.OfflineBytes,
				PathRounds:   o.PathRounds,
			},
		}
	}
	r.Predicted.Online.BytesSent, r.Predicted.Online.Messages, r.Predicted.Online.Rounds = r.Online.BytesSent, r.Online.Messages,
		r.Online.Rounds
	r.Predicted.Offline.BytesSent = r.Offline.BytesSent
	return r
}

// plan returns the sample's report before the run.
func plan() *Report {
	r := sample()
	r.Online, r.Offline.BytesSent = Online{}, 0
	for i := range r.Ops {
		o := &r.Ops[i]
		o.BytesSent, o.Messages, o.Rounds, o.OfflineBytes, o.Seconds = nil, nil, 0, 0, 0
	}
	return r
}

func TestWriteThenRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	for range 2 {
		if err := Write(path, sample()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sample(), got); d != "" {
		t.Error(d)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left %v", left)
	}
}

// TestFormerKeys checks that reports with the keys of version 0.1 are read.
func TestFormerKeys(t *testing.T) {
	r, err := Parse(
		[]byte(`{"protocol": "semi2k", "parties": ["a", "b"], "from": "loop 1", "ops": [{"op": "dot"}, {"op": "add", "whole": "softmax"}],
		"plan": {"staying_bytes": [3, 4]}}`),
	)
	if err != nil {
		t.Fatal(err)
	}
	if r.ResumedFrom != "loop 1" || r.Ops[0].Pattern != "" || r.Ops[1].Pattern != "softmax" ||
		!slices.Equal(r.Plan.ResidentBytes, []int64{3, 4}) {
		t.Errorf("got %+v, plan %+v", r, r.Plan)
	}
}

func TestWriteLeavesNothingHalfWritten(t *testing.T) {
	dir := t.TempDir()
	bad := sample()
	bad.Online.Seconds = 1 / zero
	if err := Write(filepath.Join(dir, "report.json"), bad); err == nil {
		t.Error("wrote an infinity")
	}
	if err := Write(filepath.Join(dir, "none", "report.json"), sample()); err == nil {
		t.Error("wrote into a folder that is not there")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

var zero float64

func TestReportKeysAreTheInterface(t *testing.T) {
	r := sample()
	r.Expect = &Expect{MaxAbsError: []float64{0}, MaxRelError: []float64{0}, OK: true}
	b, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"program", "protocol", "ring", "fraction", "parties", "network", "setup.bytes_sent", "input.bytes_sent", "online.messages", "output.rounds",
		"offline.seconds", "predicted.online.bytes_sent", "predicted.offline.bytes_sent", "peak_memory_bytes", "ops", "expect.max_abs_error", "expect.max_rel_error", "expect.ok"} {
		var at any = tree
		for key := range strings.SplitSeq(path, ".") {
			m, _ := at.(map[string]any)
			at = m[key]
		}
		if at == nil {
			t.Errorf("no %s in %s", path, b)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	for text, want := range map[string]string{
		"hello":           "r.json: not a report: invalid character",
		"{}":              "r.json: not a report: it names no protocol",
		`{"ring": "64"}`:  "r.json: not a report: json: cannot unmarshal string",
		`{"program": "x"`: "r.json: not a report: unexpected end",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	if _, err := Read("gone.json"); err == nil || !strings.Contains(err.Error(), "gone.json: no such file") {
		t.Error(err)
	}
}

// printed returns the printed table with runs of blanks collapsed.
func printed(t *testing.T, print func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := print(&b); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

func TestSummary(t *testing.T) {
	const title = "program.mlir: semi2k among alice, bob, ring 64, fraction 18, network none\n"
	got := printed(t, func(b *bytes.Buffer) error { return Summary(b, sample()) })
	want := title + `phase bytes sent predicted rounds predicted seconds by party
setup 50 1 0.5000 30 + 20
input 240 1 0.2500 160 + 80
online 610 610 5 5 0.5000 300 + 310
output 80 1 - 40 + 40
offline 1000 1000 1 1 0.1250
online messages: 3 + 4
Bytes, messages, rounds and offline bytes are as predicted, for each of 3 operations.`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = printed(t, func(b *bytes.Buffer) error { return Summary(b, plan()) })
	want = title + `phase bytes sent rounds by party
setup 50 1 30 + 20
input 240 1 160 + 80
online 610 5 300 + 310
output 80 1 40 + 40
offline 1000 1
online messages: 3 + 4`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestVerdict(t *testing.T) {
	r := sample()
	r.Ops[2].Predicted.Rounds++
	if got, want := r.verdict(), "1 of 3 operations differ from the prediction; the first is stablehlo.maximum at program.mlir:5:5."; got != want {
		t.Error(got)
	}
	r.Ops[2].Expected = true // only the offline bytes are compared
	if got := r.verdict(); !r.Expected() ||
		!strings.HasPrefix(got, "Bytes, messages, rounds and offline bytes are as predicted for each of 3 operations, except sorts") {
		t.Error(got)
	}
	r.Ops[2].OfflineBytes++
	if got, want := r.verdict(), "1 of 3 operations differ from the prediction; the first is stablehlo.maximum at program.mlir:5:5."; got != want {
		t.Error(got)
	}
	r = sample()
	r.Predicted.Offline.BytesSent--
	if got, want := r.verdict(), "The totals of the phases differ from the prediction."; got != want {
		t.Error(got)
	}
}

const opsHead, mulRow, maxRow, reshapeRow = "bytes sent share messages rounds on path offline seconds calls operation\n",
	"210 34.4% 3 1 1 700 0.1000 1 stablehlo.multiply program.mlir:3:5",
	"400 65.6% 4 4 4 300 0.2000 2 stablehlo.maximum program.mlir:5:5",
	"0 0.0% 0 0 0 0 0.2000 1 stablehlo.reshape program.mlir:4:5"

func TestOps(t *testing.T) {
	for by, want := range map[Order]string{
		ByBytes:   opsHead + maxRow + "\n" + mulRow,
		ByRounds:  opsHead + maxRow + "\n" + mulRow,
		ByOffline: opsHead + mulRow + "\n" + maxRow,
		BySeconds: opsHead + reshapeRow + "\n" + maxRow + "\n" + mulRow,
	} {
		if d := cmp.Diff(want, printed(t, func(b *bytes.Buffer) error { return Ops(b, sample(), by, 10) })); d != "" {
			t.Errorf("by %s: %s", by, d)
		}
	}
	got := printed(t, func(b *bytes.Buffer) error { return Ops(b, plan(), ByBytes, 1) })
	if d := cmp.Diff(opsHead+strings.Replace(maxRow, "0.2000", "-", 1)+"\nand 1 more", got); d != "" {
		t.Error(d)
	}
	got = printed(t, func(b *bytes.Buffer) error { return Ops(b, &Report{}, ByBytes, 1) })
	if got != "no operation has a cost" {
		t.Error(got)
	}
}

// TestHighlights: the output has the most expensive operations of each order and no others.
func TestHighlights(t *testing.T) {
	r := sample()
	got := printed(t, func(b *bytes.Buffer) error { return Highlights(b, r) })
	if d := cmp.Diff(opsHead+maxRow+"\n"+mulRow+"\n"+reshapeRow, got); d != "" {
		t.Error(d)
	}
	for i := range 6 {
		o := r.Ops[0]
		o.ID, o.BytesSent, o.Rounds, o.OfflineBytes, o.Seconds = 10+i, []int64{int64(i), 0}, 0, 0, 0
		r.Ops = append(r.Ops, o)
	}
	got = printed(t, func(b *bytes.Buffer) error { return Highlights(b, r) })
	if strings.Count(got, "\n") != 5 || !strings.HasSuffix(got, "\nand 4 more") { // five more have a cost, one is shown
		t.Error(got)
	}
}

// TestLabels: a label has the pattern and the name beside the operation.
func TestLabels(t *testing.T) {
	r := sample()
	r.Ops[0].Pattern, r.Ops[0].Name = "softmax", "jit(f)/attention/div"
	got := printed(t, func(b *bytes.Buffer) error { return Ops(b, r, ByOffline, 1) })
	if !strings.Contains(got, "softmax (stablehlo.multiply) program.mlir:3:5 jit(f)/attention/div") {
		t.Error(got)
	}
}
