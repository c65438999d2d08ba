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
	"github.com/tacet-mpc/tacet/tensor"
)

// Turn takes a service through one turn.
func (v *Service) Turn(ctx context.Context, data []*tensor.Array) (out *Outcome, err error) {
	v.Turns(ctx, []Request{{Data: data, Done: func(o *Outcome, e error) error {
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
func seatsWith(t *testing.T, protocol string, ends []*link.Endpoint, d Dealer, f func(rank int, v *Service, data []*tensor.Array) error) []error {
	t.Helper()
	parties := len(ends)
	s := jointSpec(t, protocol, parties)
	s.Args[1].Stays = true
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

// TestServiceApart: parties apart go through turns as in one process; what one
// declines none takes part in, and the service goes on.
func TestServiceApart(t *testing.T) {
	for _, protocol := range []string{"semi2k", "aby3"} {
		t.Run(protocol, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			want, err := Run(t.Context(), jointSpec(t, protocol, 3))
			if err != nil {
				t.Fatal(err)
			}
			errs := seats(t, protocol, link.Memory(3), func(rank int, v *Service, data []*tensor.Array) error {
				for turn := range 4 {
					brought := data
					if turn == 2 && rank == 0 {
						brought = nil
					}
					out, err := v.Turn(t.Context(), brought)
					var declined *DeclinedError
					if turn == 2 {
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
								t.Errorf("turn %d: %v, alone %v", turn, x, want.Results[i].Floats()[j])
							}
						}
					}
					if r := out.Report; r.Offline.BytesSent != r.Predicted.Offline.BytesSent || !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
						t.Errorf("turn %d: %+v", turn, r)
					}
					if turn == 0 { // else it is ordered when it is needed
						if err := v.Ahead(t.Context()); err != nil {
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

// TestServiceLost: who leaves ends the service, and is named; those who wait for
// a turn hear of it.
func TestServiceLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	errs := seats(t, "semi2k", link.Memory(3), func(rank int, v *Service, data []*tensor.Array) error {
		if _, err := v.Turn(t.Context(), data); err != nil || rank == 2 {
			return err
		}
		v.Abort(<-v.Lost())
		_, err := v.Turn(t.Context(), data)
		if _, again := v.Turn(context.Background(), data); again == nil || again.Error() != err.Error() {
			t.Errorf("a turn after the end: %v, %v", again, err)
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
