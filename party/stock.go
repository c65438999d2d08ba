package party

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
)

// Stock is one party's side of putting one session of correlated randomness
// into the parties' own stores (the spec's Store at each), by a dealer
// elsewhere, for a later run of the spec by Join. It needs no data. All parties
// have the session or none does: nobody sees it before it is on every disk, and
// the first party, which chooses sessions, sees it last.
func Stock(ctx context.Context, s Spec, seat Seat) error {
	ctx, end := seat.heeding(ctx, s.online())
	defer end(nil)
	err := s.stock(ctx, seat)
	if err != nil {
		seat.Link.Abort(err.Error())
	}
	return err
}

func (s Spec) stock(ctx context.Context, seat Seat) error {
	if s.dealer() >= 0 {
		return fmt.Errorf("party: in protocol %s a party deals while the program runs: %w", s.Protocol, errors.ErrUnsupported)
	}
	l, err := s.seated(ctx, seat)
	if err != nil {
		return err
	}
	x := l.sessions[0]
	x.supplier = toStore{elsewhere{x, ctx, seat}}
	if err := x.prepare(ctx); err != nil {
		return err
	}
	x.bound(1)
	if err := x.handshake(ctx, l.seeds); err != nil {
		return l.named(heeded(ctx, err))
	}
	defer x.material.close()
	return l.named(heeded(ctx, x.put(ctx)))
}

// toStore is a supplier whose material goes into a store: nothing of it is
// received when a session begins.
type toStore struct{ elsewhere }

func (t toStore) begin(_ context.Context, id correlation.SessionID, o *order) (material, error) {
	d, err := t.join(id, o)
	if err != nil {
		return nil, err
	}
	return &shipped{dealt: dealt{common: d.Seed()}, from: d}, nil
}

// put writes the session that has begun into the party's store.
func (s *session) put(ctx context.Context) error {
	m := s.material.(*shipped)
	name := s.spec.Parties[s.rank]
	folder, err := store.Create(s.spec.Store, name)
	if err != nil {
		return err
	}
	if _, err := folder.Tidy(); err != nil {
		return err
	}
	o := s.order()
	h := &store.Header{
		Session: s.begun, Party: name, Parties: s.spec.Parties, Made: time.Now().Truncate(time.Second), Program: filepath.Base(s.spec.Program.File),
		Terms: o.terms, Seed: m.seed(),
	}
	corrected := correlation.Corrected(s.rank, s.spec.online())
	if corrected {
		h.Records, h.Bytes = len(o.form.Requests), o.form.Bytes()
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
	if err := s.meet(ctx, prepared); err != nil { // everybody's is written
		return err
	}
	if s.rank > 0 {
		if err := w.Publish(); err != nil {
			return err
		}
	}
	if err := s.meet(ctx, closing); err != nil { // everybody's but the first party's is there
		return err
	}
	if s.rank == 0 {
		return w.Publish()
	}
	return nil
}

// either supplies a party from its store where all parties have a session
// there, and else has the dealer deal.
type either struct {
	stored
	elsewhere
}

func (e either) sessions(o *order) ([]correlation.SessionID, error) {
	live, err := e.elsewhere.sessions(o)
	if err != nil {
		return nil, err
	}
	ids, err := e.stored.sessions(o)
	if err != nil && !errors.As(err, new(*store.MissingError)) {
		return nil, err
	}
	return append(ids[:min(len(ids), maxOffered-1)], live...), nil
}

// further is the dealer's: services take nothing from stores.
func (e either) further(ctx context.Context, first material, orders []*order) ([]material, error) {
	return e.elsewhere.further(ctx, first, orders)
}

func (e either) begin(ctx context.Context, id correlation.SessionID, o *order) (material, error) {
	if id == e.seat.Session {
		return e.elsewhere.begin(ctx, id, o)
	}
	return e.stored.begin(ctx, id, o)
}
