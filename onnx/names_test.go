package onnx

import (
	"fmt"
	"testing"
)

// TestFreeName names very many weights of one name, which must not take a time that is quadratic in their number.
func TestFreeName(t *testing.T) {
	const n = 200_000
	taken := map[string]int{}
	for i := 1; i <= n; i++ {
		want := "w"
		if i > 1 {
			want = fmt.Sprint("w_", i)
		}
		if got := freeName(taken, "w"); got != want {
			t.Fatalf("name %d is %s, want %s", i, got, want)
		}
	}
	if a, b := freeName(taken, "w_7"), freeName(taken, "w_7"); a == b || taken[a] == 0 || a == "w_7" {
		t.Errorf("names that are taken: %s, %s", a, b)
	}
}
