// Package testcases chooses the cases that a long test runs: a part of them, or all where TACET_TEST_ALL=1 is set.
package testcases

import (
	"os"
	"testing"
)

// All reports whether long tests run all of their cases.
func All() bool { return os.Getenv("TACET_TEST_ALL") == "1" }

// OneOf returns a function that reports whether the next case runs: the first of each n cases, or all of them (see All).
// The part is the same in every run. The test's log says what it leaves out.
func OneOf(t testing.TB, n int) func() bool {
	all, i := All(), -1
	if !all {
		t.Logf("one of %d cases runs (TACET_TEST_ALL=1 runs all)", n)
	}
	return func() bool {
		i++
		return all || i%n == 0
	}
}
