package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// State is the state of a job or a request at one node.
type State string

// The states of a job. Done, Failed, Denied and Cancelled are final. A request of a service is queued, running,
// done or failed.
const (
	Pending   State = "pending"   // the job waits until an admin of the node approves it
	Queued    State = "queued"    // the job is allowed and waits for slots at all nodes
	Running   State = "running"   // the job's session has begun
	Done      State = "done"      // the job has ended, and all parties have finished
	Failed    State = "failed"    // the job has ended by a failure, which the field Error describes
	Denied    State = "denied"    // the node's policy does not allow the job
	Cancelled State = "cancelled" // the submitter or an admin has cancelled the job
)

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return s == Pending || s == Queued || s == Running || s.Final() }

// Final reports whether s is a final state.
func (s State) Final() bool {
	return s == Done || s == Failed || s == Denied || s == Cancelled
}

// PhaseServing is the Phase of a Job that is an open service: it accepts requests.
const PhaseServing = "serves"

// RestartAlways is the value of Submission.Restart for a service that opens again after each loss of its
// session.
const RestartAlways = "always"

// Job is the status of a job at one node, as the node reports it to clients. Fields that do not apply are empty.
type Job struct {
	ID        string `json:"id"`                  // id of the job, the same at all nodes
	Node      string `json:"node"`                // name of the party whose node reports the status
	Program   string `json:"program"`             // file name of the program
	Digest    string `json:"digest"`              // digest of the program's text, as policies name it (Program.Digest)
	Submitter string `json:"submitter"`           // name of the submitter
	Protocol  string `json:"protocol,omitempty"`  // name of the protocol
	Ring      int    `json:"ring,omitempty"`      // bits of the ring
	Fraction  int    `json:"fraction,omitempty"`  // fraction bits
	Computing int    `json:"computing,omitempty"` // number of computing parties, which are the first of Parties
	Offline   bool   `json:"offline,omitempty"`   // the job makes correlations for a later run and runs no program
	// Arguments holds the program's arguments in order.
	Arguments []Argument `json:"arguments,omitempty"`
	Parties   []string   `json:"parties"`         // names in rank order
	State     State      `json:"state"`           // state at this node
	Phase     string     `json:"phase,omitempty"` // phase of a running job; of a waiting one, what it waits for
	Step      int        `json:"step,omitempty"`  // number of finished steps of the phase; of a service, of answered requests
	Steps     int        `json:"steps,omitempty"` // number of all steps of the phase
	// Round is the number of rounds of the online phase that are done, and Rounds the number of all rounds by the
	// plan. Iteration is the iteration of the outermost loop that runs, from 1. They are 0 where they do not apply.
	Round     int      `json:"round,omitempty"`
	Rounds    int      `json:"rounds,omitempty"`
	Iteration int      `json:"iteration,omitempty"`
	Error     string   `json:"error,omitempty"`  // why the job was denied, cancelled or failed; "" otherwise
	Rule      string   `json:"rule,omitempty"`   // name of the policy rule that judged the job
	Inputs    []string `json:"inputs,omitempty"` // names of this party's inputs
	// Provides has, for each of Inputs, the numbers of the arguments that it provides as the submission says, such as "0, 2 to 5"; "" where
	// the names of the file's arrays say so, and for a task.
	Provides  []string  `json:"provides,omitempty"`
	Reveals   []Learned `json:"reveals"`             // what the job will reveal, and to which parties
	Results   int       `json:"results"`             // number of results that this node's party has learned and that can be fetched
	Serve     bool      `json:"serve,omitempty"`     // the job is a service
	Batch     int       `json:"batch,omitempty"`     // maximum number of requests that the service evaluates as one batch
	Answering int       `json:"answering,omitempty"` // number of requests that the service is evaluating
	// Programs has the digests of a service's further programs, by name.
	Programs map[string]string `json:"programs,omitempty"`
	// Replaced maps arguments of a service to the results that replace them after each request; both stay as shares.
	Replaced    map[int]int `json:"replaced,omitempty"`
	Keep        string      `json:"keep,omitempty"`         // name under which the nodes keep the results as shares; "" for none
	Kept        []string    `json:"kept,omitempty"`         // names of the kept results that the job uses
	Resumes     string      `json:"resumes,omitempty"`      // id of the job that this one resumes
	ResumedFrom string      `json:"resumed_from,omitempty"` // the checkpoint's program point from which the job resumed
	// NewestCheckpoint is the program point of the newest checkpoint at this node; "" if there is none.
	// CheckpointError is the program point and the cause of a later checkpoint that could not be written.
	NewestCheckpoint string    `json:"newest_checkpoint,omitempty"`
	CheckpointError  string    `json:"checkpoint_error,omitempty"`
	Session          string    `json:"session,omitempty"` // id of the job's session, which is equal at all nodes; "" before it starts
	Submitted        time.Time `json:"submitted"`         // when the node received the job
	Started          time.Time `json:"started,omitzero"`  // when the session began; the zero time if it has not
	Ended            time.Time `json:"ended,omitzero"`    // when the job ended; the zero time if it has not
	// Restart is RestartAlways for a service that opens again after a loss of its session, else "".
	Restart  string    `json:"restart,omitempty"`
	Opened   time.Time `json:"opened,omitzero"`    // when the service last began to accept requests
	Restarts int       `json:"restarts,omitempty"` // number of the service's sessions after the first one
	Loss     string    `json:"loss,omitempty"`     // why the service lost its last session; "" if it lost none
	LostAt   time.Time `json:"lost_at,omitzero"`   // when it lost that session
	// Task describes the task that the job's program was built from, "" without one; the node has built it too.
	Task string `json:"task,omitempty"`
	// Summary says that this status is an entry of a list: Arguments, Inputs, Provides, Reveals, Kept and Task are left out, and
	// Error and Loss may be cut.
	Summary bool `json:"summary,omitempty"`
}

// Bounds of the statuses of jobs. A list of many statuses must not be too long for clients. No single status may
// be too long either: its job could neither be approved nor cancelled by its id.
const (
	// maxStatus bounds the status of a job, in bytes.
	maxStatus = 4 << 20
	// maxStatusStructure bounds its structural characters: MaxArguments arguments have 3 each.
	maxStatusStructure = maxAnswerStructure * 7 / 8
	// maxSummaryError bounds Error and Loss in lists, in bytes each.
	maxSummaryError = 500
	// MaxJobs is the maximum number of jobs in a list. If there are more, the list has the newest ones.
	MaxJobs = 1000
	// maxList bounds the bytes of a list, and maxStatusStructure its structural characters.
	maxList = 4 << 20
)

// CheckSize returns an error if the status of a job is, or may become, too long for clients. It counts the names
// of the arguments' owners at their longest, since the status may get them later.
func (j *Job) CheckSize() error {
	full := *j
	longest := "public"
	for _, name := range j.Parties {
		if len(name) > len(longest) {
			longest = name
		}
	}
	full.Arguments = slices.Clone(j.Arguments)
	for i := range full.Arguments {
		full.Arguments[i].Owner = longest
	}
	text, err := json.Marshal(full)
	if err == nil && len(text) > maxStatus {
		err = fmt.Errorf("%d bytes, and at most %d are allowed", len(text), maxStatus)
	}
	if err == nil {
		err = jsonlimit.Check(text, jsonlimit.Of(maxStatusStructure))
	}
	if err != nil {
		return fmt.Errorf("the description of the job is too long (%w): it lists %d inputs, %d arguments, and what it reveals in %d entries; "+
			"shorten names of inputs, or put many arguments or results into few", err, len(j.Inputs), len(j.Arguments), len(j.Reveals))
	}
	return nil
}

// Summarize returns a copy of the status as lists contain it (Job.Summary).
func (j Job) Summarize() Job {
	j.Arguments, j.Inputs, j.Provides, j.Reveals, j.Kept, j.Task, j.Summary = nil, nil, nil, nil, nil, "", true
	for _, text := range []*string{&j.Error, &j.Loss} {
		if len(*text) > maxSummaryError {
			*text = strings.ToValidUTF8((*text)[:maxSummaryError], "") + "…"
		}
	}
	return j
}

// AnswerJobs writes a list of jobs to w as JSON; jobs has the newest first, after the first skipped ones of all jobs,
// of which there are total. It omits older jobs where the list becomes too long. HTTP headers have the number of all
// jobs and of those skipped, so that Client.Jobs can say how many were omitted.
func AnswerJobs(w http.ResponseWriter, jobs []Job, skipped, total int) error {
	w.Header().Set(totalHeader, strconv.Itoa(total))
	w.Header().Set(skippedHeader, strconv.Itoa(skipped))
	list, size, structure := []Job{}, 0, 0
	for _, j := range jobs[:min(len(jobs), MaxJobs)] {
		j = j.Summarize()
		text, err := json.Marshal(j)
		if err != nil {
			return err
		}
		size, structure = size+len(text)+1, structure+jsonlimit.Structure(text)+1
		if size > maxList || structure > maxStatusStructure {
			break
		}
		list = append(list, j)
	}
	return Answer(w, list)
}

// Headers of a list of jobs: how many jobs there are, and how many of them come before the list's first one. A node
// that does not know JobsQuery sends no skippedHeader.
const (
	totalHeader   = "Tacet-Jobs"
	skippedHeader = "Tacet-Jobs-Skipped"
)

// JobsQuery says which jobs a list has. The zero value asks for the newest MaxJobs.
type JobsQuery struct {
	Prefix string // beginning of the ids
	State  State  // only jobs in this state; "" for all
	Serve  bool   // only services
	Skip   int    // number of jobs that are left out, the newest ones
	Limit  int    // maximum number of jobs; 0 for MaxJobs
}

// Values returns the query as parameters of a URL.
func (q JobsQuery) Values() url.Values {
	v := url.Values{}
	set := func(key, value string, given bool) {
		if given {
			v.Set(key, value)
		}
	}
	set("id", q.Prefix, q.Prefix != "")
	set("state", string(q.State), q.State != "")
	set("serve", "true", q.Serve)
	set("skip", strconv.Itoa(q.Skip), q.Skip > 0)
	set("limit", strconv.Itoa(q.Limit), q.Limit > 0)
	return v
}

// ParseJobsQuery reads the parameters that Values writes. Others are ignored.
func ParseJobsQuery(v url.Values) (q JobsQuery, err error) {
	q = JobsQuery{Prefix: v.Get("id"), State: State(v.Get("state")), Serve: v.Get("serve") == "true"}
	if q.State != "" && !q.State.Valid() {
		return q, fmt.Errorf("state: %.40q is no state of a job", q.State)
	}
	for key, to := range map[string]*int{"skip": &q.Skip, "limit": &q.Limit} {
		if s := v.Get(key); s != "" {
			if *to, err = strconv.Atoi(s); err != nil || *to < 0 {
				return q, fmt.Errorf("%s: %.40q is no number of jobs", key, s)
			}
		}
	}
	return q, nil
}

// Argument describes one argument of a job's program.
type Argument struct {
	Type string `json:"type"` // shape and element type, such as tensor<16x10xf32>
	// Owner is the name of the party that provides the argument. It is "public" if the submitter sends its value
	// to all nodes, "kept" if it is a result of an earlier job, and "" as long as only the content of another
	// party's files can say which party provides it.
	Owner string `json:"owner"`
}

// Learned is one thing that parties learn from a job: a result, or a tensor that the program reveals while it
// runs.
type Learned struct {
	// What describes it: "result 0: tensor<10xf32>", "intermediate loss (%5): tensor<f32>, at m.mlir:9:8, 3
	// times".
	What string   `json:"what"`
	By   []string `json:"by"` // names of the parties that learn it
	// Name is what a result of a task is: "coefficients"; "" for other jobs.
	Name string `json:"name,omitempty"`
}

// ResultOf returns what Learned.What begins with, before "result", for results of the service's program of that name, "" for its
// first one.
func ResultOf(program string) string {
	if program == "" {
		return ""
	}
	return fmt.Sprintf("of program %s, ", program)
}

// Messages between the nodes of a job.
type (
	// Reserve is the leader's message that asks a node to reserve a slot for a job and, if Owners is set, the
	// memory that the job needs. Reserved is the answer.
	Reserve struct {
		// Version is the sender's release. Nodes of release 0.1.0 compare it with theirs; others compare
		// protocol numbers (CheckProtocol).
		Version string            `json:"version"`
		Digest  string            `json:"digest"` // the submission's digest, which must be the same at both nodes
		Terms   map[string]string `json:"terms"`  // Submission.Terms, which name the differences if the digests differ
		// Try is the number of the leader's attempt. A later Release frees the slot only if it has the same
		// number.
		Try int `json:"try"`
		// for each argument the rank of its owner or −1 for public, as in Start; null as long as they are
		// unknown
		Owners []int `json:"owners"`
		Stay   []int `json:"stay,omitempty"` // numbers of the resident arguments
	}
	// Reserved is a node's answer to Reserve.
	Reserved struct {
		State State  `json:"state"`           // the job's state at the node
		Slot  bool   `json:"slot"`            // a slot, and memory if Owners was set, is reserved
		Error string `json:"error,omitempty"` // why nothing is reserved; "" if Slot is true
		Args  []int  `json:"args,omitempty"`  // numbers of the arguments that the node's inputs provide
		Stay  []int  `json:"stay,omitempty"`  // those of Args that are resident
		// Batch is the number of requests per batch for which the node has reserved memory.
		Batch int `json:"batch,omitempty"`
	}
	// Start is the leader's message that starts the session of a job for which all nodes have reserved slots.
	Start struct {
		Session string `json:"session"`         // id of the new session
		Owners  []int  `json:"owners"`          // for each argument the rank of its owner, or −1 for a public argument
		Stay    []int  `json:"stay,omitempty"`  // numbers of the resident arguments
		Batch   int    `json:"batch,omitempty"` // of a service: maximum number of requests per batch
	}
	// Release is the leader's message to another node that ends an attempt, a session or a job. With Reason and
	// Session empty, it frees the slot that the node has reserved. With only Reason set, it ends the job as
	// failed. With Session set, it ends that session of a service with RestartAlways, and the service opens
	// again.
	Release struct {
		Try     int    `json:"try,omitempty"`     // number of the attempt whose slot is freed
		Reason  string `json:"reason,omitempty"`  // why the job or the session ends
		Session string `json:"session,omitempty"` // id of the session that ends
	}
)

// Error is the JSON body of a refusal.
type Error struct {
	Error string `json:"error"` // the reason, on one line
}

// Health is a node's answer to GET /v1/health, as JSON.
type Health struct {
	Name string `json:"name"` // name of the party
	// Info is the build's version.
	version.Info
	Draining bool `json:"draining,omitempty"` // the node is stopping and accepts no new jobs
	Running  int  `json:"running"`            // number of running jobs
	Queued   int  `json:"queued"`             // number of jobs that wait for slots
	// Certificates lists until when the node's certificate and the CAs that it trusts are valid. Only the health
	// at the metrics address has it.
	Certificates []pki.Expiry `json:"certificates,omitempty"`
}
