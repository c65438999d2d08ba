package audit

import "time"

// Kind is the kind of an event.
type Kind string

// The kinds of events. The fields of Event that each kind sets are named.
const (
	Submitted     Kind = "submitted" // by Actor
	Denied        Kind = "denied"    // by the policy, for Reason
	Approved      Kind = "approved"  // by the admin Actor
	Started       Kind = "started"   // a session, with Inputs, allowed by Rule
	Resumed       Kind = "resumed"   // the job resumed job Resumes at place From
	Revealed      Kind = "learned"   // Learned
	Kept          Kind = "kept"      // this party's shares of results, under the name in Kept
	Exported      Kind = "exported"  // the owner wrote this party's shares under the name in Kept to an encrypted file
	Imported      Kind = "imported"  // the owner took shares from such a file under the name in Kept
	Lost          Kind = "lost"      // the session of a service that opens again, for Reason
	Finished      Kind = "finished"
	Failed        Kind = "failed"    // for Reason
	Cancelled     Kind = "cancelled" // by Actor
	PolicyApplied Kind = "policy"    // the policy with hash Policy is in force from now on
	Recovered     Kind = "recovered" // an incomplete line was removed, or lines had no signed head
	Continued     Kind = "continued" // first in a file: the log continues another one, after Lines lines in all files before
	Broken        Kind = "broken"    // the log before this one was changed or cut, as Reason says
)

// Event is one line of the log.
type Event struct {
	Time    time.Time `json:"time"`
	Kind    Kind      `json:"event"`
	Actor   string    `json:"who,omitempty"` // name in a certificate
	Job     string    `json:"job,omitempty"`
	Program string    `json:"program,omitempty"` // digest
	Session string    `json:"session,omitempty"`
	Request string    `json:"request,omitempty"`      // id of the request to a service
	Rule    string    `json:"rule,omitempty"`         // name of the policy rule
	Inputs  []Input   `json:"inputs,omitempty"`       // inputs of this party
	Kept    []string  `json:"kept,omitempty"`         // names of kept results: written, or used
	Learned []Learned `json:"learned,omitempty"`      // what any party learns
	Resumes string    `json:"resumes,omitempty"`      // id of the job that this one resumes
	From    string    `json:"resumed_from,omitempty"` // place in the program from which it resumes
	Policy  string    `json:"policy,omitempty"`       // SHA-256 of the policy file
	Lines   int64     `json:"lines,omitempty"`        // number of lines before this one
	Reason  string    `json:"reason,omitempty"`

	// Prev is the SHA-256 of the line before; zeros in the first line.
	Prev string `json:"prev"`
}

// Input is an input file that was used.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of the file, hexadecimal
}

// Learned records that parties learned one result.
type Learned struct {
	Result int      `json:"result"` // index, or −1 for tensors revealed while the program ran
	Type   string   `json:"type"`   // shape and element type: tensor<10xf32>
	By     []string `json:"by"`
}
