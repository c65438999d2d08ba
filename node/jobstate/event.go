package jobstate

import (
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// Event is something that happens to a job, or to the node. Texts of errors in events must not contain
// paths of the node.
type Event interface{ event() }

// Events of the node; they name no job.
type (
	// Serving: the node begins to serve. The jobs that were restored are led or watched.
	Serving struct{}
	// Closing: the node stops and accepts no more jobs.
	Closing struct{}
	// Aged: time has passed. Ended jobs and checkpoints that are too old are removed.
	Aged struct{}
)

// Events of the control API.
type (
	// Submitted: a submission was read and judged. Job.State is not set yet.
	Submitted struct {
		Job      Job
		Decision policy.Decision
		Admin    bool // the submitter is an admin, and may resume the jobs of others
	}
	// Approved: an admin approves the job.
	Approved struct{ By string }
	// Cancelled: the submitter or an admin cancels the job.
	Cancelled struct{ By string }
)

// Messages of other nodes of the job, and what this node does to answer them. The leader sends them to
// its own node too.
type (
	// Reserve asks for a slot and, if Memory is set, for the memory of the session.
	Reserve struct {
		Try    int
		Memory bool
	}
	// OwnersKnown: the owners of all arguments are known, by argument. Denied is the reason for which the
	// policy does not allow the job with them; "" if it does.
	OwnersKnown struct {
		Owners []string
		Denied string
	}
	// Planned answers Plan: the job was planned here, and its inputs were read. With an error it has no plan.
	Planned struct {
		Demand Demand
		Error  string
	}
	// Start asks to begin the session. Inputs are the input files that the session will use.
	Start struct {
		Session string
		Batch   int
		Inputs  []audit.Input
	}
	// Judged is the policy's decision about a start. If it allows the start, the run is counted. With
	// an error there is no decision.
	Judged struct {
		Decision policy.Decision
		Error    string
	}
	// Released: a peer frees the slot of an attempt, or, with a reason, ends the job, or only its session.
	Released struct {
		By      string
		Try     int
		Reason  string
		Session string // the session that is lost, of a service that opens again; "" if Reason ends the job
	}
)

// Events of the leader's attempts. Each one answers the leader's action before it.
type (
	// Attempt begins an attempt to reserve slots at all nodes. Session is the id of the session that
	// follows if the attempt succeeds. Slept is true if the last Sleep lasted to its end, and false if
	// a change of the job ended it early.
	Attempt struct {
		Session string
		Slept   bool
	}
	// Probed is the result of Probe. If Error is empty, the node, which had been silent, has answered.
	Probed struct{ Error string }
	// DealerProbed answers ProbeDealer. Without an error the session can start.
	DealerProbed struct{ Error string }
	// Answered answers Ask.
	Answered struct {
		Reserved api.Reserved
		Error    string
		Failure  Failure // what Error means
	}
	// Assigned answers Assign: the owner of each argument, or an error that ends the job.
	Assigned struct {
		Owners []int
		Error  string
	}
	// SessionStarted answers StartAt. An error ends the job; but a service that opens again is tried again
	// later unless the error is permanent.
	SessionStarted struct {
		Error   string
		Failure Failure // what Error means
	}
)

// Failure is the meaning of an error that a message to reserve a slot or to start was answered with.
type Failure string

// The failures.
const (
	Permanent Failure = "permanent" // the job cannot run
	NotYet    Failure = "not yet"   // the node may reserve a slot later
	Missing   Failure = "missing"   // the node has no such job: the submission has not reached it yet, or the job was removed
	Silent    Failure = "silent"    // the node did not answer
)

// Events of a session.
type (
	// Progress is the session's progress.
	Progress struct {
		Phase       string
		Done, Steps int
	}
	// CheckpointWritten: a checkpoint was written at a place, or not, because of an error.
	CheckpointWritten struct{ Place, Error string }
	// ResumedFrom: the session resumed from another job's checkpoint. Place is the checkpoint's place in
	// the program. Own says whether this party has shares of it.
	ResumedFrom struct {
		Place string
		Own   bool
	}
	// NotConnected: the parties could not be connected. No session exists that could carry the abort.
	NotConnected struct{ Error string }
	// SessionEnded: the session has ended, with an error unless it is done. Results is the number of
	// results that this party learned.
	SessionEnded struct {
		Error   string
		Results int
	}
)

// Events of services and of their requests.
type (
	// Serves: the service accepts requests from now on.
	Serves struct{}
	// RequestSubmitted: the service's submitter sent a request, and it was judged. Only the request's
	// id, digest and inputs are set.
	RequestSubmitted struct {
		Request  Request
		Decision policy.Decision
	}
	// Announced: the leader announces the requests of the next batch.
	Announced struct{ Requests []api.RequestRef }
	// NextBatch: the service is ready for the next batch; Evaluate follows once there is one.
	NextBatch struct{}
	// RequestJudged is the policy's decision about the start of a request of a batch. If it allows
	// the start, the run is counted. Inputs are the input files that the request uses.
	RequestJudged struct {
		Request  string
		Decision policy.Decision
		Inputs   []audit.Input
	}
	// RequestEnded: a request of a batch has ended, with an error unless it is done.
	RequestEnded struct {
		Request, Error string
		Results        int
	}
	// BatchEnded: the requests of the batch have ended.
	BatchEnded struct{}
	// RequestLost: the request was queued or running when the process ended. Its service has failed.
	RequestLost struct{ Request api.RequestStatus }
)

// Events of time and of the disk.
type (
	// Tick: a time that Timer has named has come.
	Tick struct{}
	// Restored: the job was read from disk when the process started. With a problem it cannot go on.
	// Checkpoint is the place of the newest checkpoint of a job that was running.
	Restored struct {
		Job                 Job
		Problem, Checkpoint string
	}
	// Unwritten: an effect that had to succeed failed, and the effects after it were not carried out.
	Unwritten struct {
		During  During
		Request string // id of the request that the effect concerns
		Record  bool   // the job's record could not be written; otherwise the audit log or a folder
		Exists  bool   // the folder of the request exists already
		Error   string
	}
	// Removed: the folder of an ended job was removed.
	Removed struct{}
	// CheckpointsRemoved: the checkpoints of a job were removed, because it, or a job that resumed it,
	// is done.
	CheckpointsRemoved struct{}
)

func (Serving) event()            {}
func (Closing) event()            {}
func (Aged) event()               {}
func (Submitted) event()          {}
func (Approved) event()           {}
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
