package node

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/node/api"
)

// TestSilentPeer checks that a job that waits for an unresponsive node says so within the heartbeat
// timeout, holds no slots meanwhile, and continues when that node answers again.
func TestSilentPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0, t.TempDir())
		defer w.close()
		w.lines[[2]string{"alice", "bob"}].Set(fault.Both, fault.Fault{Hole: true})
		s := w.submission("alice", "bob", "eve")
		w.submitted(s)
		silence := DefaultLimits.HeartbeatTimeout
		time.Sleep(silence + time.Second)
		lead, _ := w.task(s.ID, "alice")
		j := lead.state().Job(s.ID)
		// no connection, or no answer over one: both timeouts end at the same time
		if want := "waiting for bob: no answer"; j.State.Final() || !strings.Contains(j.Phase, want) {
			t.Errorf("job is %s: %s%s, want %q", j.State, j.Phase, j.Error, want)
		}
		eve, _ := w.task(s.ID, "eve")
		if free := eve.state().FreeSlots(); free != eve.config.Limits.Jobs {
			t.Errorf("%d slots are free at eve while the job waits", free)
		}
		w.repair()
		if done := w.ended(s, gives(of("alice", "x.npy"), of("bob", "x.npy"))); done != 3 {
			t.Errorf("the job is done at %d of 3", done)
		}
	})
}

// TestRequestNotAtLeader checks that a request that did not reach the leader of a service fails at the
// other nodes, and that the next one is answered.
func TestRequestNotAtLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0, t.TempDir())
		defer w.close()
		order := []string{"alice", "bob", "eve"}
		s := w.service(order...)
		w.submitted(s)
		for _, p := range order {
			if j, ok := w.until(s.ID, p, func(j api.Job) bool { return j.Phase == api.PhaseServing }); !ok {
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
				v, err := w.as(p).RequestStatus(t.Context(), s.ID, r.ID)
				switch {
				case err != nil:
					t.Error(err)
				case len(asked) == 3 && v.State != api.Done, len(asked) < 3 && (v.State != api.Failed || !strings.Contains(v.Error, "not evaluated within 1m0s (did the leading node, alice,")):
					t.Errorf("a request at %v is %s at %s: %s", asked, v.State, p, v.Error)
				}
			}
		}
	})
}
