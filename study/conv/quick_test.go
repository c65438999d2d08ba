package conv

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/timing"
)

// TestQuick runs the quick study. In every layer no method sends more online bytes or image bytes,
// or takes more rounds, than the standard one; all methods give the same results; all files are
// written.
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
	s := &findings{lab: l}
	bars, err := Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bars {
		if !b.Met() {
			t.Errorf("%s: %v, at most %v are meant", b.Name, b.Value, b.Limit)
		}
	}
	if steps != last {
		t.Errorf("%d steps of %d", steps, last)
	}
	for _, file := range []string{"conv.md", "conv-bounds.csv", "conv-published.csv", "conv-totals.csv", "conv-small.csv", "conv-small-layers.svg", "conv-small-layers.png"} {
		info, err := os.Stat(filepath.Join(l.Dir, file))
		if err != nil || info.Size() < 100 || info.Size() > 200<<10 {
			t.Errorf("%s: %v, %+v", file, err, info)
		}
	}
	first := layers[0]
	standard, err := s.cost(context.Background(), first, methods[0])
	if err != nil {
		t.Fatal(err)
	}
	if standard.online > 16_384 || standard.rounds > 1 || !(standard.maxError < 1e-4) {
		t.Errorf("standard: %+v", standard)
	}
	for _, m := range methods[1:] {
		c, err := s.cost(context.Background(), first, m)
		if err != nil {
			t.Fatal(err)
		}
		if c.online > standard.online || c.rounds > standard.rounds {
			t.Errorf("%s: %d bytes online in %d rounds, standard %d in %d", m.name, c.online, c.rounds, standard.online, standard.rounds)
		}
		most := map[int]float64{2: 3e-4, 4: 0.05}[m.winograd.tile]
		if !(c.maxError < most) {
			t.Errorf("%s: results are off by %v, at most %v are meant", m.name, c.maxError, most)
		}
	}
}

func TestMultiplications(t *testing.T) {
	l := layers[0]
	for i, want := range []int64{1_769_472, 786_432, 786_432, 442_368, 442_368} {
		if got := methods[i].multiplications(l); got != want {
			t.Errorf("%s: %d products, want %d", methods[i].name, got, want)
		}
	}
}
