package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"github.com/tacet-mpc/tacet/pki"
)

// Proto is what TLS calls the control API's protocol.
const Proto = "http/1.1"

// How long a client waits: for a connection, and for an answer to begin. A
// node plans a submission before it answers, which takes the longer the larger
// the program is.
const (
	dialTime   = 5 * time.Second
	answerTime = time.Minute
)

// Client talks to one node. It is safe for use by several goroutines at once,
// and holds nothing that is to be closed: each request has a connection of its
// own, so that none waits on one that a cut network has left behind.
type Client struct {
	name string
	peer string // the node in messages: "bob at 127.0.0.1:7002"
	base string // of URLs; what the connection is, dial says
	http http.Client

	transport *http.Transport
	silence   time.Duration // of a node that works on an answer; 0: as long as the transport allows
}

// NewClient makes a client that talks to the node of that name, and to no
// other that answers at the address.
func NewClient(id *pki.Identity, name, address string) *Client {
	config := id.Client(name, Proto)
	peer := name + " at " + address
	return Over(name, peer, func(ctx context.Context) (net.Conn, error) {
		raw, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		conn := tls.Client(raw, config)
		return conn, pki.Handshake(ctx, conn, peer)
	})
}

// Over makes a client that talks to the node of that name over connections
// that dial opens, to no other; peer is what messages call it.
func Over(name, peer string, dial func(context.Context) (net.Conn, error)) *Client {
	c := &Client{name: name, peer: peer, base: "http://" + name}
	c.transport = &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, dialTime)
			defer cancel()
			return dial(ctx)
		},
		ResponseHeaderTimeout: answerTime,
		DisableKeepAlives:     true,
		DisableCompression:    true,
	}
	c.http.Transport = c.transport
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// Name is the node's name.
func (c *Client) Name() string { return c.name }

// Submit asks the node to run a job.
func (c *Client) Submit(ctx context.Context, s *Submission) (Job, error) {
	return post[Job](ctx, c, "/v1/jobs", s)
}

// Jobs lists the jobs at the node that the caller may see.
func (c *Client) Jobs(ctx context.Context) ([]Job, error) {
	return ask[[]Job](ctx, c, http.MethodGet, "/v1/jobs", nil)
}

// Job says how far a job is.
func (c *Client) Job(ctx context.Context, id string) (Job, error) {
	return ask[Job](ctx, c, http.MethodGet, jobPath(id, ""), nil)
}

// Approve lets a pending job run.
func (c *Client) Approve(ctx context.Context, id string) (Job, error) {
	return ask[Job](ctx, c, http.MethodPost, jobPath(id, "approve"), nil)
}

// Cancel ends a job.
func (c *Client) Cancel(ctx context.Context, id string) (Job, error) {
	return ask[Job](ctx, c, http.MethodPost, jobPath(id, "cancel"), nil)
}

// Health says how the node is.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return ask[Health](ctx, c, http.MethodGet, "/v1/health", nil)
}

// Report writes a finished job's report, JSON.
func (c *Client) Report(ctx context.Context, id string, w io.Writer) error {
	return c.copy(ctx, jobPath(id, "report"), w)
}

// Results writes a finished job's results, a zip of .npy files.
func (c *Client) Results(ctx context.Context, id string, w io.Writer) error {
	return c.copy(ctx, jobPath(id, "results"), w)
}

// Request asks a service for a turn.
func (c *Client) Request(ctx context.Context, job string, r *Request) (Served, error) {
	return post[Served](ctx, c, jobPath(job, "requests"), r)
}

// Served says how far a request is.
func (c *Client) Served(ctx context.Context, job, request string) (Served, error) {
	return ask[Served](ctx, c, http.MethodGet, requestPath(job, request, ""), nil)
}

// ServedReport writes a finished request's report, JSON.
func (c *Client) ServedReport(ctx context.Context, job, request string, w io.Writer) error {
	return c.copy(ctx, requestPath(job, request, "/report"), w)
}

// ServedResults writes a finished request's results, a zip of .npy files.
func (c *Client) ServedResults(ctx context.Context, job, request string, w io.Writer) error {
	return c.copy(ctx, requestPath(job, request, "/results"), w)
}

// Turns tells another node which requests are next.
func (c *Client) Turns(ctx context.Context, job string, t Turns) error {
	_, err := post[struct{}](ctx, c, sessionPath(job, "turns"), t)
	return err
}

// Reserve, Start and Release are between nodes.
func (c *Client) Reserve(ctx context.Context, job string, r Reserve) (Reserved, error) {
	return post[Reserved](ctx, c, sessionPath(job, "reserve"), r)
}

// Start begins the session of a job.
func (c *Client) Start(ctx context.Context, job string, s Start) error {
	_, err := post[struct{}](ctx, c, sessionPath(job, "start"), s)
	return err
}

// Release gives a slot back.
func (c *Client) Release(ctx context.Context, job string, r Release) error {
	_, err := post[struct{}](ctx, c, sessionPath(job, "release"), r)
	return err
}

func jobPath(id, what string) string {
	path := "/v1/jobs/" + url.PathEscape(id)
	if what != "" {
		path += "/" + what
	}
	return path
}

func requestPath(job, request, what string) string {
	return jobPath(job, "requests") + "/" + url.PathEscape(request) + what
}

func sessionPath(job, what string) string { return "/v1/sessions/" + url.PathEscape(job) + "/" + what }

// post sends a message and reads the answer.
func post[A any](ctx context.Context, c *Client, path string, message any) (A, error) {
	text, err := json.Marshal(message)
	if err != nil {
		return *new(A), fmt.Errorf("%s: %w", c.peer, err)
	}
	return ask[A](ctx, c, http.MethodPost, path, text)
}

// ask sends a request and reads the answer.
func ask[A any](ctx context.Context, c *Client, method, path string, body []byte) (A, error) {
	var answer A
	ctx, over := c.heed(ctx)
	defer over()
	r, err := c.do(ctx, method, path, body)
	if err != nil {
		return answer, err
	}
	defer r.Body.Close()
	if err := readAnswer(r.Body, &answer); err != nil {
		return answer, c.failed(ctx, fmt.Errorf("the answer is not understood: %w", err))
	}
	return answer, nil
}

// copy writes the body of an answer.
func (c *Client) copy(ctx context.Context, path string, w io.Writer) error {
	r, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	to := &sink{w: w}
	if _, err := io.Copy(to, r.Body); err != nil && to.err == nil {
		return c.failed(ctx, fmt.Errorf("the answer broke off: %w", err))
	}
	return to.err
}

// sink remembers that writing failed, which is no fault of the node.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (n int, err error) {
	n, s.err = s.w.Write(b)
	return n, s.err
}

// do sends a request and returns the answer if it is no refusal.
func (c *Client) do(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.peer, err)
	}
	q.Header.Set("Content-Type", "application/json")
	r, err := c.http.Do(q)
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	if r.StatusCode == http.StatusOK {
		return r, nil
	}
	defer r.Body.Close()
	var refusal Error
	if err := readAnswer(r.Body, &refusal); err != nil || refusal.Error == "" {
		refusal.Error = "the answer is " + r.Status + " (is it a node of Tacet?)"
	}
	return nil, &Refused{Node: c.name, Status: r.StatusCode, Reason: refusal.Error}
}

// failed says whose answer is missing, and that it is because of the context
// where that has ended.
func (c *Client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
	return &Unreachable{c.name, fmt.Errorf("%s: %w", c.peer, err)}
}

// unanswered says why a request has no answer.
func (c *Client) unanswered(ctx context.Context, err error) error {
	if at := (&url.Error{}); errors.As(err, &at) {
		err = at.Err
	}
	var slow net.Error
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, syscall.ECONNREFUSED):
		err = errors.New("nobody listens there (is the node running?)")
	case errors.As(err, &slow) && slow.Timeout():
		err = fmt.Errorf("no answer in time: %w", err)
	case err == io.EOF: // not in the handshake, whose errors are explained
		err = errors.New("it closed the connection without an answer")
	default:
		return &Unreachable{c.name, pki.Explain(err, c.peer)}
	}
	return c.failed(ctx, err)
}
