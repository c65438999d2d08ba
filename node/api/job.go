package api

import "time"

// State is how far a job is at a node.
type State string

// The states. The last four are final.
const (
	Pending   State = "pending"   // an admin of the node must approve it
	Queued    State = "queued"    // allowed, waits for its turn and the other nodes
	Running   State = "running"   // a session has begun
	Done      State = "done"      // all parties have finished
	Failed    State = "failed"    // Error says why
	Denied    State = "denied"    // the node's policy does not allow it
	Cancelled State = "cancelled" // by whoever submitted it or an admin
)

// Final reports whether a job in this state stays in it.
func (s State) Final() bool {
	return s == Done || s == Failed || s == Denied || s == Cancelled
}

// Serves is the Phase of a service between requests.
const Serves = "serves"

// Job is a job as one node sees it.
type Job struct {
	ID        string    `json:"id"`
	Node      string    `json:"node"`
	Program   string    `json:"program"` // its name
	Digest    string    `json:"digest"`  // the program's
	Submitter string    `json:"submitter"`
	Parties   []string  `json:"parties"`
	State     State     `json:"state"`
	Phase     string    `json:"phase,omitempty"` // of a running job
	Step      int       `json:"step,omitempty"`  // of Steps in the phase
	Steps     int       `json:"steps,omitempty"`
	Error     string    `json:"error,omitempty"`
	Rule      string    `json:"rule,omitempty"`    // of the policy, that allows it
	Inputs    []string  `json:"inputs,omitempty"`  // of this party, by name
	Reveals   []Learned `json:"reveals"`           // what will be revealed, to whom
	Results   int       `json:"results"`           // how many lie here to be fetched
	Serve     bool      `json:"serve,omitempty"`   // it is a service; Step counts the requests that it has answered
	Batch     int       `json:"batch,omitempty"`   // of a service: how many it answers at once, at most
	Now       int       `json:"now,omitempty"`     // and how many it is answering
	Keep      string    `json:"keep,omitempty"`    // the name under which its results are kept as shares
	Kept      []string  `json:"kept,omitempty"`    // names of what it uses that earlier jobs have kept
	Resumes   string    `json:"resumes,omitempty"` // the id of the job that it goes on from
	From      string    `json:"from,omitempty"`    // where in the program, once the parties have agreed
	// Aside is the place of the newest checkpoint here, and NotAside where and why a
	// later one could not be written.
	Aside     string    `json:"aside,omitempty"`
	NotAside  string    `json:"not_aside,omitempty"`
	Session   string    `json:"session,omitempty"`
	Submitted time.Time `json:"submitted"`
	Started   time.Time `json:"started,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
}

// Learned is something that parties will learn or have learned.
type Learned struct {
	What string   `json:"what"` // "result 0: tensor<10xf32>", "on its way loss (%5): tensor<f32>, at m.mlir:9:8, 3 times"
	By   []string `json:"by"`
}

// Between nodes, for a job that all of them have.
type (
	// Reserve asks a node for a slot, and, once it is known who owns which
	// argument and what of them stays, for the memory that the job takes. Digest and terms are the
	// submission's: that they are the same there, and if not, what is not. Tries
	// are numbered, so that what is released late is not a later try's.
	Reserve struct {
		Version string            `json:"version"`
		Digest  string            `json:"digest"`
		Terms   map[string]string `json:"terms"`
		Try     int               `json:"try"`
		Owners  []int             `json:"owners"` // as in Start; null while that is not known
		Stay    []int             `json:"stay,omitempty"`
	}
	// Reserved is the answer: what state the job is in there, whether a slot
	// is kept for it, and the arguments that the node's inputs give.
	Reserved struct {
		State State  `json:"state"`
		Slot  bool   `json:"slot"`
		Error string `json:"error,omitempty"`
		Args  []int  `json:"args,omitempty"`
		Stay  []int  `json:"stay,omitempty"` // of these, what is resident
		// Batch is for how many requests at once memory is reserved there, for a
		// service.
		Batch int `json:"batch,omitempty"`
	}
	// Start begins the session for which slots are reserved at all nodes.
	Start struct {
		Session string `json:"session"`
		Owners  []int  `json:"owners"`          // rank by argument, −1 for public
		Stay    []int  `json:"stay,omitempty"`  // arguments that are resident
		Batch   int    `json:"batch,omitempty"` // of a service: requests at once
	}
	// Release gives the slot of a try back, or ends the job where Reason is not
	// empty.
	Release struct {
		Try    int    `json:"try,omitempty"`
		Reason string `json:"reason,omitempty"`
	}
)

// Error is the body of an answer that is a refusal.
type Error struct {
	Error string `json:"error"`
}

// Health says how a node is.
type Health struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Draining bool   `json:"draining,omitempty"` // takes no new jobs: it is about to stop
	Running  int    `json:"running"`            // jobs
	Queued   int    `json:"queued"`
}
