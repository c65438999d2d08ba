package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/version"
)

// TestOtherProtocol checks what a client says of nodes that run another protocol number, and which
// requests it sends to them all the same.
func TestOtherProtocol(t *testing.T) {
	ids := identities(t, "alice", "admin")
	const (
		former = "alice: alice runs protocol 1 (tacet 0.1.0), admin protocol 2 (tacet 0.2.0-dev): upgrade alice's node"
		later  = "alice: admin runs protocol 2 (tacet 0.2.0-dev), alice protocol 3 (tacet 0.3.0): upgrade admin's tacet"
	)
	for _, x := range []struct{ name, protocol, answer, want string }{
		{"an answer of release 0.1.0", "", `{"id": "17", "from": "loop 3"}`, former},
		{"a refusal of release 0.1.0", "", `{"error": "unknown field"}`, former},
		{"a later protocol", "3", `{"id": "17"}`, later},
		{"no number", "2.0", `{"id": "17"}`, "alice: alice does not say which protocol it runs, and admin runs protocol 2 (tacet 0.2.0-dev): upgrade alice's node"},
		{"no node", "", `<html>`, "alice: the answer is 409 Conflict (is this a Tacet node?)"},
		{"the same protocol, another release", "2", `{"id": "17"}`, ""},
	} {
		c := NewClient(ids["admin"], "alice", serveAny(t, ids["alice"], func(w http.ResponseWriter, r *http.Request) {
			if x.protocol != "" {
				w.Header().Set(version.ProtocolHeader, x.protocol)
				w.Header().Set(version.ReleaseHeader, "0.3.0")
			}
			if strings.HasPrefix(x.answer, "{") {
				w.Header().Set("Content-Type", "application/json")
			}
			if !strings.Contains(x.answer, "id") {
				w.WriteHeader(http.StatusConflict)
			}
			io.WriteString(w, x.answer)
		}))
		_, err := c.Job(t.Context(), "17")
		if got := text(err); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
		if !strings.Contains(x.answer, "id") {
			continue
		}
		if _, err := c.Health(t.Context()); err != nil {
			t.Errorf("%s: health: %v", x.name, err)
		}
		if _, err := c.Cancel(t.Context(), "17"); err != nil {
			t.Errorf("%s: cancel: %v", x.name, err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCheckProtocol checks what a node says of callers that run another protocol number.
func TestCheckProtocol(t *testing.T) {
	for _, x := range []struct{ path, protocol, want string }{
		{"/v1/jobs", "", "carol runs protocol 1 (tacet 0.1.0), alice protocol 2 (tacet 0.2.0-dev): upgrade carol's tacet"},
		{"/v1/jobs", "3", "alice runs protocol 2 (tacet 0.2.0-dev), carol protocol 3 (tacet 0.3.0): upgrade alice's node"},
		{"/v1/jobs", "2", ""},
		{"/v1/health", "", ""},
		{"/v1/jobs/17/cancel", "", ""},
		{"/v1/sessions/17/release", "", ""},
		{"/v1/sessions/17/reserve", "", "carol runs protocol 1 (tacet 0.1.0), alice protocol 2 (tacet 0.2.0-dev): upgrade carol's tacet"},
	} {
		r := httptest.NewRequest(http.MethodPost, x.path, nil)
		if x.protocol != "" {
			r.Header.Set(version.ProtocolHeader, x.protocol)
			r.Header.Set(version.ReleaseHeader, "0.3.0")
		}
		if got := text(CheckProtocol(r, "carol", "alice")); got != x.want {
			t.Errorf("%s, %q: %q, want %q", x.path, x.protocol, got, x.want)
		}
	}
}
