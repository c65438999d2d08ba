package jobstate

import (
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// Event is something that happens to a job or to the node: one of the event types of this package. Texts of
// errors in events must not contain paths of the node, since other nodes and submitters see them.
type Event interface{ event() }

// Events of the node; they name no job.
type (
	// Serving is the event that the node begins to serve: the jobs that were restored continue.
	Serving struct{}
	// Closing is the event that the node stops and accepts no more jobs.
	Closing struct{}
	// Aged is the event that time has passed. Step removes ended jobs and checkpoints that are too old.
	Aged struct{}
)

// Events of the control API.
type (
	// Submitted is the event that a submission was read and that the policy has judged it.
	Submitted struct {
		Job      Job             // the job; its State is not set yet
		Decision policy.Decision // the policy's decision
		Admin    bool            // the submitter is an admin, and may resume the jobs of others
	}
	// Approved is the event that the admin By approves the job. Reason is what the admin says about it, or "".
	Approved struct{ By, Reason string }
	// Declined is the event that the admin By denies the pending job, for Reason.
	Declined struct{ By, Reason string }
	// Cancelled is the event that the submitter or admin By cancels the job.
	Cancelled struct{ By string }
)

// Messages of other nodes of the job, and what this node does to answer them. The leader sends them to
// its own node too.
type (
	// Reserve is the event that the leader asks for a slot, in its attempt Try, and, if Memory is set, for the
	// memory of the session. The reply is Reserved, Plan or Refuse.
	Reserve struct {
		Try    int  // number of the leader's attempt
		Memory bool // memory is requested too
	}
	// OwnersKnown is the event that the owners of all arguments are known.
	OwnersKnown struct {
		Owners []string // by argument: name of the owner, "public" or "kept"
		Denied string   // why the policy does not allow the job with these owners; "" if it does
	}
	// Planned is the event with the result of the reply Plan: this node has planned the job and read its inputs.
	Planned struct {
		Demand Demand // memory that the session will take
		Error  string // why there is no plan; "" if there is one
	}
	// Start is the event that the leader asks this node to begin the session. The event Judged decides.
	Start struct {
		Session string        // id of the session
		Batch   int           // of a service: maximum number of requests per batch
		Inputs  []audit.Input // the input files that the session will use
	}
	// Judged is the event with the policy's decision about a start (CountRun). If the decision allows the start,
	// the run has been counted.
	Judged struct {
		Decision policy.Decision // the policy's decision, if Error is ""
		Error    string          // why there is no decision; "" if there is one
	}
	// Released is the event that a peer's api.Release message has come: it frees the slot of an attempt or, with
	// a reason, ends the job or only its session.
	Released struct {
		By      string // name of the peer
		Try     int    // number of the attempt whose slot is freed
		Reason  string // why the job or session ends; "" if only the slot is freed
		Session string // the lost session of a service that opens again; "" if Reason ends the job
	}
)

// Events of the leader's attempts. Each one answers the leader's action before it.
type (
	// Attempt is the event that starts the leader's next attempt to reserve slots at all nodes.
	Attempt struct {
		Session string // id of the session that starts if the attempt succeeds
		// Slept says that the last Sleep lasted to its end; false if a change of the job ended it early, or if
		// there was none.
		Slept bool
	}
	// Probed is the event with the result of the action Probe. If Error is "", the node has answered.
	Probed struct{ Error string }
	// DealerProbed is the event with the result of the action ProbeDealer. Error is "" if the dealer answered or
	// is not needed: the session can start.
	DealerProbed struct{ Error string }
	// Answered is the event that another node has answered the action Ask.
	Answered struct {
		Reserved api.Reserved // the answer, if Error is ""
		Error    string       // why there is no answer
		Failure  Failure      // what Error means for the job
	}
	// Assigned is the event with the result of the action Assign.
	Assigned struct {
		Owners []int  // by argument: rank of the owner, −1 for public, as in api.Start
		Error  string // why the owners cannot be determined, which ends the job; "" if they can
	}
	// SessionStarted is the event with the result of the action StartAt. An error ends the job, except that the
	// leader tries later to open again a service that has been open, unless the error is permanent.
	SessionStarted struct {
		Error   string  // why the session could not start there; "" if it did
		Failure Failure // what Error means for the job
	}
)

// Failure says what an error means with which another node's answer to a Reserve or Start message failed.
type Failure string

// What an error of another node means for the job.
const (
	Permanent Failure = "permanent" // the job cannot run and fails
	NotYet    Failure = "not yet"   // the node may reserve a slot later
	Missing   Failure = "missing"   // the node has no such job: the submission has not reached it yet, or the job was removed
	Silent    Failure = "silent"    // the node did not answer
)

// Events of a session.
type (
	// Progress is the event that the session has made progress: Done of Steps steps of the phase Phase are
	// finished.
	Progress struct {
		Phase       string // name of the phase
		Done, Steps int
		// Round is the number of rounds of the online phase that are done, Rounds the number of all, and Iteration
		// the iteration of the outermost loop that runs, from 1; 0 where they do not apply.
		Round, Rounds, Iteration int
	}
	// CheckpointWritten is the event that the session has written a checkpoint at the program point Place, or,
	// if Error is not "", that it could not.
	CheckpointWritten struct{ Place, Error string }
	// ResumedFrom is the event that the session has resumed from another job's checkpoint, at the program point
	// Place. Own says whether this party has shares in the checkpoint.
	ResumedFrom struct {
		Place string // program point of the checkpoint
		Own   bool   // this party has shares in the checkpoint
	}
	// NotConnected is the event that the connections between the parties could not be made, so that no session
	// exists by which the other parties could learn of the failure. Step lets the node tell them by the action
	// Release.
	NotConnected struct{ Error string }
	// SessionEnded is the event that the session has ended: done if Error is "", failed or cancelled otherwise.
	// Results is the number of results that this party has learned.
	SessionEnded struct {
		Error   string // why the session failed; "" if it is done
		Results int    // number of results that this party has learned
	}
)

// Events of services and of their requests.
type (
	// Serves is the event that the service is open and accepts requests from now on.
	Serves struct{}
	// RequestSubmitted is the event that the service's submitter has sent a request and that the policy has
	// judged it.
	RequestSubmitted struct {
		Request  Request         // the request; only its id, digest and inputs are set
		Decision policy.Decision // the policy's decision
	}
	// Announced is the event that the leader of a service announces the requests of the next batch.
	Announced struct{ Requests []api.RequestRef }
	// NextBatch is the event that the service's session is ready for the next batch. The reply Evaluate follows
	// once there is a batch.
	NextBatch struct{}
	// RequestJudged is the event with the policy's decision about the start of a request of a batch. If the
	// decision allows the start, the run has been counted.
	RequestJudged struct {
		Request  string          // id of the request
		Decision policy.Decision // the policy's decision
		Inputs   []audit.Input   // the input files that the request uses
	}
	// RequestEnded is the event that the request with the id Request has ended: done if Error is "", failed
	// otherwise. Results is the number of results that this party has learned.
	RequestEnded struct {
		Request, Error string
		Results        int // number of results that this party has learned
	}
	// BatchEnded is the event that all requests of the batch have ended.
	BatchEnded struct{}
	// RequestLost is the event that a restarted node has found a stored request that was queued or running when
	// the process ended. Step ends the request as failed.
	RequestLost struct{ Request api.RequestStatus }
)

// Events of time and of the disk.
type (
	// Tick is the event that the time has come that the action Timer has named.
	Tick struct{}
	// Restored is the event that the job was read from disk when the process started.
	Restored struct {
		Job Job // the job as it was stored
		// Problem says why the job cannot continue; "" if it can. Checkpoint is the program point of the newest
		// checkpoint of a job that was running.
		Problem, Checkpoint string
	}
	// Unwritten is the event that an effect with a During has failed; the effects after it were not carried out.
	Unwritten struct {
		During  During // what must not continue
		Request string // id of the request that the effect concerns; "" for none
		Record  bool   // the job's record could not be written; otherwise it was the audit log or a folder
		Exists  bool   // the folder of the request exists already
		Error   string // why the effect failed
	}
	// Removed is the event that the folder of an ended job was removed.
	Removed struct{}
	// CheckpointsRemoved is the event that a job's checkpoints were removed, because the job, or one that
	// resumed it, is done.
	CheckpointsRemoved struct{}
)

func (Serving) event()            {}
func (Closing) event()            {}
func (Aged) event()               {}
func (Submitted) event()          {}
func (Approved) event()           {}
func (Declined) event()           {}
func (Cancelled) event()          {}
func (Reserve) event()            {}
func (OwnersKnown) event()        {}
func (Planned) event()            {}
func (Start) event()              {}
func (Judged) event()             {}
func (Released) event()           {}
func (Attempt) event()            {}
func (Probed) event()             {}
func (DealerProbed) event()       {}
func (Answered) event()           {}
func (Assigned) event()           {}
func (SessionStarted) event()     {}
func (Progress) event()           {}
func (CheckpointWritten) event()  {}
func (ResumedFrom) event()        {}
func (NotConnected) event()       {}
func (Serves) event()             {}
func (RequestSubmitted) event()   {}
func (Announced) event()          {}
func (NextBatch) event()          {}
func (RequestJudged) event()      {}
func (RequestEnded) event()       {}
func (BatchEnded) event()         {}
func (RequestLost) event()        {}
func (SessionEnded) event()       {}
func (Tick) event()               {}
func (Restored) event()           {}
func (Unwritten) event()          {}
func (Removed) event()            {}
func (CheckpointsRemoved) event() {}
