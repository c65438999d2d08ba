package dealer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/version"
)

// TestSessionsPerParty checks that one party cannot open all sessions, is told how many count for it, and
// that another one still opens its own.
func TestSessionsPerParty(t *testing.T) {
	h := newHouse(t, shortLimits)
	f := order(3, 10)
	opened := 0
	for i := range byte(64) {
		s := table(i + 1)
		s.Rank = 0
		x, err := remote.Open(t.Context(), h.call("alice"), s, f, h.limits.heartbeat())
		if err != nil {
			if !strings.Contains(err.Error(), "21 open sessions count for alice") {
				t.Fatal(err)
			}
			break
		}
		t.Cleanup(func() { x.Close() })
		opened++
	}
	if opened != 21 {
		t.Errorf("alice has opened %d sessions of %d", opened, shortLimits.Sessions)
	}
	h.mustSit(table(100), 2, f)
	// A session with all its parties counts for the one with the fewest, so that alice, who comes first to
	// most sessions, may open more.
	bob, carol := h.mustSit(table(1), 1, f), h.mustSit(table(1), 2, f)
	h.mu.Lock()
	if n := h.charged; n["alice"] != 20 || n["bob"] != 1 || n["carol"] != 1 {
		t.Errorf("open sessions count for %v", n)
	}
	h.mu.Unlock()
	h.mustSit(table(101), 0, f)
	for _, s := range []*remote.Session{bob, carol} {
		awaitEnd(t, s, "")
	}
}

// TestSharesOfSessions checks the default of limits: sessions_per_party.
func TestSharesOfSessions(t *testing.T) {
	for _, c := range []struct{ sessions, parties, want int }{{64, 2, 32}, {64, 3, 21}, {64, 20, 8}, {2, 2, 1}, {1, 3, 1}, {5, 50, 3}} {
		if got := fairShare(c.sessions, c.parties); got != c.want {
			t.Errorf("%d sessions, %d parties: %d, want %d", c.sessions, c.parties, got, c.want)
		}
	}
}

// claim connects the party of a rank to a session, in which it announces a manifest of a length. None of it
// is sent. The session's end can be read from the connection.
func (h *testDealer) claim(s remote.Participant, rank int, length int64) net.Conn {
	h.t.Helper()
	s.Rank = rank
	text, err := json.Marshal(struct {
		Version int `json:"version"`
		remote.Participant
		Form   string `json:"manifest"`
		Length int64  `json:"length"`
	}{version.Protocol, s, strings.Repeat("00", 32), length})
	if err != nil {
		h.t.Fatal(err)
	}
	c := h.call(s.Parties[rank])
	c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := c.Write(append([]byte{1, byte(len(text)), byte(len(text) >> 8), 0}, text...)); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { c.Close() })
	return c
}

// others is a session in which alice receives the corrections.
func others(id byte) remote.Participant {
	return remote.Participant{Session: correlation.SessionID{id}, Parties: []string{"carol", "alice", "bob"}, Computing: 2}
}

// TestClaimedManifest checks that manifests which are announced and never sent take no memory and do not
// keep others from being served, and that they end with limits: wait.
func TestClaimedManifest(t *testing.T) {
	l := shortLimits
	l.Manifest = 32 << 20
	h := newHouse(t, l)
	for i := range byte(4) {
		h.claim(table(10+i), 1, 32<<20)
	}
	for h.Health().Sessions < 4 {
		time.Sleep(time.Millisecond)
	}
	if n := h.manifestMemory.used(); n != 0 {
		t.Errorf("%d bytes are taken for manifests that have not arrived", n)
	}
	f := order(5, 100)
	var all sync.WaitGroup
	for rank := range names {
		all.Go(func() {
			s := others(1)
			s.Rank = rank
			x, err := remote.Open(t.Context(), h.call(s.Parties[rank]), s, f, l.heartbeat())
			if err != nil {
				t.Error(err)
				return
			}
			defer x.Close()
			awaitEnd(t, x, "")
		})
	}
	all.Wait()
	<-h.over(1)
}

// TestManifestDeadline checks that a session whose manifest does not arrive ends, and that the party which
// waits for memory is told what its other manifests take, and nobody else is.
func TestManifestDeadline(t *testing.T) {
	l := shortLimits
	l.Manifest, l.Wait = 32<<20, 300*time.Millisecond
	h := newHouse(t, l)
	join := func(id byte) (all []net.Conn) {
		for rank := range names {
			all = append(all, h.claim(table(id), rank, 32<<20))
		}
		return all
	}
	first := join(1)
	for h.shares["bob"].used() == 0 {
		time.Sleep(time.Millisecond)
	}
	second := join(2)
	for i, c := range append(first, second...) {
		heard, _ := io.ReadAll(c)
		want := "waited 300ms for the correlation manifest"
		if i >= len(first) {
			want = "waited 300ms for memory for the correlation manifest (limits: memory in the dealer's configuration)"
		}
		const own = "; those of bob take 1.0 GiB, and those of one party may take 1.0 GiB"
		if told := strings.Contains(string(heard), own); !strings.Contains(string(heard), want) || told != (i == len(first)+1) {
			t.Errorf("session %d: %s hears %q", 1+i/3, names[i%3], heard)
		}
	}
}

// TestDenied checks that a party whose connection the listener denied is told why.
func TestDenied(t *testing.T) {
	h := newHouse(t, shortLimits)
	a, b := net.Pipe()
	h.calls.Go(func() { h.serve(b, "alice", errors.New("alice has 512 connections here")) })
	_, err := remote.Open(t.Context(), a, table(1), order(1, 1), h.limits.heartbeat())
	if err == nil || !strings.Contains(err.Error(), "alice has 512 connections") {
		t.Error(err)
	}
}

// TestStopsWithSilentConnections checks that connections without a handshake or a hello do not delay the
// end of a dealer beyond limits: drain.
func TestStopsWithSilentConnections(t *testing.T) {
	l := shortLimits // a hello may take 40 seconds
	d := run(t, l)
	silent, err := net.Dial("tcp", d.address)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for range 3 {
		defer d.dial(t, "alice").Close()
	}
	trickling := d.dial(t, "bob")
	defer trickling.Close()
	fmt.Fprint(trickling, "\x01")
	time.Sleep(100 * time.Millisecond)
	began := time.Now()
	d.stop()
	if err := <-d.done; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > l.Drain+5*time.Second {
		t.Errorf("the dealer has stopped after %v", took)
	}
}
