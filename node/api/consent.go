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

// Reason is the JSON body of an approval and of a denial.
type Reason struct {
	Reason string `json:"reason,omitempty"` // what the admin says about it
}

// Check returns an error if the reason is too long or cannot be printed.
func (r Reason) Check() error { return printable.Check("the reason", r.Reason, maxReason) }

// OwnInput describes an input of the node's party that a job uses, as only admins of the node may see it.
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

// Approval is an approval that a node remembers: the last one of a rule and a submitter.
type Approval struct {
	Job       string    `json:"job"`             // id of the job
	Program   string    `json:"program"`         // file name of the program
	Digest    string    `json:"digest"`          // digest of the program's text
	Submitter string    `json:"submitter"`       // the job's submitter
	Rule      string    `json:"rule"`            // the rule that asked for approval
	By        string    `json:"by"`              // the admin
	Time      time.Time `json:"time"`            // when
	Text      []byte    `json:"text,omitempty"`  // the program's text; nil if it was too long to be kept
	Known     bool      `json:"known,omitempty"` // there is such an approval
}

// Always is the rule by which the node's policy would allow a job again without approval.
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

// AddRule is the JSON body of the request to write the rule of an Always.
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

// Sample is the value of a metric of a node.
type Sample struct {
	Name   string            `json:"name"`             // such as tacet_jobs; of a histogram its name with _count or _sum
	Labels map[string]string `json:"labels,omitempty"` // values by label
	Value  float64           `json:"value"`
}

// OwnInputs describes the inputs of the node's party that a job which has not ended uses. The node hashes the files. Only
// admins of the node may call it.
func (c *Client) OwnInputs(ctx context.Context, id string) ([]OwnInput, error) {
	return ask[[]OwnInput](ctx, c, http.MethodGet, jobPath(id, "inputs"), nil)
}

// LastApproval returns the last approval of another job by the same rule and of the same submitter; its Known is false
// if there is none. Only admins of the node may call it.
func (c *Client) LastApproval(ctx context.Context, id string) (Approval, error) {
	return ask[Approval](ctx, c, http.MethodGet, jobPath(id, "approved"), nil)
}

// Always returns the rule that would allow a pending job again. Only admins of the node may call it.
func (c *Client) Always(ctx context.Context, id string) (Always, error) {
	return ask[Always](ctx, c, http.MethodGet, jobPath(id, "always"), nil)
}

// AddRule asks the node to write the rule of Always into its policy file and to put it into force. The node refuses if
// its policy does not let admins add rules, or if the file or the rule is not the one that a names.
func (c *Client) AddRule(ctx context.Context, id string, a Always) error {
	_, err := post[struct{}](ctx, c, jobPath(id, "always"), AddRule{a.SHA256, a.Rule})
	return err
}

// Log returns the newest lines of the node's log about a job, the oldest first. Only admins of the node may call it.
func (c *Client) Log(ctx context.Context, id string) ([]LogLine, error) {
	return ask[[]LogLine](ctx, c, http.MethodGet, jobPath(id, "log"), nil)
}

// ListRequests returns the requests of a service that the node keeps, the newest first.
func (c *Client) ListRequests(ctx context.Context, id string) ([]RequestStatus, error) {
	return ask[[]RequestStatus](ctx, c, http.MethodGet, jobPath(id, "requests"), nil)
}

// Lead returns how far the dealer is ahead of the requests of a service that is open at the node.
func (c *Client) Lead(ctx context.Context, id string) (Lead, error) {
	return ask[Lead](ctx, c, http.MethodGet, jobPath(id, "lead"), nil)
}

// Metrics returns the node's metrics. Only admins of the node may call it.
func (c *Client) Metrics(ctx context.Context) ([]Sample, error) {
	return ask[[]Sample](ctx, c, http.MethodGet, "/v1/metrics", nil)
}

// Audit writes the lines of the node's audit log to w, without the first from ones (audit.CopyLines). They are as the
// node sends them: audit.ReadLines checks them. Only admins of the node may call it.
func (c *Client) Audit(ctx context.Context, from int64, w io.Writer) error {
	return c.copy(ctx, "/v1/audit?from="+strconv.FormatInt(from, 10), w)
}
