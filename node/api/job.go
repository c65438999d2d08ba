package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// State is the state of a job at a node.
type State string

// The states. Done, Failed, Denied and Cancelled are final.
const (
	Pending   State = "pending"   // an admin of the node must approve it
	Queued    State = "queued"    // allowed; waits for slots at all nodes
	Running   State = "running"   // its session has begun
	Done      State = "done"      // all parties have finished
	Failed    State = "failed"    // Error names the cause
	Denied    State = "denied"    // the node's policy does not allow it
	Cancelled State = "cancelled" // by its submitter or an admin
)

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return s == Pending || s == Queued || s == Running || s.Final() }

// Final reports whether s is a final state.
func (s State) Final() bool {
	return s == Done || s == Failed || s == Denied || s == Cancelled
}

// PhaseServing is the Phase of a service that accepts requests.
const PhaseServing = "serves"

// RestartAlways is the Restart of a service that opens again after each loss of its session.
const RestartAlways = "always"

// Job is the status of a job at one node.
type Job struct {
	ID        string `json:"id"`
	Node      string `json:"node"`
	Program   string `json:"program"` // file name of the program
	Digest    string `json:"digest"`  // SHA-256 of the program, as in policies
	Submitter string `json:"submitter"`
	Protocol  string `json:"protocol,omitempty"`
	Ring      int    `json:"ring,omitempty"`
	Fraction  int    `json:"fraction,omitempty"`
	Computing int    `json:"computing,omitempty"` // number of computing parties, the first ones of Parties
	Offline   bool   `json:"offline,omitempty"`   // the job makes correlations for a later run and runs no program
	// Arguments holds the program's arguments in order.
	Arguments   []Argument `json:"arguments,omitempty"`
	Parties     []string   `json:"parties"`
	State       State      `json:"state"`
	Phase       string     `json:"phase,omitempty"` // of a running job
	Step        int        `json:"step,omitempty"`  // number of finished steps of the phase, of Steps
	Steps       int        `json:"steps,omitempty"`
	Error       string     `json:"error,omitempty"`
	Rule        string     `json:"rule,omitempty"`         // name of the policy rule that allows the job
	Inputs      []string   `json:"inputs,omitempty"`       // names of this party's inputs
	Reveals     []Learned  `json:"reveals"`                // what the job will reveal, and to which parties
	Results     int        `json:"results"`                // number of results that can be fetched at this node
	Serve       bool       `json:"serve,omitempty"`        // the job is a service; Step is the number of requests answered
	Batch       int        `json:"batch,omitempty"`        // maximum number of requests that the service evaluates as one batch
	Answering   int        `json:"answering,omitempty"`    // number of requests that the service is evaluating
	Keep        string     `json:"keep,omitempty"`         // name under which the results are kept as shares
	Kept        []string   `json:"kept,omitempty"`         // names of the kept results that the job uses
	Resumes     string     `json:"resumes,omitempty"`      // id of the job that this one resumes
	ResumedFrom string     `json:"resumed_from,omitempty"` // place in the program from which the job resumed
	// NewestCheckpoint is the place of the newest checkpoint at this node. CheckpointError is the
	// place and the cause of a failure to write a later one.
	NewestCheckpoint string    `json:"newest_checkpoint,omitempty"`
	CheckpointError  string    `json:"checkpoint_error,omitempty"`
	Session          string    `json:"session,omitempty"`
	Submitted        time.Time `json:"submitted"`
	Started          time.Time `json:"started,omitzero"`
	Ended            time.Time `json:"ended,omitzero"`
	// Restart is RestartAlways or "". Opened is when such a service last began to accept requests, and Restarts is
	// the number of sessions that began after its first one. Loss says why it lost its last session, at LostAt.
	Restart  string    `json:"restart,omitempty"`
	Opened   time.Time `json:"opened,omitzero"`
	Restarts int       `json:"restarts,omitempty"`
	Loss     string    `json:"loss,omitempty"`
	LostAt   time.Time `json:"lost_at,omitzero"`
	// Summary says that this status is of a list, without arguments, inputs, reveals and kept results, and with
	// a short Error.
	Summary bool `json:"summary,omitempty"`
}

// Bounds of statuses. Those of many jobs must not make a list too long for clients, and no status may be too
// long by itself: its job could neither be approved nor cancelled by its id.
const (
	// maxStatus bounds the status of a job, in bytes.
	maxStatus = 4 << 20
	// maxStatusStructure bounds its structural characters: MaxArguments arguments have 3 each.
	maxStatusStructure = maxAnswerStructure * 7 / 8
	// maxSummaryError bounds Error and Loss in lists, in bytes each.
	maxSummaryError = 500
	// MaxJobs bounds the jobs of a list, maxList its bytes, maxStatusStructure its structural characters. The newest jobs are listed.
	MaxJobs = 1000
	maxList = 4 << 20
)

// CheckSize returns an error if the status of a job is too long for clients. Names that the status may get later
// are counted: of the owners of arguments.
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

// Summarize returns the status as lists hold it.
func (j Job) Summarize() Job {
	j.Arguments, j.Inputs, j.Reveals, j.Kept, j.Summary = nil, nil, nil, nil, true
	for _, text := range []*string{&j.Error, &j.Loss} {
		if len(*text) > maxSummaryError {
			*text = strings.ToValidUTF8((*text)[:maxSummaryError], "") + "…"
		}
	}
	return j
}

// AnswerJobs writes a list of jobs, the newest first. It is cut where it becomes too long; the header
// totalHeader has the number of all jobs.
func AnswerJobs(w http.ResponseWriter, jobs []Job) error {
	w.Header().Set(totalHeader, strconv.Itoa(len(jobs)))
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

// totalHeader is the header of a list of jobs that holds how many jobs there are.
const totalHeader = "Tacet-Jobs"

// Argument is an argument of a job's program.
type Argument struct {
	Type string `json:"type"`
	// Owner is the party that provides the argument; "public" if the submitter sends its value to all
	// nodes, "kept" if it is a result of an earlier job, "" while only the content of another party's
	// files says whose it is.
	Owner string `json:"owner"`
}

// Learned is something that parties learn from a job.
type Learned struct {
	What string   `json:"what"` // "result 0: tensor<10xf32>", "intermediate loss (%5): tensor<f32>, at m.mlir:9:8, 3 times"
	By   []string `json:"by"`
}

// Messages between the nodes of a job.
type (
	// Reserve asks a node to reserve a slot and, if Owners is set, the memory that the job needs.
	// Digest is the submission's digest, which must be the same at both nodes; Terms serve to name
	// the differences if it is not. Try numbers the leader's attempts, so that a late Release does
	// not free the slot of a later attempt. Version is the sender's release: nodes of release 0.1.0
	// compare it with theirs, others compare protocol numbers (CheckProtocol).
	Reserve struct {
		Version string            `json:"version"`
		Digest  string            `json:"digest"`
		Terms   map[string]string `json:"terms"`
		Try     int               `json:"try"`
		Owners  []int             `json:"owners"` // as in Start; null while unknown
		Stay    []int             `json:"stay,omitempty"`
	}
	// Reserved answers Reserve: the job's state at the node, whether a slot is reserved, why not
	// (Error), and the arguments that the node's inputs provide.
	Reserved struct {
		State State  `json:"state"`
		Slot  bool   `json:"slot"`
		Error string `json:"error,omitempty"`
		Args  []int  `json:"args,omitempty"`
		Stay  []int  `json:"stay,omitempty"` // those of Args that are resident
		// Batch is the number of requests per batch for which memory is reserved at the node.
		Batch int `json:"batch,omitempty"`
	}
	// Start starts the session for which slots are reserved at all nodes.
	Start struct {
		Session string `json:"session"`
		Owners  []int  `json:"owners"`          // by argument: rank, −1 for public
		Stay    []int  `json:"stay,omitempty"`  // resident arguments
		Batch   int    `json:"batch,omitempty"` // of a service: maximum number of requests per batch
	}
	// Release frees the slot of an attempt; if Reason is not empty, it ends the job. If Session is not empty, it
	// ends that session of a service with RestartAlways instead, and the service opens again.
	Release struct {
		Try     int    `json:"try,omitempty"`
		Reason  string `json:"reason,omitempty"`
		Session string `json:"session,omitempty"`
	}
)

// Error is the body of a refusal.
type Error struct {
	Error string `json:"error"`
}

// Health is the answer of /v1/health.
type Health struct {
	Name string `json:"name"`
	version.Info
	Draining bool `json:"draining,omitempty"` // the node is stopping and accepts no new jobs
	Running  int  `json:"running"`            // number of running jobs
	Queued   int  `json:"queued"`
	// Certificates lists until when the node's certificate and the CAs that it trusts are valid. It is
	// set at the metrics address only.
	Certificates []pki.Expiry `json:"certificates,omitempty"`
}
