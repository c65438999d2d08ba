package party

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party/offline"
)

// OfflineResult lists the sessions of correlated randomness that Offline has stored.
type OfflineResult struct {
	Sessions []string // ids of the stored sessions
	Bytes    int64    // bytes of the corrections of each session
	Ready    int      // number of unused sessions for this job in the first party's store, old ones included
}

// Offline makes the correlated randomness of a number of sessions, one for each later run of s, with a dealer in
// this process, or with all parties in it for a protocol without one. It writes them to the parties' folders in
// s.Store. No owned data is needed. After an error the result lists the sessions that were completed.
func Offline(ctx context.Context, s Spec, sessions int) (OfflineResult, error) {
	var made OfflineResult
	if s, err := s.Resolve(); err == nil && s.Descriptor().Between != nil {
		return s.makeBetween(ctx, sessions)
	}
	l, err := s.execute(ctx, needsPublic)
	if err != nil {
		return made, err
	}
	first := l.sessions[0] // the plans of all parties are equal
	if err := first.prepare(ctx); err != nil {
		return made, err
	}
	o := first.newCorrelationRequest()
	made.Bytes = o.Manifest.Bytes()
	var folders []*store.Folder
	for rank, p := range s.Parties {
		f, err := l.sessions[rank].store().Create()
		if err != nil {
			return made, err
		}
		rest, err := f.RemoveUnfinished()
		for _, id := range rest {
			s.notice(fmt.Sprintf("session %v in %s is incomplete, since its process was interrupted: the session is removed", id, filepath.Join(s.Store, p)))
		}
		if err != nil {
			return made, err
		}
		folders = append(folders, f)
	}
	for i := range sessions {
		id, err := offline.DealToStores(ctx, folders, l.spec.online(), l.spec.Descriptor().Dealing, s.Program.File, o, func(done int64) {
			s.report(Progress{Phase: fmt.Sprintf("session %d of %d", i+1, sessions), Done: int(done), All: int(made.Bytes), Unit: "bytes"})
		})
		if err != nil {
			return made, fmt.Errorf("%w (%d of %d sessions were made, of %d bytes each)", err, i, sessions, made.Bytes)
		}
		made.Sessions = append(made.Sessions, id.String())
	}
	ready, err := folders[0].Find(o.Terms)
	made.Ready = len(ready)
	return made, err
}

// makeBetween is Offline for a protocol whose parties make their correlations between them.
func (s Spec) makeBetween(ctx context.Context, sessions int) (made OfflineResult, err error) {
	for i := range sessions {
		s.report(Progress{Phase: fmt.Sprintf("session %d of %d", i+1, sessions)})
		id, bytes, err := s.makeOne(ctx)
		if err != nil {
			return made, fmt.Errorf("%w (%d of %d sessions were made)", err, i, sessions)
		}
		made.Sessions, made.Bytes = append(made.Sessions, id.String()), bytes
	}
	l, err := s.execute(ctx, needsPublic)
	if err != nil {
		return made, err
	}
	x := l.sessions[0]
	if err := x.prepare(ctx); err != nil {
		return made, err
	}
	f, err := x.store().Open()
	if err != nil {
		return made, err
	}
	ready, err := f.Find(x.newCorrelationRequest().Terms)
	made.Ready = len(ready)
	return made, err
}

// makeOne makes one session between the parties, all of them in this process, and writes it to their stores. It returns the
// session's id, and the number of bytes of what the parties store.
func (s Spec) makeOne(ctx context.Context) (id correlation.SessionID, bytes int64, err error) {
	path := s.Store
	s.Store, s.PairState = "", ""
	l, err := s.execute(ctx, needsPublic)
	if err != nil {
		return id, 0, err
	}
	defer l.connect()()
	l.setProviders(ctx)
	defer l.close()
	for _, x := range l.sessions {
		x.ahead = true
	}
	if err := l.each(ctx, func(ctx context.Context, x *session) error {
		if err := x.prepare(ctx); err != nil {
			return err
		}
		if err := x.handshake(ctx, l.seeds); err != nil {
			return err
		}
		return x.awaitOffline(ctx)
	}); err != nil {
		return id, 0, err
	}
	l.spec.Store = path
	id = l.sessions[0].sessionID
	var writers []*store.Writer
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	for _, x := range l.sessions[:l.spec.online()] {
		w, n, err := x.writeMade(id)
		if err != nil {
			return id, 0, err
		}
		writers, bytes = append(writers, w), bytes+n
	}
	for _, w := range slices.Backward(writers) {
		if err := w.Publish(); err != nil {
			return id, bytes, err
		}
	}
	return id, bytes, nil
}

// writeMade writes the session that has been made ahead of time to the party's store, and returns its writer and the number
// of bytes.
func (s *session) writeMade(id correlation.SessionID) (*store.Writer, int64, error) {
	f, err := s.store().Create()
	if err != nil {
		return nil, 0, err
	}
	if _, err := f.RemoveUnfinished(); err != nil {
		return nil, 0, err
	}
	k := s.madeStore()
	k.Terms = s.newCorrelationRequest().Terms
	data := k.Keeping.Next(s.correlations.Result())
	w, err := k.New(id, filepath.Base(s.spec.Program.File), data)
	return w, int64(len(data)), err
}
