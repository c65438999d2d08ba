package gomlx

import (
	"testing"

	"github.com/gomlx/compute/support/backendtest"

	"github.com/tacet-mpc/tacet"
)

// TestSuite runs GoMLX's own tests of backends. Their tensors are public, so that results are exact.
func TestSuite(t *testing.T) {
	b, err := New(Config{Spec: tacet.Spec{Parties: []string{"alice", "bob"}}})
	if err != nil {
		t.Fatal(err)
	}
	backendtest.RunAll(t, b, nil)
}
