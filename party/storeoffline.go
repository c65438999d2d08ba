package party

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/problem"
)

// StoreOffline is one party's side of storing one session of correlated randomness in the parties'
// own stores (the spec's Store at each), for a later run of the spec by Join. The dealer is in
// another process. No owned data is needed. All parties get the session or none does: no party can
// use it before it is on every disk, and it is published at the first party, which chooses
// sessions, last.
func StoreOffline(ctx context.Context, s Spec, seat Seat) error {
	s, err := s.Resolve()
	if err != nil {
		seat.Link.Abort(err.Error())
		return err
	}
	ctx, end := seat.withPeerAbort(ctx, s.online())
	defer end(nil)
	err = s.storeOffline(ctx, seat)
	if err != nil {
		seat.Link.Abort(err.Error())
	}
	return err
}

func (s Spec) storeOffline(ctx context.Context, seat Seat) error {
	if s.dealer() >= 0 {
		return problem.Refusef("in protocol %s a party deals during the run, so there is no offline phase to store", s.Protocol)
	}
	l, err := s.seated(ctx, seat, needsPublic)
	if err != nil {
		return err
	}
	x := l.sessions[0]
	x.provider = storeWriter{remoteDealer{x, ctx, seat}}
	if err := x.prepare(ctx); err != nil {
		return err
	}
	x.allowTraffic(1)
	if err := x.handshake(ctx, l.seeds); err != nil {
		return l.nameParty(peerAbort(ctx, err))
	}
	defer x.correlations.close()
	return l.nameParty(peerAbort(ctx, x.writeSession(ctx)))
}

// storeWriter is a provider whose correlations are written to a store: it receives none of them
// when a session begins.
type storeWriter struct{ remoteDealer }

func (t storeWriter) begin(_ context.Context, id correlation.SessionID, o *correlationRequest) (correlations, error) {
	d, err := t.join(id, o)
	if err != nil {
		return nil, err
	}
	return &remoteCorrelations{dealerCorrelations: dealerCorrelations{common: d.Seed()}, from: d}, nil
}

// writeSession writes the session that has begun to the party's store.
func (s *session) writeSession(ctx context.Context) error {
	m := s.correlations.(*remoteCorrelations)
	name := s.spec.Parties[s.rank]
	folder, err := s.spec.createStore(s.rank)
	if err != nil {
		return err
	}
	if _, err := folder.RemoveUnfinished(); err != nil {
		return err
	}
	o := s.newCorrelationRequest()
	h := &store.Header{
		Session: s.sessionID, Party: name, Parties: s.spec.Parties, Made: time.Now().Truncate(time.Second), Program: filepath.Base(s.spec.Program.File),
		Terms: o.terms, Seed: m.seed(),
	}
	corrected := correlation.ReceivesCorrections(s.rank, s.spec.online())
	if corrected {
		h.Records, h.Bytes = len(o.manifest.Requests), o.manifest.Bytes()
	}
	w, err := folder.New(h)
	if err != nil {
		return err
	}
	defer w.Discard() // unless it is published
	if corrected {
		stop := context.AfterFunc(ctx, func() { m.from.Close() })
		defer stop()
		var failed error
		done := int64(0)
		err := m.from.Receive(func(id correlation.ID, data []byte) {
			done += int64(len(data))
			s.spec.report(Progress{Phase: "offline", Done: int(done), All: int(h.Bytes), Unit: "bytes"})
			if failed == nil {
				failed = w.Append(id, data)
			}
		})
		if err == nil {
			err = failed
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("dealer: %w", err)
		}
	}
	if err := s.barrier(ctx, stepReady); err != nil { // all parties have written the session
		return err
	}
	if s.rank > 0 {
		if err := w.Publish(); err != nil {
			return err
		}
	}
	if err := s.barrier(ctx, stepTallies); err != nil { // all parties but the first have published it
		return err
	}
	if s.rank == 0 {
		return w.Publish()
	}
	return nil
}

// storeOrDealerProvider takes correlations from the party's store if all parties have a session
// there, else from the dealer.
type storeOrDealerProvider struct {
	storeProvider
	remoteDealer
}

func (e storeOrDealerProvider) sessions(o *correlationRequest) ([]correlation.SessionID, error) {
	live, err := e.remoteDealer.sessions(o)
	if err != nil {
		return nil, err
	}
	ids, err := e.storeProvider.sessions(o)
	if err != nil && !errors.As(err, new(*store.MissingError)) {
		return nil, err
	}
	return append(ids[:min(len(ids), maxOffered-1)], live...), nil
}

// prepareMore asks the dealer: services take nothing from stores.
func (e storeOrDealerProvider) prepareMore(ctx context.Context, first correlations, requests []*correlationRequest) ([]correlations, error) {
	return e.remoteDealer.prepareMore(ctx, first, requests)
}

func (e storeOrDealerProvider) begin(ctx context.Context, id correlation.SessionID, o *correlationRequest) (correlations, error) {
	if id == e.seat.Session {
		return e.remoteDealer.begin(ctx, id, o)
	}
	return e.storeProvider.begin(ctx, id, o)
}
