package party

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/problem"
)

// StoreOffline is one party's side of storing one session of correlated randomness on disk, for a later run of s
// by Join. All parties call it with equal specs; each gives its own store's folder as s.Store. The dealer is in
// another process (seat.Dealer). No owned data is needed. Either all parties get the session or none does: no
// party can use it before it is on every disk. It is published last at the first party, because that party
// chooses the session of a run.
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
	between := s.Descriptor().Between != nil
	if between && s.Descriptor().Between.Keep == nil {
		return problem.Refusef("protocol %s stores nothing", s.Protocol)
	}
	path := s.Store
	if between {
		s.Store, s.PairState = "", ""
	}
	l, err := s.seated(ctx, seat, needsPublic)
	if err != nil {
		return err
	}
	x := l.sessions[0]
	if between {
		return x.storeBetween(ctx, l, path)
	}
	if err := x.needDealer(seat); err != nil {
		return err
	}
	x.provider = offline.ForStore(ctx, seat.Dealer, x.participant(seat))
	if err := x.prepare(ctx); err != nil {
		return err
	}
	x.allowTraffic(1)
	if err := x.handshake(ctx, l.seeds); err != nil {
		return nameParty(peerAbort(ctx, err), l.spec.Parties)
	}
	defer x.correlations.Close()
	return nameParty(peerAbort(ctx, x.writeSession(ctx, seat)), l.spec.Parties)
}

// writeSession writes the session that has begun to the party's store.
func (s *session) writeSession(ctx context.Context, seat Seat) error {
	m := s.correlations.(*offline.Unreceived)
	folder, err := s.store().Create()
	if err != nil {
		return err
	}
	if _, err := folder.RemoveUnfinished(); err != nil {
		return err
	}
	o, self := s.newCorrelationRequest(), s.participant(seat)
	w, err := offline.CreateFile(folder, self, s.spec.Program.File, o, m.Seed())
	if err != nil {
		return err
	}
	defer w.Discard() // unless it is published
	if self.ReceivesCorrections() {
		err := m.Write(ctx, w, func(done int64) {
			s.spec.report(Progress{Phase: "offline", Done: int(done), All: int(o.Manifest.Bytes()), Unit: "bytes"})
		})
		if err != nil {
			return err
		}
	}
	return s.publish(ctx, w)
}

// storeBetween makes a session between the parties and writes it to this party's store in the folder path.
func (s *session) storeBetween(ctx context.Context, l *execution, path string) error {
	s.ahead = true
	defer l.close()
	if err := s.prepare(ctx); err != nil {
		return err
	}
	s.allowTraffic(1)
	err := s.handshake(ctx, l.seeds)
	if err == nil {
		err = s.awaitOffline(ctx)
	}
	if err != nil {
		return nameParty(peerAbort(ctx, err), l.spec.Parties)
	}
	l.spec.Store = path
	var w *store.Writer // nil at a party that does not compute, which stores nothing
	if s.computes() {
		if w, _, err = s.writeMade(s.sessionID); err != nil {
			return err
		}
		defer w.Discard() // unless it is published
	}
	return nameParty(peerAbort(ctx, s.publish(ctx, w)), l.spec.Parties)
}

// publish publishes a session that this party has written, if w is not nil, once all parties have written it.
func (s *session) publish(ctx context.Context, w *store.Writer) error {
	if err := s.barrier(ctx, stepReady); err != nil { // all parties have written the session
		return err
	}
	if w == nil {
		return s.barrier(ctx, stepTallies)
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
