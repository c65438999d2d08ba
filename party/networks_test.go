package party_test

import (
	"context"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// On a network corrections come while the parties compute: costs are what was
// predicted, and nothing of it is missing.
func TestNetworks(t *testing.T) {
	for _, network := range []string{"1e9/100us", "2e7/2ms"} {
		for _, parties := range []int{2, 3} {
			j, s := load(t, fixture(t, "cnn-digits"), nil)
			s.Network = network
			s.Computing = parties
			for len(s.Parties) < parties {
				s.Parties = append(s.Parties, "carol")
			}
			out, err := party.Run(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			checkExpected(t, j, s, out)
			checkPrediction(t, out.Report)
			if o := out.Report.Offline; o.Seconds == 0 || o.Rounds != 1 {
				t.Errorf("%s: offline %+v", network, o)
			}
		}
	}
}
