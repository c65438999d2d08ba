package party

import (
	"context"
	"fmt"
	"path/filepath"

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
// this process. It writes them to the parties' folders in s.Store. No owned data is needed. After an error the
// result lists the sessions that were completed.
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
