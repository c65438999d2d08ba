package offline

import (
	"context"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// TestDealingFails: what P2 cannot make ends its own part of the run, with or
// without a network, and so everybody's.
func TestDealingFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	bad := &correlation.Manifest{Requests: []*correlation.Request{{ID: 1, Kind: correlation.Product, Out: ring.Z(64), N: 1, Op: "test:3"}}}
	for _, network := range []string{"none", "lan"} {
		ends := link.Memory(3)
		shape, _ := link.ParseShape(network)
		id := correlation.SessionID{1}
		m, err := FromParty(t.Context(), id, aby3.Protocol.Dealing, ends[aby3.Dealer], shape).Begin(id, &Request{Manifest: bad})
		if err != nil {
			t.Fatal(err)
		}
		for name, wait := range map[string]func(context.Context) error{"ready": m.Ready, "finish": m.Finish} {
			if name == "ready" && network != "none" {
				continue // what comes may come later
			}
			const want = "dealer: correlation: malformed request 0.1 (product for test:3)"
			if err := wait(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("network %s: %s says %v", network, name, err)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	}
}
