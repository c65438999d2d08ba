package party

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/ring"
)

// Made is what Offline made.
type Made struct {
	Sessions []string // their ids
	Bytes    int64    // of corrections, of each session
	Ready    int      // sessions for this job at the first party now
}

// Offline has a dealer in this process make the correlated randomness of so
// many runs of a spec, and puts it into the parties' folders of s.Store. It
// needs no data. After an error, what Made lists is there all the same.
func Offline(ctx context.Context, s Spec, sessions int) (Made, error) {
	var made Made
	l, err := s.local(ctx)
	if err != nil {
		return made, err
	}
	first := l.sessions[0] // all parties plan alike
	if err := first.prepare(ctx); err != nil {
		return made, err
	}
	o := first.order()
	made.Bytes = o.form.Bytes()
	var folders []*store.Folder
	for _, p := range s.Parties {
		f, err := store.Create(s.Store, p)
		if err != nil {
			return made, err
		}
		rest, err := f.Tidy()
		for _, id := range rest {
			s.notice(fmt.Sprintf("session %v in %s was never finished, by a process that was interrupted: it is removed", id, filepath.Join(s.Store, p)))
		}
		if err != nil {
			return made, err
		}
		folders = append(folders, f)
	}
	for i := range sessions {
		id, err := stock(ctx, l.spec, folders, o, func(done int64) {
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

// stock deals one session into all folders. Nobody sees it before all of it is
// on disk; the first party, which chooses sessions, sees it last.
func stock(ctx context.Context, s *Spec, folders []*store.Folder, o *order, progress func(int64)) (correlation.SessionID, error) {
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
		if correlation.Corrected(rank, s.online()) {
			h.Records, h.Bytes = len(o.form.Requests), o.form.Bytes()
		}
		var err error
		if writers[rank], err = f.New(h); err != nil {
			return id, err
		}
	}
	to, done := writers[s.online()-1], int64(0)
	err := correlation.NewLocal(s.online(), all).Deal(ctx, o.form, func(r correlation.ID, data []byte) error {
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

// dealingSeeds draws the seeds of a session by rank: those that each party
// keeps, and those that the dealer has in common with them. They are the same
// but for a party that deals, which keeps the one that all follow from.
func (s *Spec) dealingSeeds() (own, all []ring.Seed) {
	seeds := newSeeds(nil)
	for rank := range s.Parties {
		own = append(own, seeds.dealer(rank))
	}
	rank := s.dealer()
	if rank < 0 {
		return own, own
	}
	all = aby3.Seeds(own[rank], len(own))
	root := own[rank]
	copy(own, all)
	own[rank] = root
	return own, all
}
