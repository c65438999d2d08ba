package api

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/tacet-mpc/tacet/printable"
)

// maxReason bounds the reason of an approval or a denial, in bytes.
const maxReason = 1000

// Reason is the JSON body of the requests that approve and deny a job.
type Reason struct {
	Reason string `json:"reason,omitempty"` // what the admin says about it
}

// Check returns an error if the reason has more bytes than allowed or characters that cannot be printed.
func (r Reason) Check() error { return printable.Check("the reason", r.Reason, maxReason) }

// OwnInput describes an input of the node's party that a job uses. Nodes send it to their own admins only.
type OwnInput struct {
	Name     string    `json:"name"`               // name by which policies and the audit log know it
	Asked    string    `json:"asked"`              // name that the submission gives
	Args     []int     `json:"args"`               // numbers of the arguments that it provides
	Bytes    int64     `json:"bytes"`              // size of the file
	Modified time.Time `json:"modified"`           // when the file was changed last
	SHA256   string    `json:"sha256"`             // hash of the file, hexadecimal
	Columns  []string  `json:"columns,omitempty"`  // of a table: the columns that the job reads; nil for all
	Prepared []string  `json:"prepared,omitempty"` // of a table: those of Columns that the owner prepares
	Table    bool      `json:"table,omitempty"`    // the file is a table
	Resident bool      `json:"resident,omitempty"` // a service shares it once for all requests
	Error    string    `json:"error,omitempty"`    // why the file cannot be read; "" if it can
}

// Approval describes the last approval that a node remembers for a rule and a submitter.
type Approval struct {
	Job       string    `json:"job"`            // id of the job
	Program   string    `json:"program"`        // file name of the program
	Digest    string    `json:"digest"`         // digest of the program's text
	Submitter string    `json:"submitter"`      // the job's submitter
	Rule      string    `json:"rule"`           // the rule that asked for approval
	By        string    `json:"by"`             // the admin
	Time      time.Time `json:"time"`           // when
	Text      []byte    `json:"text,omitempty"` // the program's text; nil if it was too long to be kept
	// Programs has the digests of a service's further programs by name.
	Programs map[string]string `json:"programs,omitempty"`
	Known    bool              `json:"known,omitempty"` // there is such an approval
}

// Always describes a rule that would make a node's policy allow a job again without approval, and the policy file with
// it.
type Always struct {
	Rule   string `json:"rule"`   // name of the new rule
	Before []byte `json:"before"` // text of the policy file
	After  []byte `json:"after"`  // the text with the new rule; nil if the file cannot be extended, for the reason Why
	SHA256 string `json:"sha256"` // hash of Before, hexadecimal
	Text   []byte `json:"text"`   // the new rule
	Why    string `json:"why"`    // why the node does not write the rule; "" if it does when it is asked to
	// Public has the numbers of the public arguments, whose values the submitter chooses in each job.
	Public []int `json:"public,omitempty"`
}

// AddRule is the JSON body with which an admin asks a node to write the rule of an Always.
type AddRule struct {
	SHA256 string `json:"sha256"` // hash of the policy file's text that the admin has seen
	Rule   string `json:"rule"`   // name of the rule that the admin has seen
}

// LogLine is a line of a node's log.
type LogLine struct {
	Time  time.Time `json:"time"`
	Level string    `json:"level"`
	Text  string    `json:"text"` // message and attributes
}

// Sample is the value of one metric of a node for one set of labels.
type Sample struct {
	Name   string            `json:"name"`             // such as tacet_jobs; of a histogram its name with _count or _sum
	Labels map[string]string `json:"labels,omitempty"` // values by label
	Value  float64           `json:"value"`
}

// OwnInputs describes the inputs of the node's party that the job with this id, which must not have ended, uses. The
// node hashes the files for it. Only admins of the node may call it.
func (c *Client) OwnInputs(ctx context.Context, id string) ([]OwnInput, error) {
	return ask[[]OwnInput](ctx, c, http.MethodGet, jobPath(id, "inputs"), nil)
}

// LastApproval returns the last approval that the node gave to another job of the same rule and submitter as the job
// with this id. If there is none, the result's Known is false. Only admins of the node may call it.
func (c *Client) LastApproval(ctx context.Context, id string) (Approval, error) {
	return ask[Approval](ctx, c, http.MethodGet, jobPath(id, "approved"), nil)
}

// Always returns the rule that would allow the pending job with this id again. Only admins of the node may call it.
func (c *Client) Always(ctx context.Context, id string) (Always, error) {
	return ask[Always](ctx, c, http.MethodGet, jobPath(id, "always"), nil)
}

// AddRule asks the node to insert the rule of a, which Client.Always returned for the job id, into its policy file and
// to apply the file. The node refuses if its policy does not let admins add rules, or if file or rule have changed
// since. Only admins of the node may call it.
func (c *Client) AddRule(ctx context.Context, id string, a Always) error {
	_, err := post[struct{}](ctx, c, jobPath(id, "always"), AddRule{a.SHA256, a.Rule})
	return err
}

// Log returns the newest lines of the node's log about the job with this id, in the order of their times. Only admins
// of the node may call it.
func (c *Client) Log(ctx context.Context, id string) ([]LogLine, error) {
	return ask[[]LogLine](ctx, c, http.MethodGet, jobPath(id, "log"), nil)
}

// ListRequests returns the requests of the service with this id that the node remembers, the newest first.
func (c *Client) ListRequests(ctx context.Context, id string) ([]RequestStatus, error) {
	return ask[[]RequestStatus](ctx, c, http.MethodGet, jobPath(id, "requests"), nil)
}

// Lead returns how far the dealer is ahead of the requests of the service with this id, which must be open at the node.
func (c *Client) Lead(ctx context.Context, id string) (Lead, error) {
	return ask[Lead](ctx, c, http.MethodGet, jobPath(id, "lead"), nil)
}

// Metrics returns the present values of the node's metrics. Only admins of the node may call it.
func (c *Client) Metrics(ctx context.Context) ([]Sample, error) {
	return ask[[]Sample](ctx, c, http.MethodGet, "/v1/metrics", nil)
}

// Audit copies the node's audit log to w, without its first from lines. Nothing is checked: audit.ReadLines verifies
// the copy. Only admins of the node may call it.
func (c *Client) Audit(ctx context.Context, from int64, w io.Writer) error {
	return c.copy(ctx, "/v1/audit?from="+strconv.FormatInt(from, 10), w)
}
