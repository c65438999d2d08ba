package party

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/tensor"
)

// EvaluateSingle takes a service through one request.
func (v *Service) EvaluateSingle(ctx context.Context, data []*tensor.Array) (out *Outcome, err error) {
	v.Evaluate(ctx, []Request{{Data: data, Done: func(o *Outcome, e error) error {
		out, err = o, e
		return nil
	}}})
	return out, err
}

// seats opens a service with every party apart, of whose arguments the second
// stays, and gives each to f.
func seats(t *testing.T, protocol string, ends []*link.Endpoint, f func(rank int, v *Service, data []*tensor.Array) error) []error {
	t.Helper()
	return seatsWith(t, protocol, ends, newTable(len(ends), len(ends)), f)
}

// seatsWith is seats with a dealer.
func seatsWith(
	t *testing.T,
	protocol string,
	ends []*link.Endpoint,
	d offline.Dealer,
	f func(rank int, v *Service, data []*tensor.Array) error,
) []error {
	t.Helper()
	parties := len(ends)
	s := jointSpec(t, protocol, parties)
	s.Args[1].Resident = true
	id := correlation.NewSessionID()
	errs := make([]error, parties)
	var wg sync.WaitGroup
	for rank := range parties {
		own := s
		own.Program = parsedJoint(t)
		own.Args = slices.Clone(s.Args)
		data := make([]*tensor.Array, len(s.Args))
		for i, a := range own.Args {
			data[i] = a.Data
			if a.Owner != rank {
				data[i], own.Args[i].Data = nil, nil
			}
		}
		wg.Go(func() {
			defer ends[rank].Close()
			v, err := Open(t.Context(), own, &Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: d})
			if err == nil {
				defer v.Close()
				err = f(rank, v, data)
			}
			errs[rank] = err
		})
	}
	wg.Wait()
	return errs
}

// TestServiceApart checks that distributed parties evaluate requests as in one process; a request
// that one party declines is not evaluated, and the service continues.
func TestServiceApart(t *testing.T) {
	for _, protocol := range []string{"semi2k", "aby3"} {
		t.Run(protocol, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			want, err := Run(t.Context(), jointSpec(t, protocol, 3))
			if err != nil {
				t.Fatal(err)
			}
			errs := seats(t, protocol, link.Memory(3), func(rank int, v *Service, data []*tensor.Array) error {
				for request := range 4 {
					brought := data
					if request == 2 && rank == 0 {
						brought = nil
					}
					out, err := v.EvaluateSingle(t.Context(), brought)
					var declined *DeclinedError
					if request == 2 {
						if !errors.As(err, &declined) || declined.Party != "p0" || (declined.Err == nil) != (rank != 0) {
							return errors.New("not declined: " + err.Error())
						}
						continue
					}
					if err != nil {
						return err
					}
					if (out.Results != nil) != (rank == 1) {
						t.Errorf("party %d learns %v", rank, out.Results)
					}
					for i, r := range out.Results {
						for j, x := range r.Floats() {
							if d := x - want.Results[i].Floats()[j]; d > 1e-3 || d < -1e-3 {
								t.Errorf("request %d: %v, alone %v", request, x, want.Results[i].Floats()[j])
							}
						}
					}
					if r := out.Report; r.Offline.BytesSent != r.Predicted.Offline.BytesSent ||
						!slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
						t.Errorf("request %d: %+v", request, r)
					}
					if request == 0 { // else it is ordered when it is needed
						if err := v.PrepareAhead(t.Context()); err != nil {
							return err
						}
					}
				}
				return nil
			})
			for rank, err := range errs {
				if err != nil {
					t.Errorf("party %d: %v", rank, err)
				}
			}
		})
	}
}

// TestServiceLost checks that a party that leaves ends the service and is named in the error, also
// of waiting requests.
func TestServiceLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	errs := seats(t, "semi2k", link.Memory(3), func(rank int, v *Service, data []*tensor.Array) error {
		if _, err := v.EvaluateSingle(t.Context(), data); err != nil || rank == 2 {
			return err
		}
		v.Abort(<-v.Lost())
		_, err := v.EvaluateSingle(t.Context(), data)
		if _, again := v.EvaluateSingle(context.Background(), data); again == nil || again.Error() != err.Error() {
			t.Errorf("a request after the end: %v, %v", again, err)
		}
		return err
	})
	for rank, err := range errs[:2] {
		var lost *LostError
		if !errors.As(err, &lost) {
			t.Errorf("party %d: %v", rank, err)
		}
	}
	if errs[2] != nil {
		t.Error(errs[2])
	}
}
