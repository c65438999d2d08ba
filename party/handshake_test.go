package party

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// insiders has parties of which the third deals exchange greetings.
func insiders(t *testing.T, n int, change func(l *execution)) ([]*session, error) {
	t.Helper()
	l := &execution{seeds: newSeeds(nil)}
	spec := &Spec{Protocol: "aby3", Computing: aby3.Parties, Parties: []string{"a", "b", "c", "d", "e"}[:n]}
	ends := link.Memory(n)
	for i, e := range ends {
		l.sessions = append(l.sessions, &session{spec: spec, rank: i, link: e, zero: map[int]ring.Seed{}})
	}
	l.spec = spec
	if change != nil {
		change(l)
	}
	err := l.each(t.Context(), func(ctx context.Context, s *session) error {
		_, err := s.exchangeHellos(ctx, hello{Terms: map[string]string{"protocol": s.spec.Protocol}}, l.seeds)
		return err
	})
	var wg sync.WaitGroup
	for _, e := range ends {
		wg.Go(e.Close)
	}
	wg.Wait()
	return l.sessions, err
}

// TestOtherProtocol checks what a party says of a hello of another protocol number.
func TestOtherProtocol(t *testing.T) {
	s := &session{spec: &Spec{Parties: []string{"alice", "bob"}}}
	for _, x := range []struct{ hello, want string }{
		{`{"Protocol":2,"Terms":{"version":"0.2.0"}}`, ""},
		{`{"Terms":{"version":"0.1.0"},"Zero":"AA=="}`, "party: bob runs protocol 1 (tacet 0.1.0), alice protocol 2 (tacet 0.2.0-dev): upgrade bob's tacet"},
		{`{"Protocol":3,"Terms":{"version":"0.3.0"}}`, "party: alice runs protocol 2 (tacet 0.2.0-dev), bob protocol 3 (tacet 0.3.0): upgrade alice's tacet"},
	} {
		var h hello
		if err := json.Unmarshal([]byte(x.hello), &h); err != nil {
			t.Fatal(err)
		}
		err := s.compareProtocol(1, h)
		if x.want == "" && err != nil || x.want != "" && (err == nil || err.Error() != x.want) {
			t.Errorf("%s: %v, want %s", x.hello, err, x.want)
		}
	}
}

// TestSeedsOfInsiders: each has the seed that P2 says, no two the same, and
// only P0 and P1 have that of their sharings of zero.
func TestSeedsOfInsiders(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, n := range []int{3, 5} {
		s, err := insiders(t, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		var seen []ring.Seed
		for i, seed := range aby3.Seeds(s[2].dealerSeed, n) {
			if i != 2 && s[i].dealerSeed != seed || slices.Contains(seen, seed) || seed == (ring.Seed{}) {
				t.Errorf("party %d has seed %x, P2 has %x for it", i, s[i].dealerSeed, seed)
			}
			seen = append(seen, seed)
		}
		zero := s[0].zero[1]
		if zero != s[1].zero[0] || zero == (ring.Seed{}) {
			t.Errorf("P0 and P1 have %x and %x for sharings of zero", zero, s[1].zero[0])
		}
		if s[0].onlineSeed != s[1].onlineSeed || s[0].onlineSeed == zero || s[0].onlineSeed == (ring.Seed{}) {
			t.Errorf("P0 and P1 have %x and %x for orders", s[0].onlineSeed, s[1].onlineSeed)
		}
		for _, x := range s[2:] {
			if x.onlineSeed != (ring.Seed{}) {
				t.Errorf("party %d has a seed of orders", x.rank)
			}
			for _, other := range append(aby3.Seeds(x.dealerSeed, n), x.dealerSeed) {
				if other == zero {
					t.Errorf("party %d has the seed of P0 and P1", x.rank)
				}
			}
			for with, other := range x.zero {
				if other == zero {
					t.Errorf("party %d has the seed of P0 and P1 with party %d", x.rank, with)
				}
			}
		}
	}
}

// TestPartyDealerrsRefuse: all three compare terms, and a dealer has to give seeds.
func TestPartyDealerrsRefuse(t *testing.T) {
	defer goleak.VerifyNone(t)
	for odd := range aby3.Parties {
		_, err := insiders(t, 3, func(l *execution) {
			other := *l.spec
			other.Protocol = "semi2k"
			l.sessions[odd].spec = &other
		})
		if err == nil || !strings.Contains(err.Error(), `differ in protocol: "`) {
			t.Errorf("party %d differs: %v", odd, err)
		}
	}
	s := &session{spec: &Spec{Protocol: "aby3", Parties: []string{"a", "b", "c"}}, zero: map[int]ring.Seed{}}
	for _, n := range []int{0, 15, 17} {
		if err := s.keepSeeds(2, hello{Deal: make([]byte, n)}); err == nil || !strings.Contains(err.Error(), "c deals and sent a seed of") {
			t.Errorf("%d bytes for a seed: %v", n, err)
		}
	}
}

// TestPartyDealerEnds: a run that is ended while corrections are on their way leaves
// nothing behind, wherever it is.
func TestPartyDealerEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	p, err := hlo.Parse("test.mlir", []byte(`module @m {
  func.func public @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.multiply %a, %b : tensor<64x64xf32>
    %1 = stablehlo.maximum %0, %b : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}`))
	if err != nil {
		t.Fatal(err)
	}
	x := tensor.FromFloats(tensor.F32, tensor.Shape{64, 64}, make([]float64, 64*64))
	for _, phase := range []string{"input", "offline", "online", "output"} {
		for _, network := range []string{"none", "1e8/1ms"} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := Run(ctx, Spec{
				Program: p, Protocol: "aby3", Ring: 64, Fraction: 18, Parties: []string{"a", "b", "c"}, Computing: 3, Network: network,
				Args: []Arg{{Owner: 2, Data: x}, {Owner: 0, Data: x}}, Reveal: []int{0, 1, 2},
				Progress: func(p Progress) {
					if p.Phase == phase {
						cancel()
					}
				},
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("ended at %s, network %s: %v", phase, network, err)
			}
		}
	}
}
