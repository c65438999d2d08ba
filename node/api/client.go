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
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// Proto is the ALPN protocol of connections to the control API.
const Proto = "http/1.1"

// dialTime bounds the time until a connection exists, answerTime the time until an answer begins. A
// node plans a submission before it answers, and the time for that grows with the program.
const (
	dialTime   = 5 * time.Second
	answerTime = time.Minute
)

// expectContinue is the length of a body, in bytes, above which the client waits until the node asks for it.
const expectContinue = 1 << 14

// Client sends requests to one node. It is safe for concurrent use and needs no Close: each request has a
// connection of its own, so that no request waits on a connection that a network failure has broken. Its methods
// return *Refused if the node refuses, and *Unreachable if it gives no valid answer.
type Client struct {
	name string
	peer string // the node in messages: "bob at 127.0.0.1:7002"
	self string // the caller in messages: "admin"
	base string // base URL; its host is not resolved: the dial function determines the connection
	http http.Client

	transport        *http.Transport
	heartbeatTimeout time.Duration // maximum time without a heartbeat; 0: ResponseHeaderTimeout applies instead
}

// NewClient returns a client of the node with this certificate name at address, a host:port. id is the caller's
// certificate. Calls fail if the server has another name.
func NewClient(id *pki.Identity, name, address string) *Client {
	config := id.Client(name, Proto)
	peer := name + " at " + address
	c := Over(name, peer, func(ctx context.Context) (net.Conn, error) {
		raw, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		conn := tls.Client(raw, config)
		return conn, pki.Handshake(ctx, conn, peer)
	})
	return c.As(id.Name())
}

// Over returns a client of the node with this name over connections that dial opens. Errors call the node peer,
// such as "bob at 127.0.0.1:7002".
func Over(name, peer string, dial func(context.Context) (net.Conn, error)) *Client {
	c := &Client{name: name, peer: peer, self: "the caller", base: "http://" + name}
	c.transport = &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, dialTime)
			defer cancel()
			return dial(ctx)
		},
		ResponseHeaderTimeout: answerTime,
		ExpectContinueTimeout: answerTime,
		DisableKeepAlives:     true,
		DisableCompression:    true,
	}
	c.http.Transport = c.transport
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// As sets the caller's name in error messages, and returns c.
func (c *Client) As(self string) *Client {
	c.self = self
	return c
}

// Name returns the node's name, as given to NewClient or Over.
func (c *Client) Name() string { return c.name }

// Submit submits a job to the node and returns its status there: pending, queued or denied. It does not wait
// until the job has ended.
func (c *Client) Submit(ctx context.Context, s *Submission) (Job, error) {
	return post[Job](ctx, c, "/v1/jobs", SubmissionMessage{s, version.Protocol})
}

// Jobs lists the jobs at the node that the caller may see and whose ids begin with prefix, the newest first, as
// summaries (Job.Summary). The method Job returns all details of one job. omitted is the number of older jobs
// that the node has left out.
func (c *Client) Jobs(ctx context.Context, prefix string) (jobs []Job, omitted int, err error) {
	jobs, total, err := c.List(ctx, JobsQuery{Prefix: prefix})
	return jobs, max(0, total-len(jobs)), err
}

// List lists jobs at the node that the caller may see, the newest first, as summaries. total is the number of all
// jobs that q describes without Skip and Limit. A node of an earlier release knows only q.Prefix and lists its newest
// MaxJobs jobs: List takes what q asks for from these, and total is their number.
func (c *Client) List(ctx context.Context, q JobsQuery) (jobs []Job, total int, err error) {
	path := "/v1/jobs"
	if v := q.Values().Encode(); v != "" {
		path += "?" + v
	}
	header, err := c.ask(ctx, http.MethodGet, path, nil, &jobs)
	if err != nil {
		return nil, 0, err
	}
	total, bad := strconv.Atoi(header.Get(totalHeader))
	if _, old := strconv.Atoi(header.Get(skippedHeader)); old != nil && (q != JobsQuery{Prefix: q.Prefix}) {
		jobs = slices.DeleteFunc(jobs, func(j Job) bool { return q.State != "" && j.State != q.State || q.Serve && !j.Serve })
		total, bad = len(jobs), nil
		jobs = jobs[min(q.Skip, len(jobs)):]
		if q.Limit > 0 {
			jobs = jobs[:min(q.Limit, len(jobs))]
		}
	}
	if bad != nil {
		total = len(jobs)
	}
	return jobs, max(total, len(jobs)), nil
}

// Job returns the status of the job with this id, with all details.
func (c *Client) Job(ctx context.Context, id string) (Job, error) {
	return ask[Job](ctx, c, http.MethodGet, jobPath(id, ""), nil)
}

// Submission returns the submission of a job that has not ended, as the node received it: the program's text,
// settings, names of inputs and public inputs. Only admins of the node may call it.
func (c *Client) Submission(ctx context.Context, id string) (*Submission, error) {
	ctx, over := c.bounded(ctx)
	defer over()
	r, err := c.do(ctx, http.MethodGet, jobPath(id, "submission"), nil)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	s := &Submission{}
	if err := readLarge(r.Body, MaxSubmission+MaxMessage, maxRequestStructure, s); err != nil {
		return nil, c.failed(ctx, err)
	}
	return s, nil
}

// Approve approves a pending job and returns its new status. Only admins of the node may approve.
func (c *Client) Approve(ctx context.Context, id string) (Job, error) {
	return ask[Job](ctx, c, http.MethodPost, jobPath(id, "approve"), nil)
}

// ApproveFor is Approve with a reason, which goes into the node's audit log. A node of an earlier release ignores it.
func (c *Client) ApproveFor(ctx context.Context, id, reason string) (Job, error) {
	return post[Job](ctx, c, jobPath(id, "approve"), Reason{reason})
}

// Deny denies a pending job and returns its new status. Only admins of the node may deny. reason, which may be "", goes
// into the node's audit log, and is shown to the submitter and the other parties.
func (c *Client) Deny(ctx context.Context, id, reason string) (Job, error) {
	return post[Job](ctx, c, jobPath(id, "deny"), Reason{reason})
}

// Cancel cancels a job that has not ended and returns its new status.
func (c *Client) Cancel(ctx context.Context, id string) (Job, error) {
	return ask[Job](ctx, c, http.MethodPost, jobPath(id, "cancel"), nil)
}

// Health returns the node's health. A node answers any version of Tacet.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return ask[Health](ctx, c, http.MethodGet, "/v1/health", nil)
}

// AuditHead returns the signed head of the node's audit log. Nodes call it to keep the heads of their peers.
func (c *Client) AuditHead(ctx context.Context) (audit.Head, error) {
	return ask[audit.Head](ctx, c, http.MethodGet, "/v1/audit/head", nil)
}

// Report writes the report of the finished job with this id to w, as JSON.
func (c *Client) Report(ctx context.Context, id string, w io.Writer) error {
	return c.copy(ctx, jobPath(id, "report"), w)
}

// Results writes the results of the finished job with this id to w, as a zip archive of the files out0.npy,
// out1.npy and so on.
func (c *Client) Results(ctx context.Context, id string, w io.Writer) error {
	return c.copy(ctx, jobPath(id, "results"), w)
}

// Request sends a request to the service with this job id and returns the request's status; it does not wait for
// the evaluation.
func (c *Client) Request(ctx context.Context, job string, r *Request) (RequestStatus, error) {
	return post[RequestStatus](ctx, c, jobPath(job, "requests"), r)
}

// RequestStatus returns the status of a request to a service; job and request are their ids.
func (c *Client) RequestStatus(ctx context.Context, job, request string) (RequestStatus, error) {
	return ask[RequestStatus](ctx, c, http.MethodGet, requestPath(job, request, ""), nil)
}

// RequestReport writes the report of a finished request to a service (job and request are their ids) to w, as
// JSON.
func (c *Client) RequestReport(ctx context.Context, job, request string, w io.Writer) error {
	return c.copy(ctx, requestPath(job, request, "/report"), w)
}

// RequestResults writes the results of a finished request to a service (job and request are their ids) to w, as
// a zip archive of the files out0.npy, out1.npy and so on.
func (c *Client) RequestResults(ctx context.Context, job, request string, w io.Writer) error {
	return c.copy(ctx, requestPath(job, request, "/results"), w)
}

// Requests announces to another node of a service which requests form the next batch. The leader of the service
// calls it.
func (c *Client) Requests(ctx context.Context, job string, t RequestBatch) error {
	_, err := post[struct{}](ctx, c, sessionPath(job, "requests"), t)
	return err
}

// Reserve asks another node of a job to reserve a slot and, if r.Owners is set, memory. Only nodes call Reserve,
// Start, Release and Requests; submitters may not.
func (c *Client) Reserve(ctx context.Context, job string, r Reserve) (Reserved, error) {
	return post[Reserved](ctx, c, sessionPath(job, "reserve"), r)
}

// Start starts the session of a job at another node. The leader of the job calls it.
func (c *Client) Start(ctx context.Context, job string, s Start) error {
	_, err := post[struct{}](ctx, c, sessionPath(job, "start"), s)
	return err
}

// Release frees a job's slot at another node, or ends the job there, as r says. The leader of a job calls it.
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

// post sends a JSON message and returns the decoded answer.
func post[A any](ctx context.Context, c *Client, path string, message any) (A, error) {
	text, err := json.Marshal(message)
	if err != nil {
		return *new(A), fmt.Errorf("%s: %w", c.peer, err)
	}
	return ask[A](ctx, c, http.MethodPost, path, text)
}

// ask sends a request and returns the decoded answer.
func ask[A any](ctx context.Context, c *Client, method, path string, body []byte) (A, error) {
	var answer A
	if _, err := c.ask(ctx, method, path, body, &answer); err != nil {
		return *new(A), err
	}
	return answer, nil
}

// ask sends a request and decodes the answer. It returns the answer's header.
func (c *Client) ask(ctx context.Context, method, path string, body []byte, answer any) (http.Header, error) {
	ctx, over := c.heartbeatContext(ctx)
	defer over()
	ctx, end := c.bounded(ctx)
	defer end()
	r, err := c.do(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if err := readAnswer(r.Body, MaxAnswer, answer); err != nil {
		return nil, c.failed(ctx, err)
	}
	switch a := answer.(type) { // a node speaks for itself only
	case *Job:
		a.Node = c.name
	case *[]Job:
		for i := range *a {
			(*a)[i].Node = c.name
		}
	case *RequestStatus:
		a.Node = c.name
	case *[]RequestStatus:
		for i := range *a {
			(*a)[i].Node = c.name
		}
	}
	return r.Header, nil
}

// copy writes the body of an answer to w.
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

// sink is a writer that stores its error, to tell it from an error of the node.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (n int, err error) {
	n, s.err = s.w.Write(b)
	return n, s.err
}

// do sends a request. It returns the response if its status is 200, else an error with the node's
// reason.
func (c *Client) do(ctx context.Context, method, path string, body []byte) (_ *http.Response, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			cancel(nil)
		}
	}()
	q, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.peer, err)
	}
	q.Header.Set("Content-Type", "application/json")
	if len(body) > expectContinue {
		q.Header.Set("Expect", "100-continue") // the node checks who asks before it reads a long message
	}
	Identify(q.Header)
	r, err := c.http.Do(q)
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	pace(ctx, cancel, r)
	if err := c.checkProtocol(r, path); err != nil {
		r.Body.Close()
		return nil, &Refused{Node: c.name, Status: http.StatusConflict, Reason: err.Error()}
	}
	if r.StatusCode == http.StatusOK {
		return r, nil
	}
	defer r.Body.Close()
	var refusal Error
	if err := readAnswer(r.Body, MaxMessage, &refusal); err != nil || refusal.Error == "" {
		refusal.Error = "the answer is " + r.Status + " (is this a Tacet node?)"
	}
	return nil, &Refused{Node: c.name, Status: r.StatusCode, Reason: refusal.Error}
}

// failed wraps err as Unreachable with the node's name; if ctx has ended, the cause of that replaces
// err.
func (c *Client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
	return &Unreachable{c.name, fmt.Errorf("%s: %w", c.peer, err)}
}

// unanswered returns the error of a request without a response.
func (c *Client) unanswered(ctx context.Context, err error) error {
	if at := (&url.Error{}); errors.As(err, &at) {
		err = at.Err
	}
	var slow net.Error
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, syscall.ECONNREFUSED):
		err = errors.New("connection refused (is the node running?)")
	case errors.As(err, &slow) && slow.Timeout():
		err = fmt.Errorf("no answer in time: %w", err)
	case err == io.EOF: // after the handshake, whose errors pki.Explain covers
		err = errors.New("the node closed the connection without an answer")
	default:
		return &Unreachable{c.name, pki.Explain(err, c.peer)}
	}
	return c.failed(ctx, err)
}
