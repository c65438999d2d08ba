package api

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/link/fault"
)

// TestHeartbeatTimeout checks that a client waits for a node that sends heartbeats, however long, and
// gives up a silent one at any stage of a call.
func TestHeartbeatTimeout(t *testing.T) {
	const silence = 5 * time.Second
	for name, c := range map[string]struct {
		node http.HandlerFunc
		hole int64 // drop everything sent to the node after so many bytes; 0: nothing
		want string
		took time.Duration
	}{
		"lives": {func(w http.ResponseWriter, _ *http.Request) {
			end := Heartbeat(w, time.Second)
			time.Sleep(3 * time.Minute)
			end()
			Answer(w, struct{}{})
		}, 0, "", 3 * time.Minute},
		"hangs": {func(w http.ResponseWriter, _ *http.Request) { time.Sleep(time.Minute) }, 0, "bob: no answer: silent for 5s", silence},
		"hangs later": {func(w http.ResponseWriter, _ *http.Request) {
			end := Heartbeat(w, time.Second)
			time.Sleep(3500 * time.Millisecond)
			end()
			time.Sleep(time.Minute)
		}, 0, "bob: no answer: silent for 5s", 3*time.Second + silence},
		"hangs in the answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			time.Sleep(time.Minute)
		}, 0, "bob: no answer: silent for 5s", silence},
		"is not reached": {func(w http.ResponseWriter, _ *http.Request) { Answer(w, struct{}{}) }, 10, "bob: no answer: silent for 5s", silence},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line, port := fault.New(1), fault.NewPort("bob")
				if c.hole > 0 {
					line.At(fault.Out, c.hole, func() { line.Set(fault.Both, fault.Fault{Hole: true}) })
				}
				server := &http.Server{Handler: c.node, ErrorLog: log.New(io.Discard, "", 0)}
				done := make(chan error)
				go func() { done <- server.Serve(port) }()
				client := Over("bob", "bob", func(context.Context) (net.Conn, error) { return line.Dial("alice", port) }).WithHeartbeatTimeout(silence)
				begun := time.Now()
				err := client.Release(t.Context(), "17", Release{})
				switch {
				case c.want == "" && err != nil:
					t.Error(err)
				case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, link.ErrSilent)):
					t.Errorf("%v, want %q", err, c.want)
				case time.Since(begun) != c.took:
					t.Errorf("it took %v, want %v", time.Since(begun), c.took)
				}
				time.Sleep(time.Minute) // time for hanging calls
				server.Close()
				if err := <-done; !errors.Is(err, http.ErrServerClosed) {
					t.Error(err)
				}
				line.Close()
			})
		})
	}
}
