package node

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tacet-mpc/tacet/link/fault"
)

// TestSilentPeer: a job that waits for a node of which nothing is heard says so
// within the time of silence, keeps nobody's slot, and goes on when that node is
// heard again.
func TestSilentPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0, t.TempDir())
		defer w.close()
		w.lines[[2]string{"alice", "bob"}].Set(fault.Both, fault.Fault{Hole: true})
		s := w.submission("alice", "bob", "eve")
		w.submitted(s)
		silence := DefaultLimits.Silence
		time.Sleep(silence + time.Second)
		lead, j := w.task(s.ID, "alice")
		lead.mu.Lock()
		if want := "waits for bob: no answer: silent for 5s"; j.State.Final() || !strings.Contains(j.Phase, want) {
			t.Errorf("job is %s: %s%s, want %q", j.State, j.Phase, j.Error, want)
		}
		lead.mu.Unlock()
		eve, _ := w.task(s.ID, "eve")
		eve.mu.Lock()
		if eve.slots != eve.config.Limits.Jobs {
			t.Errorf("%d slots are free at eve while the job waits", eve.slots)
		}
		eve.mu.Unlock()
		w.mend()
		if done := w.ended(s, gives(of("alice", "x.npy"), of("bob", "x.npy"))); done != 3 {
			t.Errorf("the job is done at %d of 3", done)
		}
	})
}
