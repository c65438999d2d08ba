package party_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestRequests checks that requests evaluated side by side give the results of separate runs, and
// that each costs what was planned, independently of the others' data.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		protocol, network string
		parties           int
	}{{"semi2k", "none", 2}, {"semi2k", "1e9/1ms", 3}, {"aby3", "none", 3}, {"aby3", "1e9/1ms", 3}} {
		t.Run(fmt.Sprintf("%s-%d-%s", c.protocol, c.parties, c.network[:3]), func(t *testing.T) {
			if raced && c.network == "none" {
				t.Skip("half of them with the race detector")
			}
			defer goleak.VerifyNone(t)
			_, s := load(t, fixture(t, "mlp-infer"), nil)
			s.Protocol, s.Network, s.Computing = c.protocol, c.network, c.parties
			if len(s.Parties) < c.parties {
				s.Parties = append(s.Parties, "carol")
			}
			for i, a := range s.Args {
				s.Args[i].Resident = a.Owner != 0
			}
			v, err := party.Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			request := 0
			for _, size := range []int{1, 5, 2} {
				asked := make([]party.Request, size)
				got, want := make([]*party.Outcome, size), make([]*party.Outcome, size)
				for i := range asked {
					alone := s
					alone.Args = slices.Clone(s.Args)
					data := make([]*tensor.Array, len(s.Args))
					for j, a := range s.Args {
						if a.Owner == 0 {
							data[j] = turned(a.Data, request)
							alone.Args[j].Data = data[j]
						}
					}
					request++
					if want[i], err = party.Run(t.Context(), alone); err != nil {
						t.Fatal(err)
					}
					asked[i] = party.Request{Data: data, Done: func(out *party.Outcome, err error) error {
						got[i] = out
						return err
					}}
				}
				if err := v.Evaluate(t.Context(), asked); err != nil {
					t.Fatal(err)
				}
				for i, out := range got {
					alike(t, request-size+i, out.Results, want[i].Results)
					checkPrediction(t, out.Report)
					if got, want := out.Report.Online.BytesSent, want[i].Report.Online.BytesSent; !slices.Equal(got, want) {
						t.Errorf("one of %d requests sends %d bytes online, a run by itself %d", size, got, want)
					}
					if in, all := out.Report.Input.BytesSent, want[i].Report.Input.BytesSent; in[0] != all[0] || in[1] != 0 {
						t.Errorf("one of %d requests shares %d bytes, a run by itself %d", size, in, all)
					}
				}
				if size == 5 { // else it is done when the next ones need it
					if err := v.PrepareAhead(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// TestRequestsEnd checks that an error of Done ends the service, and that Done of every request is
// called once.
func TestRequestsEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := small(t, 2, 2)
	s.Store = ""
	s.Args[1].Resident = true
	v, err := party.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	heard := make([]int, 3)
	for range 2 { // the second time it is over already
		asked := make([]party.Request, len(heard))
		for i := range asked {
			asked[i] = party.Request{Data: []*tensor.Array{s.Args[0].Data, nil, nil}, Done: func(_ *party.Outcome, err error) error {
				if heard[i]++; i == 1 {
					return full
				}
				return err
			}}
		}
		if err := v.Evaluate(t.Context(), asked); !errors.Is(err, full) {
			t.Errorf("the service goes on, or ends with %v", err)
		}
	}
	if !slices.Equal(heard, []int{2, 2, 2}) {
		t.Errorf("requests heard %d times", heard)
	}
}
