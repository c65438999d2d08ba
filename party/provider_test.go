package party

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// shelf is a supplier of sessions without contents.
type shelf struct {
	ids   []correlation.SessionID
	taken []correlation.SessionID // by others
	wrong correlation.SessionID   // what it begins instead, if not zero
	fails error
	begun []correlation.SessionID
}

func (s *shelf) sessions(*correlationRequest) ([]correlation.SessionID, error) { return s.ids, nil }

func (s *shelf) begin(_ context.Context, id correlation.SessionID, _ *correlationRequest) (correlations, error) {
	for _, t := range s.taken {
		if t == id {
			return nil, errTaken
		}
	}
	s.begun = append(s.begun, id)
	return nothing{}, s.fails
}

func (s *shelf) prepareMore(context.Context, correlations, []*correlationRequest) ([]correlations, error) {
	return nil, errors.ErrUnsupported
}

type nothing struct{}

func (nothing) seed() ring.Seed                      { return ring.Seed{} }
func (nothing) corrections() correlation.Corrections { return nil }
func (nothing) ready(context.Context) error          { return nil }
func (nothing) finish(context.Context) error         { return nil }
func (nothing) complete(context.Context) error       { return nil }
func (nothing) took() time.Duration                  { return 0 }
func (nothing) close() error                         { return nil }

// greet has parties with these suppliers shake hands.
func greet(t *testing.T, shelves ...*shelf) ([]*session, error) {
	t.Helper()
	ends := link.Memory(len(shelves))
	spec := &Spec{Protocol: "semi2k", Computing: len(shelves)}
	l := &execution{spec: spec}
	for i, s := range shelves {
		spec.Parties = append(spec.Parties, string(rune('a'+i)))
		l.sessions = append(l.sessions, &session{
			spec: spec, rank: i, link: ends[i], zero: map[int]ring.Seed{}, provider: s, plan: &prediction{},
		})
	}
	var wg sync.WaitGroup
	err := l.each(t.Context(), func(ctx context.Context, s *session) error {
		var offered []string
		for _, id := range s.provider.(*shelf).ids {
			offered = append(offered, id.String())
		}
		common, err := s.exchangeHellos(ctx, hello{Sessions: offered}, newSeeds([]byte("test")))
		if err != nil {
			return err
		}
		if err := s.agreeSession(ctx, common, nil); err != nil {
			return err
		}
		return s.confirmSession(ctx)
	})
	for _, e := range ends {
		wg.Go(e.Close)
	}
	wg.Wait()
	return l.sessions, err
}

func TestPartiesAgreeOnASession(t *testing.T) {
	defer goleak.VerifyNone(t)
	id := func(i byte) correlation.SessionID { return correlation.SessionID{i} }
	ids := func(of ...byte) (out []correlation.SessionID) {
		for _, i := range of {
			out = append(out, id(i))
		}
		return out
	}
	for _, c := range []struct {
		name    string
		shelves []*shelf
		want    byte // 0: an error
		err     string
	}{
		{"the same", []*shelf{{ids: ids(1, 2)}, {ids: ids(1, 2)}}, 1, ""},
		{"some at one only", []*shelf{{ids: ids(1, 2, 3)}, {ids: ids(3, 2)}, {ids: ids(2, 3, 4)}}, 2, ""},
		{"one is taken meanwhile", []*shelf{{ids: ids(1, 2), taken: ids(1)}, {ids: ids(1, 2)}}, 2, ""},
		{"all are taken meanwhile", []*shelf{{ids: ids(1, 2), taken: ids(1, 2)}, {ids: ids(1, 2)}}, 0, "taken by another run"},
		{"none in common", []*shelf{{ids: ids(1)}, {ids: ids(2)}}, 0, "ready at every party"},
		{"taken at another party", []*shelf{{ids: ids(1)}, {ids: ids(1), taken: ids(1)}}, 0, "party b: "},
		{"the first fails", []*shelf{{ids: ids(1), fails: errors.New("disk full")}, {ids: ids(1)}}, 0, "party a: disk full"},
		{"the last fails", []*shelf{{ids: ids(1)}, {ids: ids(1)}, {ids: ids(1), fails: errors.New("disk full")}}, 0, "party c: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			sessions, err := greet(t, c.shelves...)
			if c.want == 0 {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range sessions {
				if s.sessionID != id(c.want) || len(c.shelves[i].begun) != 1 {
					t.Errorf("party %d has %v of %v", i, s.sessionID, c.shelves[i].begun)
				}
			}
		})
	}
}

// Whoever has begun another session than the first party is found out before
// anything is shared.
func TestDifferentSessionsAreFoundOut(t *testing.T) {
	ends := link.Memory(2)
	spec := &Spec{Protocol: "semi2k", Computing: 2, Parties: []string{"a", "b"}}
	l := &execution{spec: spec}
	for i, e := range ends {
		l.sessions = append(l.sessions, &session{spec: spec, rank: i, link: e, sessionID: correlation.SessionID{byte(i)}})
		defer e.Close()
	}
	err := l.each(t.Context(), func(ctx context.Context, s *session) error { return s.confirmSession(ctx) })
	if err == nil || !strings.Contains(err.Error(), "different sessions") {
		t.Errorf("got %v", err)
	}
}

// A dealer that fails ends the run with its error.
func TestDealerFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, network := range []string{"none", "1e9/1ms"} {
		shape, _ := link.ParseShape(network)
		d := &localDealer{ctx: t.Context(), computing: 2, seeds: make([]ring.Seed, 2), shape: shape}
		odd := &correlation.Manifest{Requests: []*correlation.Request{{ID: 7, Kind: 99, Op: "prog:9: op"}}}
		m, err := d.provider(1).begin(t.Context(), d.session, &correlationRequest{manifest: odd, maxTail: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.ready(t.Context()); err == nil || !strings.Contains(err.Error(), "dealer: ") || !strings.Contains(err.Error(), "prog:9: op") {
			t.Errorf("%s: got %v", network, err)
		}
		if _, err := m.corrections().Take(7); err == nil || !strings.Contains(err.Error(), "prog:9: op") {
			t.Errorf("%s: taken: %v", network, err)
		}
		if err := m.close(); err != nil {
			t.Error(err)
		}
	}
}

// A run that ends early leaves nothing of the dealer behind.
func TestDealerIsStopped(t *testing.T) {
	defer goleak.VerifyNone(t)
	x := correlation.NewFresh(1, ring.Z(64), 1<<16)
	form := &correlation.Manifest{}
	for i := range 64 {
		form.Requests = append(form.Requests, &correlation.Request{
			ID: correlation.ID(2 + i), Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}}, Out: x.Ring, N: x.N,
		})
	}
	d := &localDealer{ctx: t.Context(), computing: 2, seeds: make([]ring.Seed, 2), shape: link.Shape{Bits: 1e6}} // minutes of it
	m, err := d.provider(1).begin(t.Context(), d.session, &correlationRequest{manifest: form})
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{})
	m.corrections().Await(65, func() { close(called) })
	if err := m.close(); err != nil {
		t.Error(err)
	}
	<-called
	if _, err := m.corrections().Take(65); !errors.Is(err, context.Canceled) {
		t.Errorf("what never came: %v", err)
	}
}

// The online phase waits until the rest takes no longer than it may.
func TestCorrectionsComeAhead(t *testing.T) {
	for _, c := range []struct {
		came, total int64
		passed      time.Duration
		lead        time.Duration
		near        bool
	}{
		{0, 100, time.Second, time.Second, false},
		{40, 100, 4 * time.Second, 5 * time.Second, false},
		{50, 100, 4 * time.Second, 5 * time.Second, true},
		{99, 100, 99 * time.Second, 0, false}, // no network: all of it
		{maxWaiting, 1 << 50, time.Second, 0, false},
		{maxWaiting + 1, 1 << 50, time.Second, 0, true}, // or nobody would ever use it
	} {
		s := &segment{timely: make(chan struct{}), start: time.Now().Add(-c.passed), total: c.total, maxTail: c.lead}
		s.recordArrival(c.came)
		select {
		case <-s.timely:
			if !c.near {
				t.Errorf("%+v: it does not wait", c)
			}
		default:
			if c.near {
				t.Errorf("%+v: it waits", c)
			}
		}
	}
}
