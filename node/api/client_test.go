package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/pki"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// identities returns identities that trust one another.
func identities(t *testing.T, names ...string) map[string]*pki.Identity {
	t.Helper()
	dir := t.TempDir()
	if err := pki.Init(dir, pki.Options{}); err != nil {
		t.Fatal(err)
	}
	out := map[string]*pki.Identity{}
	for _, name := range names {
		f, err := pki.Issue(dir, name, pki.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = pki.Load(f); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// serve answers at an address as a node of this build does until the test ends.
func serve(t *testing.T, id *pki.Identity, h http.HandlerFunc) (address string) {
	t.Helper()
	return serveAny(t, id, func(w http.ResponseWriter, r *http.Request) {
		Identify(w.Header())
		h(w, r)
	})
}

// serveAny answers at an address until the test ends.
func serveAny(t *testing.T, id *pki.Identity, h http.HandlerFunc) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h, ErrorLog: log.New(io.Discard, "", 0)}
	done := make(chan error, 1)
	go func() { done <- s.Serve(tls.NewListener(l, id.Server(Proto))) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// TestClient sends every kind of request and checks what arrives at the node.
func TestClient(t *testing.T) {
	ids := identities(t, "alice", "admin")
	var got string
	c := NewClient(ids["admin"], "alice", serve(t, ids["alice"], func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = fmt.Sprintf("%s %s %s %.39s", r.TLS.PeerCertificates[0].Subject.CommonName, r.Method, r.URL.Path, body)
		switch r.URL.Path {
		case "/v1/jobs/17/results":
			w.Write([]byte("zip"))
		case "/v1/jobs":
			if r.Method == http.MethodGet {
				Answer(w, []Job{{ID: "17"}, {ID: "18", State: Done}})
				return
			}
			fallthrough
		default:
			Answer(w, map[string]any{"id": "17", "state": "queued", "slot": true, "version": "9", "of a newer version": 1})
		}
	}))
	ctx := t.Context()
	job := func(j Job, err error) (string, error) { return fmt.Sprint(j.ID, " ", j.State), err }
	for _, ask := range []struct {
		what, want, answer string
		ask                func() (string, error)
	}{
		{"submit", `admin POST /v1/jobs {"id":"17","file":"","program":{"name":`, "17 queued", func() (string, error) { return job(c.Submit(ctx, &Submission{ID: "17"})) }},
		{"list", `admin GET /v1/jobs `, "17 ,18 done", func() (string, error) {
			list, _, err := c.Jobs(ctx, "")
			if len(list) != 2 {
				return "", err
			}
			return fmt.Sprint(list[0].ID, " ", list[0].State, ",", list[1].ID, " ", list[1].State), err
		}},
		{"status", `admin GET /v1/jobs/17 `, "17 queued", func() (string, error) { return job(c.Job(ctx, "17")) }},
		{"approve", `admin POST /v1/jobs/17/approve `, "17 queued", func() (string, error) { return job(c.Approve(ctx, "17")) }},
		{"cancel", `admin POST /v1/jobs/17/cancel `, "17 queued", func() (string, error) { return job(c.Cancel(ctx, "17")) }},
		{"odd id", `admin GET /v1/jobs/../x `, "17 queued", func() (string, error) { return job(c.Job(ctx, "../x")) }},
		{"results", `admin GET /v1/jobs/17/results `, "zip", func() (string, error) {
			var b bytes.Buffer
			err := c.Results(ctx, "17", &b)
			return b.String(), err
		}},
		{"request", `admin POST /v1/jobs/17/requests {"id":"r"}`, "17 queued", func() (string, error) {
			s, err := c.Request(ctx, "17", &Request{ID: "r"})
			return fmt.Sprint(s.ID, " ", s.State), err
		}},
		{"served", `admin GET /v1/jobs/17/requests/r `, "17 queued", func() (string, error) {
			s, err := c.RequestStatus(ctx, "17", "r")
			return fmt.Sprint(s.ID, " ", s.State), err
		}},
		{"requests", `admin POST /v1/sessions/17/requests {"requests":[{"request":"r","digest":"d`, "", func() (string, error) {
			return "", c.Requests(ctx, "17", RequestBatch{[]RequestRef{{Request: "r", Digest: "d"}}})
		}},
		{"health", `admin GET /v1/health `, "9", func() (string, error) { h, err := c.Health(ctx); return h.Version, err }},
		{"reserve", `admin POST /v1/sessions/17/reserve {"version":"","digest":"d","terms":null`, "true", func() (string, error) {
			r, err := c.Reserve(ctx, "17", Reserve{Digest: "d"})
			return fmt.Sprint(r.Slot), err
		}},
		{"start", `admin POST /v1/sessions/17/start {"session":"s","owners":[0]}`, "", func() (string, error) {
			return "", c.Start(ctx, "17", Start{Session: "s", Owners: []int{0}})
		}},
		{"release", `admin POST /v1/sessions/17/release {"reason":"why"}`, "", func() (string, error) {
			return "", c.Release(ctx, "17", Release{Reason: "why"})
		}},
	} {
		answer, err := ask.ask()
		if err != nil || answer != ask.answer || got != ask.want {
			t.Errorf("%s: %q, answer %q, error %v; want %q, answer %q", ask.what, got, answer, err, ask.want, ask.answer)
		}
	}
}

// TestNodeSpeaksForItself checks that whatever a node says, its answers are shown as its own.
func TestNodeSpeaksForItself(t *testing.T) {
	ids := identities(t, "alice", "admin")
	c := NewClient(ids["admin"], "alice", serve(t, ids["alice"], func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/v1/jobs" {
			io.WriteString(w, `[{"id":"1","node":"bob"},{"id":"2","node":"bob"}]`)
			return
		}
		io.WriteString(w, `{"id":"1","node":"bob"}`)
	}))
	named := func(what, node string, err error) {
		t.Helper()
		if err != nil || node != "alice" {
			t.Errorf("%s: the answer is %q's, %v", what, node, err)
		}
	}
	jobs, _, err := c.Jobs(t.Context(), "")
	for _, j := range jobs {
		named("jobs", j.Node, err)
	}
	if len(jobs) != 2 {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
	for what, ask := range map[string]func(context.Context, string) (Job, error){"job": c.Job, "approve": c.Approve, "cancel": c.Cancel} {
		j, err := ask(t.Context(), "1")
		named(what, j.Node, err)
	}
	j, err := c.Submit(t.Context(), &Submission{})
	named("submit", j.Node, err)
	v, err := c.Request(t.Context(), "1", &Request{})
	named("request", v.Node, err)
	v, err = c.RequestStatus(t.Context(), "1", "2")
	named("request status", v.Node, err)
}

// TestRefusals checks that a refusal's message contains the node's name.
func TestRefusals(t *testing.T) {
	ids := identities(t, "alice", "admin")
	for body, want := range map[string]string{
		`{"error": "no job 17 here"}`: "alice: no job 17 here",
		`{"error": ""}`:               "alice: the answer is 404 Not Found (is this a Tacet node?)",
		"<html>":                      "alice: the answer is 404 Not Found (is this a Tacet node?)",
		"":                            "alice: the answer is 404 Not Found (is this a Tacet node?)",
	} {
		c := NewClient(ids["admin"], "alice", serve(t, ids["alice"], func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, body)
		}))
		_, err := c.Job(t.Context(), "17")
		var refused *Refused
		if !errors.As(err, &refused) || refused.Status != http.StatusNotFound || err.Error() != want {
			t.Errorf("%q: got %v, want %q", body, err, want)
		}
	}
}

// TestUnreachable checks the message for every cause of a missing answer: it contains the node's name
// and address.
func TestUnreachable(t *testing.T) {
	ids := identities(t, "alice", "bob", "admin")
	strangers := identities(t, "admin")
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	release := make(chan struct{})
	ok := serve(t, ids["alice"], func(w http.ResponseWriter, r *http.Request) { Answer(w, Job{}) })
	hangs := serve(t, ids["alice"], func(http.ResponseWriter, *http.Request) { <-release })
	breaks := serve(t, ids["alice"], func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "zip")
	})
	moved := serve(t, ids["alice"], func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "https://"+ok, http.StatusFound) })
	drops := serve(t, ids["alice"], func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	text := serve(t, ids["alice"], func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "[1]") })
	more := serve(t, ids["alice"], func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{} {}") })
	defer close(release)
	for _, c := range []struct {
		name    string
		as      *pki.Identity
		node    string
		address string
		want    string
	}{
		{"nobody there", ids["admin"], "alice", closed.Addr().String(), "connection refused (is the node running?)"},
		{"another name", ids["admin"], "bob", ok, `the server's certificate names "alice", not "bob"`},
		{"another CA", strangers["admin"], "alice", ok, "a CA that is not trusted here"},
		{"hangs", ids["admin"], "alice", hangs, "no answer: context deadline exceeded"},
		{"drops", ids["admin"], "alice", drops, "the node closed the connection without an answer"},
		{"another message", ids["admin"], "alice", text, "cannot parse the answer: json: cannot unmarshal array"},
		{"more than a message", ids["admin"], "alice", more, "cannot parse the answer: data after the end of the value"},
	} {
		wait := time.Minute
		if c.name == "hangs" {
			wait = 500 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		_, err := NewClient(c.as, c.node, c.address).Job(ctx, "17")
		cancel()
		var lost *Unreachable
		if !errors.As(err, &lost) || lost.Node != c.node || !strings.HasPrefix(err.Error(), c.node+" at "+c.address+": ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	if err := NewClient(ids["admin"], "alice", breaks).Results(t.Context(), "17", io.Discard); err == nil ||
		!strings.Contains(err.Error(), "the answer broke off") {
		t.Errorf("a result that ends early: %v", err)
	}
	if err := NewClient(ids["admin"], "alice", ok).Results(t.Context(), "17", full{}); !errors.Is(err, errFull) ||
		errors.As(err, new(*Unreachable)) {
		t.Errorf("a disk that is full: %v", err)
	}
	if _, err := NewClient(ids["admin"], "alice", moved).Job(t.Context(), "17"); err == nil || !strings.Contains(err.Error(), "302 Found") {
		t.Errorf("redirected: %v", err)
	}
}

// full is a writer that fails as a full disk does.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestAnswersPrintable checks that texts of a node's answers and refusals cannot move a terminal's cursor
// or begin lines of their own.
func TestAnswersPrintable(t *testing.T) {
	ids := identities(t, "alice", "admin")
	refuses := false
	c := NewClient(ids["admin"], "alice", serve(t, ids["alice"], func(w http.ResponseWriter, _ *http.Request) {
		if refuses {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"error": "no\nreveals \u001b[2J"}`)
			return
		}
		io.WriteString(w, `{"program": "p\u001b[1A\nreveals  nothing", "arguments": [{"type": "tensor<f32>", "owner": "al\rice"}]}`)
	}))
	j, err := c.Job(t.Context(), "17")
	if err != nil || j.Program != `p\x1b[1A\nreveals  nothing` || j.Arguments[0].Owner != `al\rice` {
		t.Errorf("%+v, %v", j, err)
	}
	refuses = true
	if _, err := c.Job(t.Context(), "17"); err == nil || err.Error() != `alice: no\nreveals \x1b[2J` {
		t.Errorf("refused: %v", err)
	}
}
