package party_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// BenchmarkRequests is how long a request to a service of resnet18 takes of those
// that are answered side by side, all parties and the dealer in this process.
func BenchmarkRequests(b *testing.B) {
	for _, network := range []string{"none", "1e9/10ms"} {
		for _, size := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%d", network, size), func(b *testing.B) {
				_, s := load(b, fixture(b, "resnet18"), nil)
				s.Network = network
				data := make([]*tensor.Array, len(s.Args))
				for i, a := range s.Args {
					s.Args[i].Resident = a.Owner != 0
					data[i] = a.Data
				}
				v, err := party.Open(b.Context(), s, nil)
				if err != nil {
					b.Fatal(err)
				}
				defer v.Close()
				asked := slices.Repeat([]party.Request{{Data: data, Done: func(_ *party.Outcome, err error) error { return err }}}, size)
				requests := func() {
					if err := v.Evaluate(b.Context(), asked); err != nil {
						b.Fatal(err)
					}
					if err := v.PrepareAhead(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
				requests() // from now on as many are ordered ahead
				b.ResetTimer()
				for n := 0; n < b.N; n += size {
					requests()
				}
			})
		}
	}
}
