package offline

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ring"
)

// Dealer is one party's connection to a dealer in another process.
type Dealer interface {
	// Begin joins a session at the dealer, as the party that self describes. All parties join with the same
	// manifest. The session ends when ctx ends.
	Begin(ctx context.Context, self remote.Participant, f *correlation.Manifest) (DealerSession, error)
}

// DealerSession is a party's side of one session at a dealer in another process.
type DealerSession interface {
	// Seed returns the seed that the party and the dealer have in common.
	Seed() ring.Seed
	// Receive calls put with each correction as it arrives, in the manifest's order, and returns after the last
	// one. Only the party that receives corrections calls it. While put blocks, the dealer waits.
	Receive(put func(id correlation.ID, data []byte)) error
	// Next requests the correlations of manifest f too, in a service's session, after Receive has returned. All
	// parties call it with the same manifest. Except for masks of resident values, no id of f may have been in
	// an earlier manifest.
	Next(f *correlation.Manifest) error
	// Close ends the session. A Receive that waits returns an error.
	Close() error
}

// FromDealer returns the provider of a party whose dealer d is in another process. The session ends with ctx,
// the run's context. self is the party's place in the only session that the provider has.
func FromDealer(ctx context.Context, d Dealer, self remote.Participant) Provider {
	return fromDealer{ctx, d, self}
}

type fromDealer struct {
	ctx    context.Context
	dealer Dealer
	self   remote.Participant
}

func (e fromDealer) Sessions(*Request) ([]correlation.SessionID, error) {
	return []correlation.SessionID{e.self.Session}, nil
}

// join joins the session at the dealer.
func (e fromDealer) join(o *Request) (DealerSession, error) {
	d, err := e.dealer.Begin(e.ctx, e.self, o.Manifest)
	if err != nil {
		return nil, fmt.Errorf("dealer: %w", err)
	}
	return d, nil
}

// Begin joins the session and, at the party that receives corrections, starts to receive.
func (e fromDealer) Begin(_ correlation.SessionID, o *Request) (Correlations, error) {
	d, err := e.join(o)
	if err != nil {
		return nil, err
	}
	m := &dealtRemotely{dealt: dealt{seed: d.Seed()}, from: d}
	if e.self.ReceivesCorrections() {
		s := newStream(e.ctx, o)
		s.receiveFrom(d)
		m.segment = s.segments[0]
	}
	return m, nil
}

// receiveFrom receives the stream's corrections as they arrive.
func (s *stream) receiveFrom(d DealerSession) {
	left := context.AfterFunc(s.ctx, func() { d.Close() })
	s.run(func() error {
		defer left()
		return d.Receive(s.put)
	})
}

// Prepare requests all correlations in one manifest: the ids of each request are below those of the
// next one.
func (e fromDealer) Prepare(first Correlations, requests []*Request) ([]Correlations, error) {
	d, all := first.(*dealtRemotely).from, &correlation.Manifest{}
	for _, o := range requests {
		all.Requests = append(all.Requests, o.Manifest.Requests...)
	}
	if err := d.Next(all); err != nil {
		return nil, fmt.Errorf("dealer: %w", err)
	}
	if !e.self.ReceivesCorrections() {
		return uncorrected(d.Seed(), requests), nil
	}
	s := newBufferedStream(e.ctx, requests)
	s.receiveFrom(d)
	return s.dealt(d.Seed()), nil
}

// dealtRemotely are a party's correlations from a dealer in another process.
type dealtRemotely struct {
	dealt
	from DealerSession
}

// Close ends the session at the dealer. It closes the stream of corrections first, so that a full stream does
// not delay the end of the dealer's connection.
func (m *dealtRemotely) Close() error {
	err := m.dealt.Close()
	return errors.Join(err, m.from.Close())
}
