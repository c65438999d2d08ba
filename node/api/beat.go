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

// Beat shows whoever waits for an answer every so often that this node lives and
// works on it (102 Processing). It ends with the function that it returns, before
// which nothing else is written.
func Beat(w http.ResponseWriter, every time.Duration) (end func()) {
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

// Heed has the client give a node up that shows no sign of life for so long,
// however long that may work on its answer: for calls that nodes answer to one
// another, with a Beat.
func (c *Client) Heed(silence time.Duration) *Client {
	c.silence = silence
	c.transport.ResponseHeaderTimeout = 0
	return c
}

// heed ends a call's context when the node is silent. The call is over when the
// function is called.
func (c *Client) heed(ctx context.Context) (context.Context, func()) {
	if c.silence == 0 {
		return ctx, func() {}
	}
	ctx, stop := context.WithCancelCause(ctx)
	late := time.AfterFunc(c.silence, func() { stop(fmt.Errorf("%w for %v", link.ErrSilent, c.silence)) })
	trace := &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		late.Reset(c.silence)
		return nil
	}}
	return httptrace.WithClientTrace(ctx, trace), func() {
		late.Stop()
		stop(nil)
	}
}
