package testcases

import "testing"

// TestOneOf checks that the first of each n cases runs, or all.
func TestOneOf(t *testing.T) {
	for set, want := range map[string]string{"": "x..x..x", "1": "xxxxxxx"} {
		t.Setenv("TACET_TEST_ALL", set)
		runs, got := OneOf(t, 3), ""
		for range want {
			got += map[bool]string{false: ".", true: "x"}[runs()]
		}
		if got != want {
			t.Errorf("TACET_TEST_ALL=%s: %s, want %s", set, got, want)
		}
	}
}
