package semi2k_test

import (
	"testing"

	"github.com/tacet-mpc/tacet/mpc/conformance"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
)

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("short: aby3's suite runs the same code")
	}
	conformance.Run(t, semi2k.Protocol)
}
