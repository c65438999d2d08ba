package aby3_test

import (
	"testing"

	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/conformance"
)

func TestConformance(t *testing.T) { conformance.Run(t, aby3.Protocol) }
