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
	"github.com/tacet-mpc/tacet/party/offline"
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

func (s *shelf) Sessions(*offline.Request) ([]correlation.SessionID, error) { return s.ids, nil }

func (s *shelf) Begin(id correlation.SessionID, _ *offline.Request) (offline.Correlations, error) {
	for _, t := range s.taken {
		if t == id {
			return nil, offline.ErrTaken
		}
	}
	s.begun = append(s.begun, id)
	return nothing{}, s.fails
}

func (s *shelf) Prepare(offline.Correlations, []*offline.Request) ([]offline.Correlations, error) {
	return nil, errors.ErrUnsupported
}

type nothing struct{}

func (nothing) Seed() ring.Seed                      { return ring.Seed{} }
func (nothing) Corrections() correlation.Corrections { return nil }
func (nothing) Result() any                          { return nil }
func (nothing) Ready(context.Context) error          { return nil }
func (nothing) Finish(context.Context) error         { return nil }
func (nothing) Complete(context.Context) error       { return nil }
func (nothing) Took() time.Duration                  { return 0 }
func (nothing) Close() error                         { return nil }

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
		if err := s.agreeSession(ctx, common, &offline.Request{}); err != nil {
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
