package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Kind is the kind of an event: what has happened.
type Kind string

// The kinds of events. Comments name the fields of Event that an event of the kind sets, besides Time, Prev and
// those that identify the job.
const (
	Submitted     Kind = "submitted" // Actor submitted the job
	Denied        Kind = "denied"    // the policy denied the job, or the admin Actor did, for Reason
	Approved      Kind = "approved"  // the admin Actor approved the job and its Terms, for Reason if it is set
	Started       Kind = "started"   // a session started with Inputs and, of a job, Terms, allowed by Rule
	Resumed       Kind = "resumed"   // the job resumed job Resumes at the program point From
	Revealed      Kind = "learned"   // parties are about to learn Learned
	Joined        Kind = "joined"    // a join of rows by keys begins, or has found how many match, as Join says
	Kept          Kind = "kept"      // the node stores this party's shares of results under the name in Kept
	Exported      Kind = "exported"  // the owner exported this party's shares of the results named in Kept to an encrypted file
	Imported      Kind = "imported"  // the owner imported shares from such a file under the name in Kept
	Lost          Kind = "lost"      // a service that opens again lost its session, for Reason
	Finished      Kind = "finished"  // the job is done
	Failed        Kind = "failed"    // the job failed, for Reason
	Cancelled     Kind = "cancelled" // Actor cancelled the job
	PolicyApplied Kind = "policy"    // the policy with the hash Policy is in force from now on; Actor added a rule, as Reason says, if it is set
	Recovered     Kind = "recovered" // an incomplete last line was removed, or lines had no signed head
	Continued     Kind = "continued" // first event of a file that continues the log, after Lines lines in all files before
	Broken        Kind = "broken"    // first event of a new log, because the log before was changed or cut, as Reason says
)

// Event is one line of the log. Which fields an event has depends on its Kind.
type Event struct {
	Time     time.Time         `json:"time"`                   // when the event was written
	Kind     Kind              `json:"event"`                  // what happened
	Actor    string            `json:"who,omitempty"`          // name, in a certificate, of the submitter or admin
	Job      string            `json:"job,omitempty"`          // id of the job
	Program  string            `json:"program,omitempty"`      // digest of the program
	Session  string            `json:"session,omitempty"`      // id of the session
	Request  string            `json:"request,omitempty"`      // id of the request to a service
	Named    string            `json:"named,omitempty"`        // of a request: name of the further program that it asks for; "" for the first one
	Programs map[string]string `json:"programs,omitempty"`     // digests of a service's further programs, by name
	Rule     string            `json:"rule,omitempty"`         // name of the policy rule that allowed the job
	Inputs   []Input           `json:"inputs,omitempty"`       // inputs of this party that the session uses
	Kept     []string          `json:"kept,omitempty"`         // names of kept results that were written or used
	Learned  []Learned         `json:"learned,omitempty"`      // what any party learns
	Join     *Join             `json:"join,omitempty"`         // the join of a task's rows
	Terms    *Terms            `json:"terms,omitempty"`        // of a job that is approved or starts: what the consent is to
	Resumes  string            `json:"resumes,omitempty"`      // id of the job that this one resumes
	From     string            `json:"resumed_from,omitempty"` // program point from which the job resumes
	Policy   string            `json:"policy,omitempty"`       // SHA-256 of the policy file
	Lines    int64             `json:"lines,omitempty"`        // number of lines in all files before this one
	Reason   string            `json:"reason,omitempty"`       // why, or what is wrong

	// Prev is the SHA-256 hash of the line before, as 64 hexadecimal digits; zeros in the first line.
	Prev string `json:"prev"`
}

// Input is an input file of this node's party that a session used.
type Input struct {
	Name   string `json:"name"`   // name of the input, as the job gives it
	SHA256 string `json:"sha256"` // hash of the file, in hexadecimal
}

// Terms records what a job does beside its program: the way in which it is computed, by whom, and who provides each argument.
type Terms struct {
	// Submission is the SHA-256 of the whole submission, in hexadecimal: settings, public values and names of inputs are among it.
	Submission string   `json:"submission"`
	Protocol   string   `json:"protocol"`
	Ring       int      `json:"ring"`      // bits
	Fraction   int      `json:"fraction"`  // fraction bits
	Parties    []string `json:"parties"`   // in rank order
	Computing  int      `json:"computing"` // number of computing parties, the first of Parties
	// Arguments has, by owner (a party, public, kept, joined), the numbers of its arguments, such as "0, 2 to 5". Those whose owner
	// is not known yet are left out.
	Arguments map[string]string `json:"arguments,omitempty"`
}

// String returns the terms without the submission's hash on one line: "semi2k among alice, bob; ring 64, fraction 18; alice: argument 0".
func (t *Terms) String() string {
	out := fmt.Sprintf("%s among %s", t.Protocol, strings.Join(t.Parties[:max(0, min(t.Computing, len(t.Parties)))], ", "))
	if t.Computing < len(t.Parties) {
		out += " of " + strings.Join(t.Parties, ", ")
	}
	out += fmt.Sprintf("; ring %d, fraction %d", t.Ring, t.Fraction)
	for _, owner := range slices.Sorted(maps.Keys(t.Arguments)) {
		out += fmt.Sprintf("; %s: argument %s", owner, t.Arguments[owner])
	}
	return out
}

// Join records a join of this party's rows with those of another party. One of stacked tables with keys is recorded for each stacked table.
type Join struct {
	Method  string         `json:"method"`            // psi, hidden or stacked
	Keys    []string       `json:"keys"`              // this party's key columns
	Rows    map[string]int `json:"rows"`              // both parties' numbers of rows, which are public
	By      []string       `json:"by,omitempty"`      // names of the parties that learn which of their own rows match; none of a hidden join
	Matched int            `json:"matched,omitempty"` // how many do; 0 before it is known
}

// Learned records that parties learn one result.
type Learned struct {
	Result int      `json:"result"` // number of the result; −1 for a tensor that the program reveals while it runs
	Type   string   `json:"type"`   // shape and element type: tensor<10xf32>
	By     []string `json:"by"`     // names of the parties that learn it
}
