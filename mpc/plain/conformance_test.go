package plain_test

import (
	"testing"

	"github.com/tacet-mpc/tacet/mpc/conformance"
	"github.com/tacet-mpc/tacet/mpc/plain"
)

func TestConformance(t *testing.T) { conformance.Run(t, plain.Protocol) }
