//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/node/api"
)

// TestServiceTroubles kills a party during several requests: each of them must end at all nodes, done
// or with that party's name, leaving nothing, and the next job must succeed.
func TestServiceTroubles(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	for _, who := range r.parties {
		s := r.submission()
		s.Serve, s.Batch = true, 4
		s.Inputs[1].Resident, s.Inputs[2].Resident = true, true
		r.hand(s)
		r.check(cluster.WaitOpen(t.Context(), r.clients, s.Parties, s.ID, func([]api.Job) {}))
		r.all(fault.Fault{Delay: 20 * time.Millisecond}) // so that a batch takes a while, also for who looks at it on a busy machine
		var asked []*api.Request
		for range 10 {
			q := cluster.NewRequest("", nil)
			for _, p := range r.parties {
				_, err := r.clients[p].Request(t.Context(), s.ID, q)
				r.check(err)
			}
			asked = append(asked, q)
		}
		for deadline := time.Now().Add(rigWait); ; time.Sleep(time.Millisecond) {
			j, err := r.asked(who, s.ID)
			if err == nil && j.Answering > 1 {
				t.Logf("%s is killed with %d requests under way, %d answered", who, j.Answering, j.Step)
				break
			}
			if time.Now().After(deadline) || err == nil && j.Step == len(asked) {
				t.Fatalf("no two requests are under way at once: %+v, %v", j, err)
			}
		}
		r.killed(who)
		for _, p := range r.parties {
			if p == who {
				continue
			}
			if j, known := r.end(s, p); !known || j.State != api.Failed || !strings.Contains(j.Error, who) {
				t.Errorf("%s: the service is %s: %s", p, j.State, j.Error)
			}
		}
		r.up()
		r.all(fault.Fault{})
		for _, p := range r.parties {
			for _, q := range asked {
				v, err := r.clients[p].RequestStatus(t.Context(), s.ID, q.ID)
				if err != nil || !v.State.Final() || v.State == api.Failed && !strings.Contains(v.Error, who) {
					t.Errorf("%s: a request is %s (%s), %v", p, v.State, v.Error, err)
				}
				_, err = os.Stat(filepath.Join(r.dir, p, "state", "jobs", s.ID, "requests", q.ID, "results"))
				if (err == nil) != (v.State == api.Done) {
					t.Errorf("%s: a request is %s, and its results: %v", p, v.State, err)
				}
			}
		}
		r.works(who + " killed")
	}
}
