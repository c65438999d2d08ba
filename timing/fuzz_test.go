package timing

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// FuzzMachine reads arbitrary profiles of machines. With one that is accepted, times are finite and not
// negative.
func FuzzMachine(f *testing.F) {
	good, err := json.Marshal(Default)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(good))
	for _, x := range []string{"-1", "1", "0.999", "1e-320", "null", `"1"`, "1e999"} {
		f.Add(`{"machine":"m","cores":2,"seconds_step":` + x + `}`)
		f.Add(strings.Replace(string(good), `"cores":2`, `"cores":`+x, 1))
	}
	f.Add(`{"cores":9223372036854775807}`)
	z := ring.Z(64)
	mask := correlation.NewFresh(1, z, 1<<20)
	manifest := &correlation.Manifest{Requests: []*correlation.Request{
		{ID: 2, Kind: correlation.Product, Out: z, N: 1 << 20, Factors: []correlation.Factor{{Mask: mask}, {Mask: mask}}},
	}}
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := parse([]byte(text))
		if !ok {
			return
		}
		finite := func(what string, x float64) {
			if x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%q: %s takes %v s", text, what, x)
			}
		}
		finite("dealing", DealerSeconds(manifest, 3, m))
		for _, shape := range []link.Shape{{}, {Bits: 1e6}} {
			finite("a run", Simulate(nil, Setting{Machine: m, Network: shape}).Seconds)
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := parse(again); !ok || n != m {
			t.Errorf("%q is read, and not again", text)
		}
		_ = m.String()
	})
}
