package audit

import "time"

// Kind is what happened.
type Kind string

// The kinds of events.
const (
	Submitted Kind = "submitted" // Who asks for a job
	Denied    Kind = "denied"    // by the policy, for Reason
	Approved  Kind = "approved"  // by an admin, Who
	Started   Kind = "started"   // a session, with Inputs, by Rule
	Resumed   Kind = "resumed"   // the job Resumes, From a place in its program
	Revealed  Kind = "learned"   // Learned
	Kept      Kind = "kept"      // results, as shares, by the name in Kept
	Finished  Kind = "finished"
	Failed    Kind = "failed"    // for Reason
	Cancelled Kind = "cancelled" // by Who
	Ruled     Kind = "policy"    // the policy that applies from now on, Policy
	Recovered Kind = "recovered" // an unfinished line was removed
)

// Event is a line of the log.
type Event struct {
	Time    time.Time `json:"time"`
	Kind    Kind      `json:"event"`
	Who     string    `json:"who,omitempty"` // the name in a certificate
	Job     string    `json:"job,omitempty"`
	Program string    `json:"program,omitempty"` // its digest
	Session string    `json:"session,omitempty"`
	Request string    `json:"request,omitempty"` // to a service
	Rule    string    `json:"rule,omitempty"`    // of the policy
	Inputs  []Input   `json:"inputs,omitempty"`  // of this party
	Kept    []string  `json:"kept,omitempty"`    // names of what is kept, or of what was used
	Learned []Learned `json:"learned,omitempty"` // by anybody
	Resumes string    `json:"resumes,omitempty"` // the job that this one goes on from
	From    string    `json:"from,omitempty"`    // from there
	Policy  string    `json:"policy,omitempty"`  // SHA-256 of its file
	Reason  string    `json:"reason,omitempty"`

	// Prev is the SHA-256 of the line before; of zeros at the first.
	Prev string `json:"prev"`
}

// Input is a file of values that was used.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of the file
}

// Learned says who learned one thing.
type Learned struct {
	Result int      `json:"result"` // its index, or −1 for what the program revealed on its way
	Type   string   `json:"type"`   // shape and element type: tensor<10xf32>
	By     []string `json:"by"`
}
