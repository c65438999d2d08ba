package cheetah

import (
	"testing"

	"github.com/tacet-mpc/tacet/mpc/conformance"
)

// TestConformance runs the suite with base transfers in a toy group: 250 sessions with those of ristretto255 would take
// ten seconds. TestBaseTransfers runs one.
func TestConformance(t *testing.T) { conformance.Run(t, describe(toyGroup{})) }
