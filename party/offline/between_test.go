package offline

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// TestBetweenParties checks that the phases of several requests run one after the other, that each
// has its own result, and that a phase that fails ends all later ones.
func TestBetweenParties(t *testing.T) {
	defer goleak.VerifyNone(t)
	fails := errors.New("a peer is gone")
	running, phases := 0, 0
	request := func(n int) *Request {
		return &Request{Phase: func(context.Context, protocol.Kept) (any, error) {
			if running++; running > 1 {
				t.Error("two phases run at a time")
			}
			defer func() { running-- }()
			if phases++; n == 2 {
				return nil, fails
			}
			return n, nil
		}}
	}
	p := BetweenParties(t.Context(), correlation.SessionID{1}, nil, nil, true)
	if ids, err := p.Sessions(nil); err != nil || len(ids) != 1 || ids[0] != (correlation.SessionID{1}) {
		t.Errorf("sessions %v, %v", ids, err)
	}
	m, err := p.Prepare(nil, []*Request{request(0), request(1), request(2), request(3)})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range m {
		want := error(nil)
		if i >= 2 {
			want = fails
		}
		if err := x.Ready(t.Context()); !errors.Is(err, want) {
			t.Errorf("request %d: %v, want %v", i, err, want)
		}
		if want == nil && x.Result() != any(i) || want != nil && x.Result() != nil {
			t.Errorf("request %d has %v", i, x.Result())
		}
	}
	if phases != 3 {
		t.Errorf("%d phases have run", phases)
	}
	for _, x := range m {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBetweenPartiesEnds checks that closing ends a phase that waits.
func TestBetweenPartiesEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	id := correlation.SessionID{1}
	provider := BetweenParties(t.Context(), id, nil, nil, true)
	m, err := provider.Begin(id, &Request{Phase: func(ctx context.Context, _ protocol.Kept) (any, error) {
		<-ctx.Done()
		return 1, ctx.Err()
	}})
	if err != nil {
		t.Fatal(err)
	}
	Start(m)
	if m.Result() != nil {
		t.Error("there is a result before the end")
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if err := m.Ready(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestBetweenPartiesNeverStarted checks that correlations of a handshake that failed close.
func TestBetweenPartiesNeverStarted(t *testing.T) {
	defer goleak.VerifyNone(t)
	id := correlation.SessionID{1}
	m, err := BetweenParties(t.Context(), id, nil, nil, true).Begin(id, &Request{Phase: func(context.Context, protocol.Kept) (any, error) {
		t.Error("the phase runs")
		return nil, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	Start(m)
	if err := m.Ready(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestBetweenPartiesClosed checks that closing a request's correlations, whose phase has ended, leaves the phase of the next
// one running, and that closing those whose phase runs ends it.
func TestBetweenPartiesClosed(t *testing.T) {
	defer goleak.VerifyNone(t)
	waits := make(chan struct{})
	phase := func(ctx context.Context, _ protocol.Kept) (any, error) {
		select {
		case <-waits:
			return true, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	done := func(context.Context, protocol.Kept) (any, error) { return 0, nil }
	ended := func(ctx context.Context, _ protocol.Kept) (any, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	m, err := BetweenParties(t.Context(), correlation.SessionID{1}, nil, nil, true).Prepare(nil,
		[]*Request{{Phase: done}, {Phase: phase}, {Phase: ended}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m[0].Ready(t.Context()), m[0].Close()); err != nil {
		t.Fatal(err)
	}
	waits <- struct{}{}
	if err := m[1].Ready(t.Context()); err != nil || m[1].Result() != any(true) {
		t.Errorf("%v, %v", m[1].Result(), err)
	}
	for _, x := range m[1:] {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	if m[2].Result() != nil {
		t.Errorf("a phase that was ended has %v", m[2].Result())
	}
}
