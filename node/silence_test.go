package node

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/node/api"
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
		// No connection, or no answer over one: both times are over at once.
		if want := "waits for bob: no answer"; j.State.Final() || !strings.Contains(j.Phase, want) {
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

// TestUnheardRequest: a request that did not get to the lead of a service ends at
// the other nodes, and the next one is answered.
func TestUnheardRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0, t.TempDir())
		defer w.close()
		order := []string{"alice", "bob", "eve"}
		s := w.service(order...)
		w.submitted(s)
		for _, p := range order {
			if j, ok := w.until(s.ID, p, func(j api.Job) bool { return j.Phase == api.Serves }); !ok {
				t.Fatalf("the service is %s: %s", j.State, j.Error)
			}
		}
		for _, asked := range [][]string{order[1:], order} {
			r := &api.Request{ID: newID()}
			for _, p := range asked {
				if _, err := w.as(p).Request(t.Context(), s.ID, r); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Minute + time.Second) // limits: wait
			for _, p := range asked {
				v, err := w.as(p).Served(t.Context(), s.ID, r.ID)
				switch {
				case err != nil:
					t.Error(err)
				case len(asked) == 3 && v.State != api.Done, len(asked) < 3 && (v.State != api.Failed || !strings.Contains(v.Error, "its turn has not come within 1m0s (has alice")):
					t.Errorf("a request at %v is %s at %s: %s", asked, v.State, p, v.Error)
				}
			}
		}
	})
}
