package node

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestOtherProtocol checks what a node answers to messages of other protocol numbers. Those without a
// number are what release 0.1.0 sends.
func TestOtherProtocol(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	const (
		former = "bob runs protocol 1 (tacet 0.1.0), alice protocol 2 (tacet 0.2.0-dev): upgrade bob's "
		later  = "alice runs protocol 2 (tacet 0.2.0-dev), bob protocol 3 (tacet 0.3.0): upgrade alice's node"
	)
	p := &port{wires: c.wires, name: "bob"}
	for message, want := range map[string]string{
		`{"version":"0.1.0","job":"17","session":"s","from":1,"to":0}`:              former + "node",
		`{"version":"0.3.0","protocol":3,"job":"17","session":{},"from":1,"to":0}`:  "cannot unmarshal object",
		`{"version":"0.3.0","protocol":3,"job":"17","session":"s","from":1,"to":0}`: later,
		`{"version":"0.2.9","protocol":2,"job":"17","session":"s","from":1,"to":0}`: "this job does not run at this node",
	} {
		conn, err := p.Dial(t.Context(), "alice", SessionProto)
		if err != nil {
			t.Fatal(err)
		}
		go fmt.Fprintf(conn, "\x00\x00\x00%c%s", len(message), message)
		var reply dialReply
		if err := readJSON(conn, &reply); err != nil || !strings.Contains(reply.Error, want) || reply.Protocol != 2 {
			t.Errorf("%s: %+v, %v; want %q", message, reply, err, want)
		}
		conn.Close()
	}
	for _, x := range []struct {
		request, headers string
		status           int
		want             string
	}{
		{"POST /v1/jobs", "", http.StatusConflict, former + "tacet"},
		{"POST /v1/sessions/17/reserve", "", http.StatusConflict, former + "tacet"},
		{"GET /v1/jobs", "Tacet-Protocol: 3\r\nTacet-Release: 0.3.0\r\n", http.StatusConflict, later},
		{"GET /v1/jobs", "Tacet-Protocol: 2\r\nTacet-Release: 0.2.9\r\n", http.StatusOK, "[]"},
		{"GET /v1/health", "", http.StatusOK, `{"name":"alice","version":"0.2.0-dev","protocol":2,`},
	} {
		conn, err := p.Dial(t.Context(), "alice", api.Proto)
		if err != nil {
			t.Fatal(err)
		}
		go fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: alice\r\n%sConnection: close\r\nContent-Length: 0\r\n\r\n", x.request, x.headers)
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != x.status || !strings.Contains(string(text), x.want) || r.Header.Get("Tacet-Protocol") != "2" {
			t.Errorf("%s, %q: %s, %s, %v; want %s", x.request, x.headers, r.Status, text, err, x.want)
		}
		conn.Close()
	}
}
