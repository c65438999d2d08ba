package node

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/ring"
)

// TestDealerStopped submits a job, an offline job and a service while the dealer is stopped: they wait for it,
// without a run, and start once there is a dealer again.
func TestDealerStopped(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	job, offline, service := c.submission(names...), c.submission(names...), c.service(names...)
	offline.Offline = true
	started := 0
	for _, s := range []*api.Submission{job, service, offline} {
		c.stops["dealer"]()
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		tries := 0
		c.until(s.ID, "alice", func(j api.Job) bool {
			if strings.HasPrefix(j.Phase, "waiting for the dealer: dealer is not reached") {
				tries++
			}
			return tries > 50
		})
		for _, p := range names {
			if k := strings.Count(strings.Join(c.events(p), "\n"), string(audit.Started)); k != started {
				t.Errorf("the audit log of %s has %d starts while the dealer is stopped, want %d", p, k, started)
			}
			counts, _ := os.ReadFile(filepath.Join(c.dir, p, "state", "counts.json"))
			if k := strings.Count(string(counts), `"runs": 1`); started == 0 && k > 0 {
				t.Errorf("%s has counted a run: %s", p, counts)
			}
		}
		c.deal(names...)
		started++
		if s.Serve {
			c.opened(s)
			continue
		}
		for _, p := range names {
			if j := c.wait(s.ID, p); j.State != api.Done {
				t.Errorf("job is %s at %s: %s", j.State, p, j.Error)
			}
		}
	}
}

// A job ends at all nodes with the cause if its dealer disconnects while it deals; the next job runs once
// there is a dealer again.
func TestDealerGoes(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	run := func(want string) {
		t.Helper()
		s := c.submission(names...)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range names {
			j := c.wait(s.ID, p)
			if want == "" && j.State != api.Done || want != "" && (j.State != api.Failed || !strings.Contains(j.Error, want)) {
				t.Errorf("%s: job is %s: %s, want %q", p, j.State, j.Error, want)
			}
		}
	}
	c.stops["dealer"]()
	watch := link.Heartbeat{Interval: 50 * time.Millisecond, Timeout: clusterSilence}
	for _, d := range []struct {
		serve func(pki.Caller)
		want  string
	}{
		{func(pki.Caller) {}, "connection lost"},
		{func(c pki.Caller) { io.Copy(io.Discard, c) }, "silent for " + clusterSilence.String()},
		{func(c pki.Caller) { // it sends seeds and disconnects without waiting
			g, err := remote.Accept(c, watch)
			if err != nil {
				return
			}
			g.SendSeed(ring.NewSeed())
			if g.ReceivesCorrections() {
				g.Manifest(correlation.Limits{Bytes: 1 << 20, Items: 1 << 16, Words: 1 << 20, Parties: 2})
				g.Next()
			}
			c.Close()
			g.Close()
		}, "connection lost"},
	} {
		p := c.wires.port("dealer")
		var work sync.WaitGroup
		work.Go(func() { answer(p, &work, d.serve) })
		run(d.want)
		p.Close()
		work.Wait()
	}
	c.deal(names...)
	run("")
}

// answer serves every connection with f and closes it.
func answer(p *port, work *sync.WaitGroup, serve func(pki.Caller)) {
	for {
		c, err := p.Accept()
		if err != nil {
			return
		}
		work.Go(func() {
			serve(c)
			c.Close()
		})
	}
}
