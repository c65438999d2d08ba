package node

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestLargeHeaders checks that a message whose header is longer than maxHeader is refused, whoever sends it, and a shorter one is not.
func TestLargeHeaders(t *testing.T) {
	c := newCluster(t, "alice")
	defer c.stop()
	for _, x := range []struct {
		caller string
		size   int
		status int
	}{
		{"carol", maxHeader / 2, http.StatusOK},
		{"carol", 4 * maxHeader, http.StatusRequestHeaderFieldsTooLarge},
		{"eve", 4 * maxHeader, http.StatusRequestHeaderFieldsTooLarge},
	} {
		conn, err := (&port{wires: c.wires, name: x.caller}).Dial(t.Context(), "alice", api.Proto)
		if err != nil {
			t.Fatal(err)
		}
		go fmt.Fprintf(conn, "GET /v1/health HTTP/1.1\r\nHost: alice\r\nConnection: close\r\nX-Large: %s\r\n\r\n", strings.Repeat("x", x.size))
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != x.status {
			t.Errorf("%s sends a header of %d bytes: %s", x.caller, x.size, r.Status)
		}
		conn.Close()
	}
}
