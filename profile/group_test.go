package profile

import (
	"bytes"
	"strings"
	"testing"
)

// deep returns a report of two layers and a function that both call, the second one in a loop.
func deep() *Report {
	site := func(frame, rounds int, bytes int64) Site {
		return Site{
			Frame:        frame,
			BytesSent:    []int64{bytes, bytes},
			Messages:     []int64{min(1, bytes), min(1, bytes)},
			PathRounds:   rounds,
			OfflineBytes: 10 * bytes,
			Seconds:      float64(bytes),
		}
	}
	return &Report{
		Frames: []Frame{{-1, -1, "main"}, {0, 2, "relu"}, {0, 4, ""}, {2, 6, "relu"}},
		Ops: []Op{
			{ID: 0, Op: "stablehlo.add", Loc: "p.mlir:1:5", Sites: []Site{site(0, 1, 1)}},
			{ID: 1, Op: "stablehlo.convolution", Loc: "p.mlir:2:5", Sites: []Site{site(0, 1, 10)}},
			{ID: 2, Op: "func.call", Loc: "p.mlir:3:5"},
			{ID: 4, Op: "stablehlo.while", Loc: "p.mlir:4:5"},
			{ID: 5, Op: "stablehlo.dot_general", Loc: "p.mlir:5:5", Sites: []Site{site(2, 2, 100)}},
			{ID: 6, Op: "func.call", Loc: "p.mlir:6:5"},
			{ID: 9, Op: "stablehlo.maximum", Loc: "p.mlir:9:5", Sites: []Site{site(1, 4, 1000), site(3, 8, 5000)}},
			{ID: 10, Op: "stablehlo.tanh", Loc: "p.mlir:9:25", Sites: []Site{site(0, 0, 0)}},
		},
	}
}

func groups(t *testing.T, r *Report, by Grouping, order Order, most int) string {
	t.Helper()
	return printed(t, func(b *bytes.Buffer) error { return PrintGroups(b, r.Groups(by), order, most) })
}

func TestGroups(t *testing.T) {
	const head = "bytes sent messages rounds offline seconds where\n"
	for _, c := range []struct {
		by    Grouping
		order Order
		most  int
		want  string
	}{
		{ByLayer, ProgramOrder, 9, head +
			"2 2 1 10 1.0000 before the first layer\n" +
			"2020 4 5 10100 1010.0000 convolution p.mlir:2\n" +
			"10200 4 10 51000 5100.0000 dot_general p.mlir:5"},
		{ByLayer, ByRounds, 1, head + "10200 4 10 51000 5100.0000 dot_general p.mlir:5\nand 2 more"},
		{ByLine, ByBytes, 2, head + "12000 4 12 60000 6000.0000 p.mlir:9\n200 2 2 1000 100.0000 p.mlir:5\nand 2 more"},
	} {
		if got := groups(t, deep(), c.by, c.order, c.most); got != c.want {
			t.Errorf("by %s:\n%s\nwant\n%s", c.by, got, c.want)
		}
	}
	if got := groups(t, &Report{}, ByLine, ByBytes, 9); got != "no operation has a cost" {
		t.Error(got)
	}
}

// TestNamedLayers: an operation's name gives its layer; an operation without a name belongs to the
// layer of the contraction before it.
func TestNamedLayers(t *testing.T) {
	for name, want := range map[string]string{
		"jit(f)/jit(main)/block_0/dense/dot_general": "block_0/dense",
		"jit(f)/exp":   "jit(f)",
		"relu/maximum": "",
		"":             "",
	} {
		if got, _ := (&Report{}).layers().named(Op{Name: name}, 0); got != want {
			t.Errorf("%q is in %q, want %q", name, got, want)
		}
	}
	r := deep()
	r.Ops[2].Name, r.Ops[6].Name = "jit(f)/act/jit(relu)", "relu/max" // names relative to the call
	if got, _ := r.layers().named(r.Ops[6], 1); got != "act/relu" {
		t.Error(got)
	}
	r.Ops[2].Name = ""
	r.Ops[1].Name, r.Ops[6].Name = "jit(f)/stem/conv", "jit(f)/act/max"
	got := groups(t, r, ByLayer, ByBytes, 9)
	if !strings.Contains(got, "12000 4 12 60000 6000.0000 act\n") || !strings.Contains(got, " stem") {
		t.Error(got)
	}
}
