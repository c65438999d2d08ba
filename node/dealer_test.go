package node

import (
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/ring"
)

// A job whose dealer is gone, or goes while it deals, ends at all nodes with
// what has become of it; the next one, when there is a dealer again, runs.
func TestDealerGoes(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newTown(t, names...)
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
	run("dealer is not reached: connection refused")
	watch := link.Watch{Beat: 50 * time.Millisecond, Silence: time.Second}
	for _, d := range []struct {
		serve func(pki.Caller)
		want  string
	}{
		{func(pki.Caller) {}, "connection lost"},
		{func(c pki.Caller) { io.Copy(io.Discard, c) }, "silent for 1s"},
		{func(c pki.Caller) { // it gives seeds, and leaves who waits for nothing else
			g, err := remote.Accept(c, watch)
			if err != nil {
				return
			}
			g.Give(ring.NewSeed())
			if g.Corrected() {
				g.Form(correlation.Limits{Bytes: 1 << 20, Items: 1 << 16, Words: 1 << 20, Parties: 2})
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

// answer serves all who call, and hangs up.
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
