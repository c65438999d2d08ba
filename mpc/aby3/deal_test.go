package aby3

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// form asks for so many products of so many elements, 8 bytes each.
func form(requests, n int) *correlation.Manifest {
	f := &correlation.Manifest{}
	for i := range requests {
		m := correlation.NewFresh(uint64(i)<<32|1, ring.Z(64), n)
		f.Requests = append(f.Requests, &correlation.Request{
			ID: correlation.ID(i)<<32 | 2, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: m}}, Out: ring.Z(64), N: n, Op: "test",
		})
	}
	return f
}

// counting counts the bytes that P2 sends.
type counting struct {
	*link.Endpoint
	bytes atomic.Int64
}

func (c *counting) Send(to int, k link.Key, clock int32, data []byte) {
	c.bytes.Add(int64(len(data)))
	c.Endpoint.Send(to, k, clock, data)
}

// ends are the links of three parties.
func ends(t *testing.T) []*link.Endpoint {
	out := link.Memory(Parties)
	t.Cleanup(func() {
		var wg sync.WaitGroup
		for _, e := range out {
			wg.Go(e.Close)
		}
		wg.Wait()
	})
	return out
}

// TestDealKeepsPace: P2 does not run further ahead of P1 than it may, and sends
// everything, in order, as P1 takes it.
func TestDealKeepsPace(t *testing.T) {
	const n = grantBytes / 8 / 4
	f, es := form(8*openGrants, n), ends(t)
	p2 := &counting{Endpoint: es[2]}
	dealt := make(chan error, 1)
	go func() { dealt <- Deal(t.Context(), p2, Seeds(ring.Seed{1}, Parties), f) }()
	next := 0
	err := Receive(t.Context(), es[1], f, func(id correlation.ID, data []byte) {
		if id != f.Requests[next].ID || len(data) != 8*n {
			t.Errorf("%d bytes of %v come in place %d", len(data), id, next)
		}
		taken := int64(next) * 8 * n
		if next == 0 { // P2 has all the time that it takes to stop
			for p2.bytes.Load() <= openGrants*grantBytes {
				time.Sleep(time.Millisecond)
			}
		}
		if b := p2.bytes.Load(); b > taken+(openGrants+1)*grantBytes+8*n {
			t.Errorf("%d bytes are sent when %d are taken", b, taken)
		}
		next++
	})
	if err != nil || next != len(f.Requests) {
		t.Errorf("%d of %d came: %v", next, len(f.Requests), err)
	}
	if err := <-dealt; err != nil {
		t.Error(err)
	}
}

// TestOfflineEnds: both sides end when they are told to, or the other is gone;
// P1 also when something else comes than was asked for.
func TestOfflineEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := form(8*openGrants, grantBytes/8)
	for _, c := range []struct {
		name, want string
		during     func(cancel context.CancelCauseFunc, es []*link.Endpoint)
	}{
		{"told to", "stop", func(cancel context.CancelCauseFunc, _ []*link.Endpoint) { cancel(errors.New("stop")) }},
		{"gone", "link: party 2: ", func(_ context.CancelCauseFunc, es []*link.Endpoint) { es[2].Close() }},
		{"wrong size", "aby3: party 2 dealt 9 bytes for 0.2 (product for test), which takes 8388608", func(_ context.CancelCauseFunc, es []*link.Endpoint) {
			es[2].Send(1, correctionKey(2), 0, make([]byte, 9))
		}},
	} {
		t.Run("P1/"+c.name, func(t *testing.T) {
			es := ends(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			c.during(cancel, es)
			err := Receive(ctx, es[1], f, func(correlation.ID, []byte) { t.Error("something came") })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	for _, c := range []struct {
		name string
		end  func(cancel context.CancelFunc, es []*link.Endpoint)
		want func(err error) bool
	}{
		{"told to", func(cancel context.CancelFunc, _ []*link.Endpoint) { cancel() }, func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"gone", func(_ context.CancelFunc, es []*link.Endpoint) { es[1].Close() }, func(err error) bool {
			var gone *link.PeerError
			return errors.As(err, &gone) && gone.Rank == 1
		}},
	} {
		t.Run("P2/"+c.name, func(t *testing.T) {
			es := ends(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p2, dealt := &counting{Endpoint: es[2]}, make(chan error)
			go func() { dealt <- Deal(ctx, p2, Seeds(ring.Seed{1}, Parties), f) }()
			for p2.bytes.Load() <= openGrants*grantBytes { // P1 grants nothing
				time.Sleep(time.Millisecond)
			}
			c.end(cancel, es)
			if err := <-dealt; !c.want(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}
