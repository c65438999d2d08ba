package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/link"
)

// Heartbeat sends the HTTP status 102 (Processing) at the interval every while the node computes the answer to a
// request, so that the caller sees that this node is alive. The caller of Heartbeat must call end, which stops
// it, before it writes the answer.
func Heartbeat(w http.ResponseWriter, every time.Duration) (end func()) {
	over := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				w.WriteHeader(http.StatusProcessing)
			case <-over:
				return
			}
		}
	})
	return func() {
		close(over)
		work.Wait()
	}
}

// WithHeartbeatTimeout sets c so that a call fails if the node has sent neither an answer nor a heartbeat
// (Heartbeat) for this duration, and returns c; the time until the answer is then unlimited. It is for calls
// between nodes, since only these send heartbeats.
func (c *Client) WithHeartbeatTimeout(timeout time.Duration) *Client {
	c.heartbeatTimeout = timeout
	c.transport.ResponseHeaderTimeout = 0
	return c
}

// heartbeatContext returns a context that ends when the node has sent no heartbeat for the timeout.
// The returned function must be called when the call is over.
func (c *Client) heartbeatContext(ctx context.Context) (context.Context, func()) {
	if c.heartbeatTimeout == 0 {
		return ctx, func() {}
	}
	ctx, stop := context.WithCancelCause(ctx)
	late := time.AfterFunc(c.heartbeatTimeout, func() { stop(fmt.Errorf("%w for %v", link.ErrSilent, c.heartbeatTimeout)) })
	trace := &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		late.Reset(c.heartbeatTimeout)
		return nil
	}}
	return httptrace.WithClientTrace(ctx, trace), func() {
		late.Stop()
		stop(nil)
	}
}
