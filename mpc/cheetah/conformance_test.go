package cheetah

import (
	"os"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/conformance"
)

// functions are the operations that are made of many products, which oblivious transfers make slow.
var functions = []string{
	"exp", "power of 2", "tanh", "gelu, thrifty", "atan", "sine", "cosine", "log", "root", "reciprocal", "quotient", "quotient, signed", "x^y",
	"softmax", "log-sum-exp", "normalise",
}

// TestConformance runs the suite with base transfers in a toy group: 300 sessions with those of ristretto255 would take
// ten seconds; package pair's tests have those. Two functions are run, in Z_2^64; TACET_TEST_CHEETAH=all runs all
// functions in all rings, and looks at their messages and those of sorts.
func TestConformance(t *testing.T) {
	all := os.Getenv("TACET_TEST_CHEETAH") == "all"
	conformance.RunPart(t, describe(toyGroup{}), func(operation string, bits int, uniform bool) bool {
		switch {
		case all:
			return false
		case slices.Contains(functions, operation):
			return bits == 128 || uniform || operation != "tanh" && operation != "normalise"
		}
		return uniform && operation == "sort"
	})
}
