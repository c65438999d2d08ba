package party

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/tensor"
)

// askedOf are requests with some data each, and where they note what came of
// them.
func askedOf(data ...[]*tensor.Array) (asked []Request, outs []*Outcome, errs []error) {
	asked, outs, errs = make([]Request, len(data)), make([]*Outcome, len(data)), make([]error, len(data))
	for i, d := range data {
		asked[i] = Request{Data: d, Done: func(o *Outcome, err error) error {
			outs[i], errs[i] = o, err
			return nil
		}}
	}
	return asked, outs, errs
}

// TestRequestsApart: parties apart go through several requests at once; one that some
// party declines none takes part in, and the others are done. No two requests have
// an operation instance or an agreement in common.
func TestRequestsApart(t *testing.T) {
	for _, c := range []struct {
		protocol string
		parties  int
	}{{"semi2k", 2}, {"semi2k", 3}, {"aby3", 3}} {
		t.Run(fmt.Sprintf("%s-%d", c.protocol, c.parties), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			want, err := Run(t.Context(), jointSpec(t, c.protocol, c.parties))
			if err != nil {
				t.Fatal(err)
			}
			errs := seats(t, c.protocol, link.Memory(c.parties), func(rank int, v *Service, data []*tensor.Array) error {
				ids, known, late := map[uint32]bool{}, map[*execution]bool{}, 0
				for _, size := range []int{1, 2, 5, 3} {
					brought := slices.Repeat([][]*tensor.Array{data}, size)
					bad := size - 2 // declined by the first party, and then asked again
					if bad >= 0 && rank == 0 {
						brought[bad] = nil
					}
					left := max(len(v.programs[0].prepared), size) - size + min(1, bad+1) // with what is declined
					asked, outs, errs := askedOf(brought...)
					if err := v.Evaluate(t.Context(), asked); err != nil {
						return err
					}
					for i, out := range outs {
						if i == bad {
							var declined *DeclinedError
							if !errors.As(errs[i], &declined) || declined.Party != "p0" || (declined.Err == nil) != (rank != 0) {
								return fmt.Errorf("not declined: %w", errs[i])
							}
							continue
						}
						if errs[i] != nil {
							return errs[i]
						}
						for j, r := range out.Results {
							for k, x := range r.Floats() {
								if d := x - want.Results[j].Floats()[k]; d > 1e-3 || d < -1e-3 {
									t.Errorf("%d of %d requests: %v, alone %v", i, size, x, want.Results[j].Floats()[k])
								}
							}
						}
						r := out.Report
						if !slices.Equal(r.Online.BytesSent, want.Report.Online.BytesSent) || r.Offline.BytesSent != want.Report.Offline.BytesSent ||
							r.Online.Rounds != want.Report.Online.Rounds {
							t.Errorf("%d of %d requests: %+v and %+v, alone %+v and %+v", i, size, r.Online, r.Offline, want.Report.Online, want.Report.Offline)
						}
					}
					if len(v.programs[0].prepared) != left {
						t.Errorf("%d requests are left over of %d, want %d", len(v.programs[0].prepared), size, left)
					}
					if err := v.PrepareAhead(t.Context()); err != nil {
						return err
					}
					if late = max(size, late-1); len(v.programs[0].prepared) != max(2*late, left) {
						t.Errorf("%d requests are ordered after %d", len(v.programs[0].prepared), size)
					}
					for _, l := range v.programs[0].prepared {
						x := l.sessions[0]
						for id := x.firstOp; id < x.firstOp+x.plan.ids && !known[l]; id++ {
							if ids[id] {
								t.Errorf("instance %d is that of two requests", id)
							}
							ids[id] = true
						}
						known[l] = true
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

// TestRequestsLost checks that a party that leaves while requests are evaluated is named to all of
// them, at all parties.
func TestRequestsLost(t *testing.T) {
	for _, protocol := range []string{"semi2k", "aby3"} {
		t.Run(protocol, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			ends := link.Memory(3)
			seats(t, protocol, ends, func(rank int, v *Service, data []*tensor.Array) error {
				asked, _, errs := askedOf(data, data, data)
				var leave sync.Once
				if rank == 2 {
					asked[1].Progress = func(p Progress) {
						if p.Phase == "online" {
							leave.Do(ends[rank].Close)
						}
					}
				}
				err := v.Evaluate(t.Context(), asked)
				var lost *LostError
				if rank < 2 &&
					(!errors.As(err, &lost) || !strings.Contains(err.Error(), "lost p2") && lost.Party != "p2") { // it may hear of it from the other
					t.Errorf("party %d: %v", rank, err)
				}
				for i, heard := range errs {
					if heard != err && heard != nil { // it may have been done before
						t.Errorf("party %d: request %d hears %v, the service ends with %v", rank, i, heard, err)
					}
				}
				return err
			})
		})
	}
}

// TestRequestsHeed: parties that wait for the dealer alone hear that another one has
// given up.
func TestRequestsHeed(t *testing.T) {
	defer goleak.VerifyNone(t)
	errs := seatsWith(t, "semi2k", link.Memory(2), &late{table: newTable(2, 2)}, func(rank int, v *Service, data []*tensor.Array) error {
		ctx, end := context.WithCancelCause(t.Context())
		defer end(nil)
		asked, _, _ := askedOf(data)
		if rank == 0 { // who gets none
			asked[0].Progress = func(p Progress) {
				if p.Phase == "offline" {
					end(errors.New("the disk is full"))
				}
			}
		}
		return v.Evaluate(ctx, asked)
	})
	if want := "p0 gave up: the disk is full"; errs[1] == nil || errs[1].Error() != want {
		t.Errorf("got %v, want %s", errs[1], want)
	}
}

// late is a dealer that deals what the opening takes, and nothing more.
type late struct{ *table }

func (d *late) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	dealt, err := d.table.Begin(ctx, t, f)
	return &atLate{DealerSession: dealt, ctx: ctx}, err
}

type atLate struct {
	offline.DealerSession
	ctx  context.Context
	more bool
}

func (a *atLate) Next(*correlation.Manifest) error {
	a.more = true
	return nil
}

func (a *atLate) Receive(put func(correlation.ID, []byte)) error {
	if !a.more {
		return a.DealerSession.Receive(put)
	}
	<-a.ctx.Done()
	return context.Cause(a.ctx)
}

// TestRequestsDealer: the dealer is asked for more when it has finished what it was
// asked for before, and its session lasts as long as the service.
func TestRequestsDealer(t *testing.T) {
	defer goleak.VerifyNone(t)
	var receivers atomic.Int32
	errs := seatsWith(t, "semi2k", link.Memory(2), &strict{newTable(2, 2)}, func(_ int, v *Service, data []*tensor.Array) error {
		for i, size := range []int{1, 2, 3, 1} {
			asked, _, errs := askedOf(slices.Repeat([][]*tensor.Array{data}, size)...)
			if err := errors.Join(append(errs, v.Evaluate(t.Context(), asked), v.PrepareAhead(t.Context()))...); err != nil {
				return err
			}
			want := []int{2, 4, 6, 5}[i] // twice the recent batch, which shrinks by one; five of six are left after the last batch
			if l := v.Lead(); l.Requested != want || l.Arrived > want || l.Bytes <= 0 {
				return fmt.Errorf("the dealer's lead is %+v after a batch of %d, want %d requests", l, size, want)
			}
		}
		if v.Lead().Corrections {
			receivers.Add(1)
		}
		for l := v.Lead(); l.Arrived < l.Requested; l = v.Lead() { // all arrive, though nobody asks for them
			if t.Context().Err() != nil {
				return fmt.Errorf("%+v: %w", l, t.Context().Err())
			}
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if n := receivers.Load(); n != 1 {
		t.Errorf("%d parties receive corrections", n)
	}
}

// strict is a dealer that takes a moment after the last correction, and by then
// has neither been left nor asked for more.
type strict struct{ *table }

func (d *strict) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	dealt, err := d.table.Begin(ctx, t, f)
	return &atStrict{DealerSession: dealt}, err
}

type atStrict struct {
	offline.DealerSession
	mu     sync.Mutex
	deals  bool
	misled error
}

func (a *atStrict) in(deals bool, what string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.deals && what != "" {
		a.misled = errors.New(what + " while it deals")
	}
	a.deals = deals
	return a.misled
}

func (a *atStrict) Next(f *correlation.Manifest) error {
	return errors.Join(a.in(false, "ordered"), a.DealerSession.Next(f))
}

func (a *atStrict) Close() error {
	a.in(false, "closed")
	return a.DealerSession.Close()
}

func (a *atStrict) Receive(put func(correlation.ID, []byte)) error {
	a.in(true, "")
	err := a.DealerSession.Receive(put)
	time.Sleep(10 * time.Millisecond)
	return errors.Join(err, a.in(false, ""))
}

// TestRequestsExhausted checks that a service evaluates as many requests as operation numbers
// allow, and no more.
func TestRequestsExhausted(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := jointSpec(t, "semi2k", 2)
	s.Args[1].Resident = true
	open := func() (*Service, []*tensor.Array) {
		v, err := Open(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		data := make([]*tensor.Array, len(s.Args))
		for i, a := range s.Args {
			data[i] = a.Data
		}
		return v, data
	}
	v, data := open()
	v.firstOp = math.MaxUint32 - v.opening().sessions[0].plan.ids - 1 // one more, and one is ordered
	asked, _, errs := askedOf(data, data, data)
	if err := v.Evaluate(t.Context(), asked); !errors.Is(err, ErrExhausted) || errs[0] != nil || errs[1] != nil ||
		!errors.Is(errs[2], ErrExhausted) {
		t.Errorf("instances: %v, %v", err, errs)
	}
	v, data = open()
	v.agreements = math.MaxUint32 - 3 // an order and a vote
	asked, _, errs = askedOf(data)
	if err := errors.Join(v.Evaluate(t.Context(), asked), errs[0]); err != nil {
		t.Error(err)
	}
	if err := v.PrepareAhead(t.Context()); err != nil {
		t.Error(err)
	}
	asked, _, errs = askedOf(data)
	if err := v.Evaluate(t.Context(), asked); !errors.Is(err, ErrExhausted) || !errors.Is(errs[0], ErrExhausted) {
		t.Errorf("agreements: %v, %v", err, errs)
	}
}
