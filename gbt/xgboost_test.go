package gbt

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestXGBoost compares the AUC on the training rows with that of XGBoost 3.2.0 on the same bins, with the same settings:
// testdata/reference.py, for which TACET_TEST_GBT_EXPORT names a file to write.
func TestXGBoost(t *testing.T) {
	const rows = 2000
	data, y := made(7, rows, 5, 4)
	if path := os.Getenv("TACET_TEST_GBT_EXPORT"); path != "" {
		var b strings.Builder
		for i := range rows {
			for _, d := range data {
				for _, f := range d.Features {
					fmt.Fprintf(&b, "%d,", Bin(Bounds(f.Values, DefaultBins), f.Values[i]))
				}
			}
			fmt.Fprintln(&b, y[i])
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Skip("written")
	}
	for trees, want := range map[int]float64{1: 0.81277, 5: 0.89984} {
		m, _ := train(t, Shape{Trees: trees}, data)
		if got := auc(m.scores(data, rows), y); math.Abs(got-want) > 0.003 {
			t.Errorf("%d trees: AUC %.5f, XGBoost's is %.5f", trees, got, want)
		}
	}
}
