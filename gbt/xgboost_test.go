package gbt

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// TestXGBoost compares the AUC on the training rows with that of XGBoost 3.2.0 on the same bins, with the same settings:
// testdata/reference.py, for which TACET_TEST_GBT_EXPORT names a file to write. TACET_TEST_XGBOOST=50000x30 and 39000x79 take so many
// rows and features.
func TestXGBoost(t *testing.T) {
	rows, features, wants := 2000, []int{5, 4}, map[int]float64{1: 0.81277, 5: 0.89984}
	switch size := os.Getenv("TACET_TEST_XGBOOST"); size {
	case "":
	case "50000x30":
		rows, features, wants = 50000, []int{15, 15}, map[int]float64{1: 0.72193, 5: 0.83580}
	case "39000x79":
		rows, features, wants = 39000, []int{39, 40}, map[int]float64{10: 0.85680}
	default:
		t.Fatalf("TACET_TEST_XGBOOST=%s: want 50000x30 or 39000x79", size)
	}
	data, y := made(7, rows, features...)
	if path := os.Getenv("TACET_TEST_GBT_EXPORT"); path != "" {
		var b strings.Builder
		var bounds [][]float64
		for _, d := range data {
			for _, f := range d.Features {
				bounds = append(bounds, Bounds(f.Values, DefaultBins))
			}
		}
		for i := range rows {
			at := 0
			for _, d := range data {
				for _, f := range d.Features {
					fmt.Fprintf(&b, "%d,", Bin(bounds[at], f.Values[i]))
					at++
				}
			}
			fmt.Fprintln(&b, y[i])
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Skip("written")
	}
	for trees, want := range wants {
		begin := time.Now()
		m, out := train(t, Shape{Trees: trees}, data)
		got := auc(m.scores(data, rows), y)
		t.Logf("%d rows, %d trees: AUC %.5f, XGBoost's is %.5f; %.1f s in all, online %.1f s",
			rows, trees, got, want, time.Since(begin).Seconds(), out.Report.Online.Seconds)
		if math.Abs(got-want) > 0.003 {
			t.Errorf("%d trees: AUC %.5f, XGBoost's is %.5f", trees, got, want)
		}
	}
}
