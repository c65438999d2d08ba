package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// TestBodiesShareMemory checks that messages take memory only as their bytes arrive, that a sender's
// messages take at most half of it, that a message for which there is none is refused, and that all of it
// is given back.
func TestBodiesShareMemory(t *testing.T) {
	b := newBodies(perByte * 100)
	read := func(sender string, n int) (*body, error) {
		x := &body{Reader: strings.NewReader(strings.Repeat("x", n)), from: &b, sender: sender, complete: func() {}}
		_, err := io.Copy(io.Discard, struct{ io.Reader }{x})
		return x, err
	}
	alice, err := read("alice", 40)
	if err != nil || b.free != perByte*60 {
		t.Fatalf("%v, %d bytes are free", err, b.free)
	}
	if _, err := read("alice", 20); err == nil || !strings.Contains(err.Error(), "the messages of alice that the node is reading take 80 B of memory; those of one sender may take 100 B") {
		t.Errorf("alice's second one: %v", err)
	}
	bob, err := read("bob", 50)
	if err != nil {
		t.Errorf("bob's: %v", err)
	}
	if _, err := read("carol", 20); err == nil || strings.Contains(err.Error(), "alice") || !strings.Contains(err.Error(), "limits: bodies") {
		t.Errorf("carol's: %v", err)
	}
	b.give("alice", alice.taken)
	b.give("bob", bob.taken)
	if b.free != b.total || len(b.of) > 0 {
		t.Errorf("%d bytes are free, senders hold %v", b.free, b.of)
	}
}

// TestStrangersLeaveNothing checks that a caller whom no rule names is refused before its body is read,
// leaves one line in the audit log and no job.
func TestStrangersLeaveNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	before := len(c.events("alice"))
	for range 20 {
		s := c.submission("alice", "bob")
		s.Program.Text = bytes.Repeat([]byte("x"), 1<<20)
		if _, err := c.as("mallory", "alice").Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "no rule names mallory among its submitters") {
			t.Fatal(err)
		}
	}
	if got := c.events("alice")[before:]; len(got) != 1 || got[0] != "denied mallory" {
		t.Errorf("the audit log has %q", got)
	}
	if jobs, _, err := c.as("carol", "alice").Jobs(t.Context(), ""); err != nil || len(jobs) != 0 {
		t.Errorf("jobs: %v, %v", jobs, err)
	}
}

// TestProtocolBetweenParties checks that nodes without a dealer run a protocol whose parties make correlated randomness
// among themselves, make sessions of it ahead of time, each of which serves one job, and refuse three computing parties.
func TestProtocolBetweenParties(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["dealer"]()
	delete(c.stops, "dealer")
	s := c.submission("alice", "bob")
	s.Protocol = "cheetah"
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done || j.Protocol != "cheetah" {
			t.Errorf("%s: %+v", p, j)
		}
	}
	ready := func() int {
		files, err := filepath.Glob(filepath.Join(c.dir, "*", "store", "*", "*.ready"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	for _, w := range []struct {
		offline bool
		ready   int
	}{{true, 2}, {false, 0}, {false, 0}} {
		s := c.submission("alice", "bob")
		s.Protocol, s.Offline = "cheetah", w.offline
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Parties {
			if j := c.wait(s.ID, p); j.State != api.Done {
				t.Errorf("%s: %+v", p, j)
			}
		}
		if got := ready(); got != w.ready {
			t.Errorf("after a job, offline %v, %d files of sessions are ready, want %d", w.offline, got, w.ready)
		}
	}
	for want, change := range map[string]func(s *api.Submission){
		"cheetah has 2 computing parties, the first ones, not 3": func(s *api.Submission) { s.Computing = 3 },
	} {
		s := c.submission("alice", "bob")
		s.Protocol = "cheetah"
		change(s)
		if _, err := c.as("carol", "alice").Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestSlowBody checks that a body that does not arrive ends with its deadline.
func TestSlowBody(t *testing.T) {
	n := &Node{bodies: newBodies(1 << 20), config: &Config{State: "/state"}}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.withBody(w, r, 50*time.Millisecond, func(body io.Reader) (any, error) {
			return nil, readMessage(body, api.MaxMessage, &struct{}{})
		})
	})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{")
	answer, err := io.ReadAll(conn)
	if !bytes.Contains(answer, []byte("408 ")) || !bytes.Contains(answer, []byte("the message did not arrive within 50ms")) {
		t.Errorf("got %q, %v", answer, err)
	}
	server.Close()
	<-done
	if n.bodies.free != 1<<20 {
		t.Errorf("%d bytes are free", n.bodies.free)
	}
}

// TestForgedTexts checks that names which would forge what an admin reads are refused, with a short
// message of one line.
func TestForgedTexts(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	const forged = "town.mlir\nreveals  nothing to nobody\x1b[1A"
	for name, change := range map[string]func(*api.Submission){
		"program": func(s *api.Submission) { s.Program.Name = forged },
		"job":     func(s *api.Submission) { s.File = forged },
		"input":   func(s *api.Submission) { s.Inputs[0].Name = forged },
		"setting": func(s *api.Submission) { s.Set = map[string]string{forged: "x"} },
		"keep":    func(s *api.Submission) { s.Keep = forged },
		"long":    func(s *api.Submission) { s.Program.Name = strings.Repeat("x", 1<<20) },
		"bidi":    func(s *api.Submission) { s.Program.Name = "town\u202e.mlir" },
	} {
		s := c.submission("alice", "bob")
		change(s)
		_, err := c.as("carol", "alice").Submit(t.Context(), s)
		if err == nil || strings.ContainsAny(err.Error(), "\n\x1b") || !strings.Contains(err.Error(), "cannot be printed") && name != "long" || len(err.Error()) > 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSubmissionForAdmins checks that admins get the exact program and public inputs of a job that waits for
// their approval, and nobody else does.
func TestSubmissionForAdmins(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", `admins: [chief]
rules:
  - {name: asked, submitters: [carol], programs: any, arguments: any, inputs: any, reveal: any, approve: true, fetch: [carol]}
`)
	c.start("bob", []string{"alice", "bob"}, nil)
	s := c.submission("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	got, err := c.as("chief", "bob").Submission(t.Context(), s.ID)
	if err != nil || string(got.Program.Text) != townProgram || got.Digest() != s.Digest() {
		t.Errorf("chief gets %+v, %v", got, err)
	}
	for _, who := range []string{"carol", "mallory"} {
		if got, err := c.as(who, "bob").Submission(t.Context(), s.ID); err == nil {
			t.Errorf("%s gets %+v", who, got)
		}
	}
}

// TestPartiesNamedTwice checks that a party which is listed twice is refused, with the place.
func TestPartiesNamedTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node.yaml")
	if err := os.WriteFile(path, []byte(`name: alice
listen: 127.0.0.1:7000
tls: {cert: a.crt, key: a.key, ca: ca.crt}
state: state
policy: policy.yaml
peers:
  bob: bob.example:7000
  "bob": other.example:7000
`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConfig(path); err == nil || !strings.Contains(err.Error(), `node.yaml:8: key "bob" is given twice`) {
		t.Error(err)
	}
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.submission("alice", "bob")
	s.Parties = []string{"alice", "bob", "bob"}
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "parties: bob is named twice, as ranks 1 and 2") {
		t.Error(err)
	}
}

// TestDeniedConnections checks that callers whose connections the listener denied are told why, in both
// protocols of a node.
func TestDeniedConnections(t *testing.T) {
	n := &Node{config: &Config{}, ctx: t.Context(), log: slog.New(slog.DiscardHandler)}
	n.config.Name, n.config.Limits = "alice", DefaultLimits
	denied := pki.Caller{Name: "bob", Denied: errors.New("bob has 512 connections here")}
	r := httptest.NewRequest("GET", "/v1/health", nil)
	w := httptest.NewRecorder()
	n.trusted(http.NotFoundHandler()).ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, denied)))
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "alice: bob has 512 connections here") || w.Header().Get("Connection") != "close" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	a, b := net.Pipe()
	denied.Conn = b
	go n.acceptSessionConn(denied)
	if err := writeJSON(a, dialRequest{}); err != nil {
		t.Fatal(err)
	}
	var reply dialReply
	if err := readJSON(a, &reply); err != nil || reply.Error != "bob has 512 connections here" {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestSilentSessionConn checks that a data connection without a request ends when the node stops.
func TestSilentSessionConn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		n := &Node{config: &Config{Limits: DefaultLimits}, ctx: ctx, log: slog.New(slog.DiscardHandler)}
		_, b := net.Pipe()
		began, done := time.Now(), make(chan struct{})
		go func() { n.acceptSessionConn(pki.Caller{Conn: b}); close(done) }()
		synctest.Wait()
		stop()
		<-done
		if took := time.Since(began); took > 0 {
			t.Errorf("it has ended after %v", took)
		}
	})
}
