package jobstate

import (
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// Effect is an action that the node must carry out for a job. The node carries out the effects of a step in
// order, after the new state is in force and before the next event.
type Effect struct {
	Job string // id of the job
	Do  Action // the action
}

// Action is something that the node does to carry out an effect: one of the action types of this package.
type Action interface{ action() }

// During names what must not continue if an effect fails. The node then drops the effects after the failed one
// and calls Step with the event Unwritten. If During is "", the node only logs the error.
type During string

// What cannot continue if an effect fails.
const (
	Submitting      During = "submitting"         // the acceptance of a submission
	Approving       During = "approving"          // the approval of a job
	Planning        During = "planning"           // the planning of a job
	Starting        During = "starting"           // the start of a session
	Requesting      During = "requesting"         // the acceptance of a request to a service
	RequestStarting During = "starting a request" // the start of a request's evaluation
)

// Actions on the disk.
type (
	// Audit is the action that writes the event Event to the audit log.
	Audit struct {
		audit.Event
		Must During // what must not continue if this fails; "" if the job continues
	}
	// Store is the action that makes the job's folder. It writes the submission (unless the job has ended),
	// links to the checkpoints of the job with the id Resumes, if that is not "", and the job's record.
	Store struct {
		Resumes string // id of the job that this one resumes; "" for none
		Must    During // what must not continue if this fails
	}
	// Save is the action that writes the job's record to disk. Must says what must not continue if this fails;
	// "" if the job continues.
	Save struct{ Must During }
	// RemoveResults is the action that removes the folder of the job's results, which is incomplete because the
	// job did not succeed.
	RemoveResults struct{}
	// RemoveSubmission is the action that removes the stored submission of an ended job.
	RemoveSubmission struct{}
	// RemoveCheckpoints is the action that removes the job's checkpoints. The event CheckpointsRemoved follows.
	RemoveCheckpoints struct{}
	// Remove is the action that removes the folder of an ended job. The event Removed follows.
	Remove struct{}
	// StoreRequest is the action that makes the folder of the request with the id Request.
	StoreRequest struct {
		Request string // id of the request
		Must    During // what must not continue if this fails
	}
	// SaveRequest is the action that stores Status, the final status of a request to a service, on disk.
	SaveRequest struct{ Status api.RequestStatus }
	// RemoveRequest is the action that removes the folder of the ended request with the id Request.
	RemoveRequest struct{ Request string }
)

// Actions within the node.
type (
	// DropInputs is the action that frees the input values that the node has read for the session.
	DropInputs struct{}
	// Forget is the action that frees the memory that only a job which has not ended needs: its submission and
	// input values.
	Forget struct{}
	// Timer is the action that sets the time at which the job needs the event Tick. The zero time stops the
	// timer.
	Timer struct{ At time.Time }
	// Wake is the action that wakes all goroutines that wait for a change of the job.
	Wake struct{}
	// Log is the action that logs What about the job and counts it in the metrics.
	Log struct{ What Happened }
	// LogRequest is the action that logs and counts how a request has ended, and frees the memory of the
	// request.
	LogRequest struct{ Status api.RequestStatus }
	// CountRun is the action that asks the policy whether the job may start now and, if so, counts the run. The
	// event Judged follows.
	CountRun struct{}
	// StopSession is the action that aborts the job's session, for this reason.
	StopSession struct{ Reason string }
	// Lead is the action that starts a goroutine for the leader's attempts. The event Attempt follows.
	Lead struct{}
)

// Happened names a fact about a job that the node logs and counts in its metrics.
type Happened string

// The facts that the node logs.
const (
	Admitted Happened = "admitted" // the submission was accepted, or denied by the policy
	Began    Happened = "began"    // the session began
	Lost     Happened = "lost"     // a service that opens again lost its session
	Ended    Happened = "ended"    // the job ended
)

// Replies to the caller of the step.
type (
	// Refuse is the reply that the node refuses the event, with the HTTP status for As and the reason Text.
	Refuse struct {
		As   Refusal // kind of the refusal
		Text string  // reason, which the sender of the message sees
	}
	// Reserved is the reply that answers Reserve.
	Reserved struct{ api.Reserved }
	// Plan is the reply that the node must plan the job before Reserve can be answered. The event Planned
	// follows and, if there is a plan, Reserve again.
	Plan struct{}
	// Run is the reply that the node must run the session that the event Start described. The event SessionEnded
	// follows.
	Run struct{}
	// Evaluate is the reply that makes the session evaluate the next batch of requests. The events RequestJudged
	// and RequestEnded follow for each request, and then BatchEnded. A request whose id is "" is not at this
	// node, and the node declines it.
	Evaluate struct{ Requests []api.RequestRef }
	// RecordReveals is the reply that the node must write to the audit log what the session is about to reveal,
	// before any party learns it.
	RecordReveals struct{}
)

// Refusal is the kind of a refusal: why the node refuses an event. It determines the HTTP status of the answer.
type Refusal string

// The reasons for which the node refuses an event.
const (
	Conflict    Refusal = "conflict"    // the job's state does not permit it
	Unavailable Refusal = "unavailable" // it may be possible later
	Forbidden   Refusal = "forbidden"   // the policy forbids it
	NotStored   Refusal = "not stored"  // the node could not write to its disk
	Unknown     Refusal = "unknown"     // there is no such job
	BadRequest  Refusal = "bad request" // the message is invalid
	Internal    Refusal = "internal"    // the node failed: the record of an approval could not be written
)

// Messages of the leader to other nodes, and to its own as to another one. Release is sent in the
// background; each other action is answered by an event.
type (
	// Probe is the leader's action that asks the node of the party named Party whether it is alive. The event
	// Probed follows.
	Probe struct{ Party string }
	// ProbeDealer is the leader's action that asks whether the dealer is alive, unless the session does not need
	// it. The event DealerProbed follows.
	ProbeDealer struct{}
	// Ask is the leader's action that sends an api.Reserve message to the node of rank Rank. The event Answered
	// follows.
	Ask struct {
		// Rank is the rank of the node that is asked, and Try the number of the leader's attempt.
		Rank, Try int
		// Owners has the owner of each argument, as in api.Start, and is nil as long as they are unknown; Stay
		// lists the resident arguments.
		Owners, Stay []int
	}
	// Assign is the leader's action that determines the owners of the arguments. Given[rank] lists the numbers
	// of the arguments that the inputs of that party provide. The event Assigned follows.
	Assign struct{ Given [][]int }
	// StartAt is the leader's action that sends the api.Start message to the node of rank Rank. The event
	// SessionStarted follows.
	StartAt struct {
		Rank int
		api.Start
	}
	// Sleep is the leader's action that waits, until the job changes or at most For, minus a random part of up
	// to a half. The event Attempt follows.
	Sleep struct{ For time.Duration }
	// Release is the leader's action that sends an api.Release message to the other nodes, in the background. It
	// frees the slots of an attempt there; with a reason it ends the job there.
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
