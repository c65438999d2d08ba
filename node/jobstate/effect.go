package jobstate

import (
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// Effect is an action that the node carries out for a job. The effects of a step are carried out in
// order, after the new state is in force and before the next event.
type Effect struct {
	Job string // id
	Do  Action
}

// Action is what an effect does.
type Action interface{ action() }

// During names what cannot go on if an effect fails: the node then drops the effects after it and
// passes Unwritten to Step. The errors of other effects are only logged.
type During string

// What effects belong to.
const (
	Submitting During = "submitting"
	Approving  During = "approving"
	Planning   During = "planning"
	Starting   During = "starting"
	// Requests of services.
	Requesting      During = "requesting"
	RequestStarting During = "starting a request"
)

// Actions on the disk.
type (
	// Audit writes an event to the audit log.
	Audit struct {
		audit.Event
		Must During // "" if the job goes on without it
	}
	// Store makes the job's folder: its submission unless the job has ended, links to the
	// checkpoints of the job that it resumes, and its record.
	Store struct {
		Resumes string
		Must    During
	}
	// Save writes the job's record.
	Save struct{ Must During }
	// RemoveResults removes results that are placeholders or incomplete.
	RemoveResults struct{}
	// RemoveSubmission removes the submission of an ended job.
	RemoveSubmission struct{}
	// RemoveCheckpoints removes the job's checkpoints; CheckpointsRemoved follows.
	RemoveCheckpoints struct{}
	// Remove removes the folder of an ended job; Removed follows.
	Remove struct{}
	// StoreRequest makes the folder of a request.
	StoreRequest struct {
		Request string
		Must    During
	}
	// SaveRequest writes how a request has ended.
	SaveRequest struct{ Status api.RequestStatus }
	// RemoveRequest removes the folder of an ended request.
	RemoveRequest struct{ Request string }
)

// Actions within the node.
type (
	// DropInputs frees the input values that were read for the session.
	DropInputs struct{}
	// Forget frees what only a job that has not ended needs: the submission and the input values.
	Forget struct{}
	// Timer sets when the job needs a Tick; the zero time stops the timer.
	Timer struct{ At time.Time }
	// Wake wakes everything that waits for a change of the job.
	Wake struct{}
	// Log logs and counts what happened to the job.
	Log struct{ What Happened }
	// LogRequest logs and counts how a request has ended, and frees what belongs to it.
	LogRequest struct{ Status api.RequestStatus }
	// CountRun asks the policy whether the job may start now, and counts the run; Judged follows.
	CountRun struct{}
	// StopSession aborts the job's session.
	StopSession struct{ Reason string }
	// Lead begins the leader's attempts: Attempt follows, on a goroutine of the job.
	Lead struct{}
)

// Happened names a fact that is logged and counted.
type Happened string

// What is logged.
const (
	Admitted Happened = "admitted"
	Began    Happened = "began"
	Lost     Happened = "lost" // a session of a service that opens again
	Ended    Happened = "ended"
)

// Replies to the caller of the step.
type (
	// Refuse refuses what the event asked for.
	Refuse struct {
		As   Refusal
		Text string
	}
	// Reserved answers Reserve.
	Reserved struct{ api.Reserved }
	// Plan asks for a plan before Reserve can be answered: Planned follows, and Reserve again unless there is no plan.
	Plan struct{}
	// Run runs the session that Start described; SessionEnded follows.
	Run struct{}
	// Evaluate evaluates the next batch: RequestJudged and RequestEnded follow for each request, and
	// then BatchEnded. A request without an id is not at this node and is declined.
	Evaluate struct{ Requests []api.RequestRef }
	// RecordReveals writes to the audit log what the session is about to reveal, before any party
	// learns it.
	RecordReveals struct{}
)

// Refusal is the kind of a refusal.
type Refusal string

// The kinds of refusals.
const (
	Conflict    Refusal = "conflict"    // with the job's state
	Unavailable Refusal = "unavailable" // may be possible later
	Forbidden   Refusal = "forbidden"   // by the policy
	NotStored   Refusal = "not stored"  // the disk refused it
	Unknown     Refusal = "unknown"     // there is no such job
	BadRequest  Refusal = "bad request"
	Internal    Refusal = "internal"
)

// Messages of the leader to other nodes, and to its own as to another one. Release is sent in the
// background; each other action is answered by an event.
type (
	// Probe asks the node of a party whether it is alive; Probed follows.
	Probe struct{ Party string }
	// ProbeDealer asks whether the dealer is alive, unless the session can do without; DealerProbed follows.
	ProbeDealer struct{}
	// Ask sends a reserve message to the node of a rank; Answered follows. Try numbers the leader's
	// attempts. Owners holds the owner of each argument, nil while they are unknown; Stay lists the
	// resident arguments.
	Ask struct {
		Rank, Try    int
		Owners, Stay []int
	}
	// Assign determines the owners of the arguments; Assigned follows. Given lists by rank the
	// arguments that the parties' inputs provide.
	Assign struct{ Given [][]int }
	// StartAt starts the session at the node of a rank; SessionStarted follows.
	StartAt struct {
		Rank int
		api.Start
	}
	// Sleep waits for at most a time, a random part of which is left out, or until the job changes;
	// Attempt follows.
	Sleep struct{ For time.Duration }
	// Release frees the slots of an attempt at the other nodes; with a reason it ends the job there.
	Release struct{ api.Release }
)

func (Audit) action()             {}
func (Store) action()             {}
func (Save) action()              {}
func (RemoveResults) action()     {}
func (RemoveSubmission) action()  {}
func (RemoveCheckpoints) action() {}
func (Remove) action()            {}
func (DropInputs) action()        {}
func (Forget) action()            {}
func (Timer) action()             {}
func (Wake) action()              {}
func (Log) action()               {}
func (CountRun) action()          {}
func (StopSession) action()       {}
func (Lead) action()              {}
func (StoreRequest) action()      {}
func (SaveRequest) action()       {}
func (RemoveRequest) action()     {}
func (LogRequest) action()        {}
func (Evaluate) action()          {}
func (Refuse) action()            {}
func (Reserved) action()          {}
func (Plan) action()              {}
func (Run) action()               {}
func (RecordReveals) action()     {}
func (Probe) action()             {}
func (ProbeDealer) action()       {}
func (Ask) action()               {}
func (Assign) action()            {}
func (StartAt) action()           {}
func (Sleep) action()             {}
func (Release) action()           {}
