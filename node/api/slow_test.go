package api

import (
	"bytes"
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

	"github.com/tacet-mpc/tacet/link/fault"
)

// TestSlowNode checks that a node that sends its answer in trickles, or endlessly, holds its caller for a
// bounded time, and that a slow answer which is fast enough arrives.
func TestSlowNode(t *testing.T) {
	every := func(pause time.Duration, piece []byte, times int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			Identify(w.Header())
			for range times {
				if _, err := w.Write(piece); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(pause)
			}
			io.WriteString(w, "{}")
		}
	}
	job := func(ctx context.Context, c *Client) error { _, err := c.Job(ctx, "17"); return err }
	results := func(ctx context.Context, c *Client) error { return c.Results(ctx, "17", io.Discard) }
	submission := func(ctx context.Context, c *Client) error { _, err := c.Submission(ctx, "17"); return err }
	spaces := bytes.Repeat([]byte(" "), 2*windowBytes)
	for name, k := range map[string]struct {
		node http.HandlerFunc
		call func(context.Context, *Client) error
		want string
		took time.Duration
	}{
		"status in trickles":     {every(time.Second, []byte(" "), 1<<20), job, "the node sent less than 256 KiB in 1m0s", windowTime},
		"results in trickles":    {every(time.Second, []byte(" "), 1<<20), results, "the node sent less than 256 KiB in 1m0s", windowTime},
		"submission in trickles": {every(time.Second, []byte(" "), 1<<20), submission, "the node sent less than 256 KiB in 1m0s", windowTime},
		"refusal in trickles": {func(w http.ResponseWriter, r *http.Request) {
			Identify(w.Header())
			w.WriteHeader(http.StatusNotFound)
			every(time.Second, []byte(" "), 1<<20)(w, r)
		}, job, "the answer is 404 Not Found", windowTime},
		"endless submission": {every(50*time.Second, spaces, 1<<20), submission, "the call took longer than 10m0s", callTime},
		"slow submission":    {every(50*time.Second, spaces, 3), submission, "", 150 * time.Second},
		"slow results":       {every(50*time.Second, spaces, 20), results, "", 1000 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line, port := fault.New(1), fault.NewPort("bob")
				server := &http.Server{Handler: k.node, ErrorLog: log.New(io.Discard, "", 0)}
				done := make(chan error)
				go func() { done <- server.Serve(port) }()
				begun := time.Now()
				err := k.call(t.Context(), Over("bob", "bob", func(context.Context) (net.Conn, error) { return line.Dial("alice", port) }))
				if k.want == "" && err != nil || k.want != "" && (err == nil || !strings.Contains(err.Error(), k.want)) {
					t.Errorf("%v, want %q", err, k.want)
				}
				if took := time.Since(begun); took != k.took {
					t.Errorf("it took %v, want %v", took, k.took)
				}
				server.Close()
				if err := <-done; !errors.Is(err, http.ErrServerClosed) {
					t.Error(err)
				}
				line.Close()
				time.Sleep(time.Minute) // the handler notices at its next piece
			})
		})
	}
}
