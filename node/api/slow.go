package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// A node that sends slowly must not hold its caller for ever. Every answer brings at least windowBytes in each
// windowTime, or ends, so that the time for an answer is in proportion to its length, which callers bound. A
// call whose answer is JSON ends within callTime altogether, the time for sending the request included; calls
// between nodes are bounded by heartbeats instead (WithHeartbeatTimeout).
const (
	windowBytes = 256 << 10
	windowTime  = time.Minute
	callTime    = 10 * time.Minute
)

var (
	errSlow = fmt.Errorf("the node sent less than %d KiB in %v", windowBytes>>10, windowTime)
	errLong = fmt.Errorf("the call took longer than %v, the maximum", callTime)
)

// bounded returns a context that ends after callTime, unless heartbeats bound the call.
func (c *Client) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.heartbeatTimeout > 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, callTime, errLong)
}

// pacedBody is the body of an answer that ends with errSlow if it arrives too slowly. Close ends its context.
type pacedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	late   *time.Timer
	left   int // bytes until the window begins anew
}

// pace replaces the body of an answer to a request with this context by a pacedBody.
func pace(ctx context.Context, cancel context.CancelCauseFunc, r *http.Response) {
	r.Body = &pacedBody{r.Body, ctx, cancel, time.AfterFunc(windowTime, func() { cancel(errSlow) }), windowBytes}
}

func (b *pacedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left <= 0 {
		b.left = windowBytes
		b.late.Reset(windowTime)
	}
	if err != nil && !errors.Is(err, io.EOF) && b.ctx.Err() != nil {
		err = context.Cause(b.ctx)
	}
	return n, err
}

func (b *pacedBody) Close() error {
	b.late.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}
