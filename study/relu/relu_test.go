package relu

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/timing"
)

// TestChoices: with narrow networks, for all choices, a run's result equals the program's result in
// the clear, and bytes are a linear function of the ReLUs kept.
func TestChoices(t *testing.T) {
	ctx := context.Background()
	l := &study.Lab{Machine: timing.Default}
	for _, c := range choices([]float64{1, 0.5, 0}) {
		n := resnet18(c, 4)
		trial := n.trial()
		trial.Data = n.arguments()
		want, err := trial.EvalClear(ctx)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		out, err := l.Run(ctx, trial, "none", 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want[0].Floats() {
			if got := out.Results[0].Floats()[i]; math.Abs(got-w) > 0.01*(1+math.Abs(w)) {
				t.Errorf("%v: result %d is %v, want %v", c, i, got, w)
			}
		}
		if share := float64(n.kept) / float64(n.all); math.Abs(share-c.share) > 0.01 {
			t.Errorf("%v: keeps %v", c, share)
		}
	}
}

// TestQuick: the quick study meets its bounds and writes all its files.
func TestQuick(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("long")
	}
	steps, last := 0, 0
	l := &study.Lab{
		Dir:      t.TempDir(),
		Quick:    true,
		Machine:  timing.Default,
		Progress: func(_ string, done, all int) { steps, last = steps+1, all },
	}
	bars, err := Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	if steps != last {
		t.Errorf("%d steps of %d", steps, last)
	}
	if len(bars) != 2*len(methods) {
		t.Errorf("%d bounds", len(bars))
	}
	for _, b := range bars { // bytes only; times are predicted for the machine profile given above
		if !b.Met() {
			t.Errorf("%s: %v, at most %v", b.Name, b.Value, b.Limit)
		}
	}
	for _, file := range []string{"relu.md", "relu-bounds.csv", "relu-published.csv", "relu-choices.csv", "relu-layers.csv", "relu-choices.svg", "relu-choices.png"} {
		info, err := os.Stat(filepath.Join(l.Dir, file))
		if err != nil || info.Size() < 100 || info.Size() > 200<<10 {
			t.Errorf("%s: %v, %+v", file, err, info)
		}
	}
}

// TestParts: parts finds every activation of the plan in program order.
func TestParts(t *testing.T) {
	l := &study.Lab{Machine: timing.Default}
	n := resnet18(choice{share: 1}, 4)
	r, err := l.Plan(context.Background(), n.trial())
	if err != nil {
		t.Fatal(err)
	}
	list := parts(r, n)
	if len(list) != 17 {
		t.Fatalf("%d ReLUs, want that of the first layer and two of each of 8 blocks", len(list))
	}
	elements := 0
	for i, p := range list {
		if p.elements <= 0 || p.bytes <= 0 || p.rounds <= 0 {
			t.Errorf("ReLU %d: %+v", i, p)
		}
		if i > 0 {
			elements += p.elements
		}
	}
	if elements != n.all || n.all != n.kept {
		t.Errorf("%d elements of %d, %d kept", elements, n.all, n.kept)
	}
}
