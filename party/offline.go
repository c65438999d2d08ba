package party

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/ring"
)

// OfflineResult is the result of Offline.
type OfflineResult struct {
	Sessions []string // ids of the sessions
	Bytes    int64    // corrections of each session
	Ready    int      // number of sessions for this job that the first party's store has now
}

// Offline has a dealer in this process make the correlated randomness of the given number of
// sessions for runs of a spec, and stores it in the parties' folders of s.Store. It needs no owned
// data. After an error the result lists the sessions that were completed.
func Offline(ctx context.Context, s Spec, sessions int) (OfflineResult, error) {
	var made OfflineResult
	l, err := s.execute(ctx, needsPublic)
	if err != nil {
		return made, err
	}
	first := l.sessions[0] // the plans of all parties are equal
	if err := first.prepare(ctx); err != nil {
		return made, err
	}
	o := first.newCorrelationRequest()
	made.Bytes = o.manifest.Bytes()
	var folders []*store.Folder
	for rank, p := range s.Parties {
		f, err := s.createStore(rank)
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
		id, err := storeSession(ctx, l.spec, folders, o, func(done int64) {
			s.report(Progress{Phase: fmt.Sprintf("session %d of %d", i+1, sessions), Done: int(done), All: int(made.Bytes), Unit: "bytes"})
		})
		if err != nil {
			return made, fmt.Errorf("%w (%d of %d sessions were made, of %d bytes each)", err, i, sessions, made.Bytes)
		}
		made.Sessions = append(made.Sessions, id.String())
	}
	ready, err := folders[0].Find(o.terms)
	made.Ready = len(ready)
	return made, err
}

// storeSession deals one session into all folders. No party can use it before all of it is on disk;
// it is published at the first party, which chooses sessions, last.
func storeSession(ctx context.Context, s *Spec, folders []*store.Folder, o *correlationRequest, progress func(int64)) (correlation.SessionID, error) {
	id := correlation.NewSessionID()
	own, all := s.dealingSeeds()
	writers := make([]*store.Writer, len(folders))
	defer func() {
		for _, w := range writers {
			if w != nil {
				w.Discard()
			}
		}
	}()
	for rank, f := range folders {
		h := &store.Header{
			Session: id, Party: f.Party, Parties: s.Parties, Made: time.Now().Truncate(time.Second), Program: filepath.Base(s.Program.File),
			Terms: o.terms, Seed: own[rank],
		}
		if correlation.ReceivesCorrections(rank, s.online()) {
			h.Records, h.Bytes = len(o.manifest.Requests), o.manifest.Bytes()
		}
		var err error
		if writers[rank], err = f.New(h); err != nil {
			return id, err
		}
	}
	to, done := writers[s.online()-1], int64(0)
	err := correlation.NewLocal(s.online(), all).Deal(ctx, o.manifest, func(r correlation.ID, data []byte) error {
		done += int64(len(data))
		progress(done)
		return to.Append(r, data)
	})
	if err != nil {
		return id, err
	}
	for rank := len(writers) - 1; rank >= 0; rank-- {
		if err := writers[rank].Publish(); err != nil {
			return id, err
		}
	}
	return id, nil
}

// dealingSeeds draws the seeds of a session by rank: own are the seeds that parties keep, all are
// the seeds that the dealer has in common with them. They differ for a party that deals only: it
// keeps the root from which all are derived.
func (s *Spec) dealingSeeds() (own, all []ring.Seed) {
	seeds := newSeeds(nil)
	for rank := range s.Parties {
		own = append(own, seeds.dealer(rank))
	}
	rank := s.dealer()
	if rank < 0 {
		return own, own
	}
	all = s.Descriptor().Dealing.Seeds(own[rank], len(own))
	root := own[rank]
	copy(own, all)
	own[rank] = root
	return own, all
}
