package study

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

func product(data bool) Trial {
	t := Trial{
		Name:    "product",
		Owners:  []int{0, 1},
		Ring:    64,
		Parties: 2,
		Text: `func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xf64> {
 %0 = stablehlo.multiply %a, %b : tensor<3xf64>
 return %0 : tensor<3xf64>
}`,
	}
	if data {
		t.Data = []*tensor.Array{
			tensor.FromFloats(tensor.F64, tensor.Shape{3}, []float64{1, 2, 3}),
			tensor.FromFloats(tensor.F64, tensor.Shape{3}, []float64{4, 5, -6}),
		}
	}
	return t
}

// TestTrial: a trial is planned without data, run, and computed in the clear.
func TestTrial(t *testing.T) {
	ctx := context.Background()
	l := &Lab{Machine: timing.Default}
	r, err := l.Plan(ctx, product(false))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range Networks {
		if s := Online(r, n.Name); !(s > 0) {
			t.Errorf("on %s it takes %v s", n.Name, s)
		}
	}
	run := product(true)
	out, err := l.Run(ctx, run, "none", 2)
	if err != nil {
		t.Fatal(err)
	}
	want, err := run.EvalClear(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want[0].Floats() {
		if got := out.Results[0].Floats()[i]; got < w-1e-5 || got > w+1e-5 {
			t.Errorf("element %d is %v, want %v", i, got, w)
		}
	}
	if a, b := Sum(r.Online.BytesSent), Sum(out.Report.Online.BytesSent); a != b {
		t.Errorf("%d bytes planned, %d sent", a, b)
	}
	run.Set = map[string]string{"exp.mode": "guess"}
	if _, err := l.Plan(ctx, run); err == nil || !strings.HasPrefix(err.Error(), "product: ") {
		t.Errorf("a mode that does not exist: %v", err)
	}
}

// TestPage: a page and its files are written; write errors are returned.
func TestPage(t *testing.T) {
	l := &Lab{Dir: filepath.Join(t.TempDir(), "a", "b"), Quick: true}
	if err := l.Open(); err != nil {
		t.Fatal(err)
	}
	write := func() error {
		p := l.NewPage("demo", "A title")
		p.Heading("A part")
		p.Text("%d words", 2)
		p.Bounds([]Bound{{"bytes", 3, 2}, {"rounds", 1, 2}})
		p.Figure("line", "a line", &Figure{Panels: []Panel{{Series: []Series{{X: []float64{1, 2}, Y: []float64{3, 4}, Line: true}}}}})
		p.Data("more", &Table{Columns: []string{"x"}})
		return p.Close()
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(l.Dir, "demo.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"# A title\n", "\n## A part\n", "\n2 words\n", "| bytes | 3 | 2 | yes |", "| rounds | 1 | 2 | **no** |", "![a line](demo-line.svg)", "(demo-more.csv)"} {
		if !strings.Contains(string(b), text) {
			t.Errorf("the page lacks %q:\n%s", text, b)
		}
	}
	for _, file := range []string{"demo-bounds.csv", "demo-line.svg", "demo-line.png", "demo-more.csv"} {
		if info, err := os.Stat(filepath.Join(l.Dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	l.Dir = filepath.Join(l.Dir, "demo.md")
	if err := l.Open(); err == nil {
		t.Error("a file is no folder")
	}
	if err := write(); err == nil {
		t.Error("written into a file")
	}
}

// TestSteps: steps are reported in order.
func TestSteps(t *testing.T) {
	var told []int
	l := &Lab{Progress: func(_ string, done, all int) { told = append(told, done, all) }}
	l.Steps(2)
	l.Step("one")
	l.Step("two")
	if len(told) != 4 || told[0] != 0 || told[2] != 1 || told[3] != 2 {
		t.Errorf("told %v", told)
	}
}
