package offline

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// CreateFile starts to write the file of a new session in a party's folder, and returns its writer, which the
// caller must publish or discard. self is the party's place in the session, program the path of the program, o
// the request that the session will serve, and seed the party's seed.
func CreateFile(f *store.Folder, self remote.Participant, program string, o *Request, seed ring.Seed) (*store.Writer, error) {
	h := &store.Header{
		Session: self.Session, Party: self.Parties[self.Rank], Parties: self.Parties, Made: time.Now().Truncate(time.Second),
		Program: filepath.Base(program), Terms: o.Terms, Seed: seed,
	}
	if self.ReceivesCorrections() {
		h.Records, h.Bytes = len(o.Manifest.Requests), o.Manifest.Bytes()
	}
	return f.New(h)
}

// DealToStores deals one session for the request o into the folders of all parties, which are ordered by rank,
// and returns its id. The first parties, as many as computing says, compute. dealing is nil unless one of the
// parties deals. No party can use the session before all of it is on disk. It is published last at the first
// party, because that party chooses the session of a run. Progress is called with the number of bytes that have
// been dealt.
func DealToStores(
	ctx context.Context, folders []*store.Folder, computing int, dealing *protocol.Dealing, program string, o *Request, progress func(int64),
) (correlation.SessionID, error) {
	self := remote.Participant{Session: correlation.NewSessionID(), Computing: computing}
	for _, f := range folders {
		self.Parties = append(self.Parties, f.Party)
	}
	own, all := drawSeeds(len(folders), dealing)
	writers := make([]*store.Writer, len(folders))
	defer func() {
		for _, w := range writers {
			if w != nil {
				w.Discard()
			}
		}
	}()
	for rank, f := range folders {
		var err error
		self.Rank = rank
		if writers[rank], err = CreateFile(f, self, program, o, own[rank]); err != nil {
			return self.Session, err
		}
	}
	to, done := writers[computing-1], int64(0)
	err := correlation.NewLocal(computing, all).Deal(ctx, o.Manifest, func(r correlation.ID, data []byte) error {
		done += int64(len(data))
		progress(done)
		return to.Append(r, data)
	})
	if err != nil {
		return self.Session, err
	}
	for rank := len(writers) - 1; rank >= 0; rank-- {
		if err := writers[rank].Publish(); err != nil {
			return self.Session, err
		}
	}
	return self.Session, nil
}

// drawSeeds draws the seeds of a session by rank: own are the seeds that parties keep, all are the
// seeds that the dealer has in common with them. They differ for a party that deals only: it keeps
// the root from which all are derived.
func drawSeeds(parties int, dealing *protocol.Dealing) (own, all []ring.Seed) {
	for range parties {
		own = append(own, ring.NewSeed())
	}
	if dealing == nil {
		return own, own
	}
	root := own[dealing.Rank]
	all = dealing.Seeds(root, parties)
	copy(own, all)
	own[dealing.Rank] = root
	return own, all
}

// ForStore returns a provider like that of FromDealer, for correlations that the party writes to its store. Its
// Begin returns an *Unreceived, which has received no correction yet; Unreceived.Write receives them.
func ForStore(ctx context.Context, d Dealer, self remote.Participant) Provider {
	return forStore{fromDealer{ctx: ctx, dealer: d, self: self}}
}

type forStore struct{ fromDealer }

func (t forStore) Begin(_ correlation.SessionID, o *Request) (Correlations, error) {
	d, err := t.join(o)
	if err != nil {
		return nil, err
	}
	return &Unreceived{dealtRemotely{dealt: dealt{seed: d.Seed()}, from: d}}, nil
}

// Unreceived are the correlations of a session that ForStore's provider has begun, for writing to a store. It
// implements Correlations; a party that receives corrections gets them by Write.
type Unreceived struct{ dealtRemotely }

// Write receives all corrections and appends them to the session's file w. The party that receives corrections
// calls it. progress is called with the number of bytes that have arrived. If ctx ends, the session ends and
// Write returns the cause.
func (m *Unreceived) Write(ctx context.Context, w *store.Writer, progress func(int64)) error {
	stop := context.AfterFunc(ctx, func() { m.from.Close() })
	defer stop()
	var failed error
	done := int64(0)
	err := m.from.Receive(func(id correlation.ID, data []byte) {
		done += int64(len(data))
		progress(done)
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
	return nil
}
