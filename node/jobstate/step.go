package jobstate

import (
	"fmt"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// Step returns the state after event e at time now, and the effects of e in the order in which the node must
// carry them out. id is the job that the event concerns; "" for events of the node. s is not changed.
func Step(s State, now time.Time, id string, e Event) (State, []Effect) {
	x := &transition{State: s, now: now}
	switch e := e.(type) {
	case Serving:
		x.serving()
		return x.State, x.effects
	case Closing:
		x.Closed = true
		return x.State, nil
	case Aged:
		x.aged()
		return x.State, x.effects
	case Submitted:
		x.submitted(e)
	case Restored:
		x.restored(e)
		return x.State, x.effects
	default:
		old := s.Job(id)
		if old == nil {
			x.effects = append(x.effects, Effect{id, Refuse{Unknown, fmt.Sprintf("there is no job %.40q at %s any more", id, s.Limits.Node)}})
			return x.State, x.effects
		}
		j := *old
		x.job(&j, e)
	}
	_, tick := e.(Tick)
	if at := x.deadline(x.Job(id)); tick || !at.Equal(s.deadline(s.Job(id))) {
		x.effects = slices.Insert(x.effects, 0, Effect{id, Timer{at}}) // first: the effects after one that fails are dropped
	}
	return x.State, x.effects
}

// job applies an event to a job that exists. j is a copy that the event may change.
func (x *transition) job(j *Job, e Event) {
	if x.led(j, e) || x.session(j, e) || x.served(j, e) {
		return
	}
	switch e := e.(type) {
	case Approved:
		x.approved(j, e)
	case Declined:
		x.declined(j, e)
	case Cancelled:
		x.cancelled(j, e)
	case Reserve:
		x.reserve(j, e)
	case OwnersKnown:
		x.ownersKnown(j, e)
	case Planned:
		x.planned(j, e)
	case Start:
		x.start(j, e)
	case Judged:
		x.judged(j, e)
	case Released:
		x.released(j, e)
	case Tick:
		x.tick(j)
	case Unwritten:
		x.unwritten(j, e)
	case Removed:
		if j.State.Final() {
			x.remove(j.ID)
		}
	case CheckpointsRemoved:
		if (j.NewestCheckpoint != "" || j.CheckpointError != "") && !(x.ownsNoCheckpoint(j) && x.Job(j.Resumes).NewestCheckpoint != "") {
			j.NewestCheckpoint, j.CheckpointError = "", ""
			x.put(j)
			x.do(j, Save{})
		}
	}
}

// ownersKnown records the owners of the arguments, and ends a job that the policy does not allow with them.
// A job that runs was judged at its start.
func (x *transition) ownersKnown(j *Job, e OwnersKnown) {
	if j.State != api.Pending && j.State != api.Queued {
		return
	}
	arguments := slices.Clone(j.Arguments)
	for i := range min(len(arguments), len(e.Owners)) {
		arguments[i].Owner = e.Owners[i]
	}
	j.Arguments = arguments
	x.put(j)
	if e.Denied != "" {
		x.end(j, api.Denied, fmt.Sprintf("the policy of %s does not allow it: %s", x.Limits.Node, e.Denied))
		x.do(j, Refuse{Forbidden, j.Error})
	}
}

// serving leads or watches the jobs that were restored.
func (x *transition) serving() {
	for _, id := range x.openIDs() {
		if j := x.open[id]; j.Leads() {
			x.do(j, Lead{})
		} else {
			x.do(j, Timer{x.deadline(j)})
		}
	}
}

// aged removes the jobs that ended Limits.Results ago or earlier, and the checkpoints of those that ended
// Limits.Checkpoints ago or earlier.
func (x *transition) aged() {
	for _, id := range x.ended.ids() {
		j := x.ended.job(id)
		old := func(limit time.Duration) bool { return limit > 0 && x.now.Sub(j.Ended) >= limit }
		switch {
		case old(x.Limits.Results):
			x.do(j, Remove{})
		case old(x.Limits.Checkpoints) && j.NewestCheckpoint != "":
			x.do(j, RemoveCheckpoints{})
		}
	}
}

// tick does what is due: it frees a slot that the leader has not renewed, fails requests that have
// waited too long, and fails a job that the leader has not started. The leader may be gone, or unable to report that it failed.
func (x *transition) tick(j *Job) {
	if !j.SlotEnds.IsZero() && !x.now.Before(j.SlotEnds) {
		x.unreserve(j)
		x.put(j)
	}
	x.expireRequests(j)
	if !j.Leads() && !j.State.Final() && j.State != api.Running && !x.now.Before(x.startDeadline(j)) {
		if j.reopens() {
			x.end(j, api.Failed, fmt.Sprintf("not opened again: %s (rank 0, which opens it) was silent for %v; the service had lost its session: %s",
				j.Parties[0], reopenSilence, j.Loss))
			return
		}
		x.end(j, api.Failed, fmt.Sprintf("not started within %v, and %s (rank 0, which starts the job) gave no reason",
			x.Limits.Wait, j.Parties[0]))
	}
}

// unwritten goes on where an effect has failed that had to succeed.
func (x *transition) unwritten(j *Job, e Unwritten) {
	as := NotStored
	switch e.During {
	case Submitting:
		x.remove(j.ID)
	case Approving:
		if e.Record {
			as = Internal
		}
		j.Approved, j.State = false, api.Pending
		x.put(j)
	case Planning:
		j.Planning = false
		x.put(j)
	case Starting: // a run that is not in the audit log must not happen
		x.end(j, api.Failed, e.Error)
	case Requesting:
		if j.Request(e.Request) != nil {
			x.forgetRequest(j, e.Request)
		}
		if e.Error = fmt.Sprintf("request %s cannot be stored: %s", e.Request, e.Error); e.Exists {
			as, e.Error = Conflict, fmt.Sprintf(requestExists, e.Request)
		}
	}
	x.do(j, Refuse{as, e.Error})
}

// restored enters a job that was read from disk. A session cannot be continued: a job that was running
// becomes failed, but a service that opens again waits for that. A job that was being planned fails too:
// planning it may be what ended the process, and would end it again.
func (x *transition) restored(e Restored) {
	j := e.Job
	x.put(&j)
	switch {
	case j.State.Final():
	case j.Planning:
		x.end(&j, api.Failed, fmt.Sprintf("the process of %s's node ended while it planned the job, which may have used up the machine's memory; "+
			"the job is not planned again (its log says why the process ended; limits: plan_memory bounds what planning takes)", x.Limits.Node))
	case e.Problem != "":
		x.end(&j, api.Failed, e.Problem)
	case j.reopens() && j.State == api.Running:
		x.requeue(&j, fmt.Sprintf("the node of %s was stopped while the service was open", x.Limits.Node))
	case j.reopens():
		x.heard(&j)
	case j.State == api.Running:
		j.NewestCheckpoint = e.Checkpoint
		x.end(&j, api.Failed, fmt.Sprintf("the node of %s was stopped while the job ran", x.Limits.Node))
	}
}

// end puts a job into a final state, unless it is in one. j is the caller's copy.
func (x *transition) end(j *Job, to api.State, reason string) { x.endBy(j, to, reason, "") }

// endBy is end for a job that the admin by has ended; "" if no admin did.
func (x *transition) endBy(j *Job, to api.State, reason, by string) {
	if j.State.Final() {
		return
	}
	j.Planning = false
	j.Slot, j.SlotEnds, j.Reserved, j.starting, j.service = false, time.Time{}, 0, nil, nil
	j.State, j.Error, j.Phase, j.Step, j.Steps, j.Answering, j.Ended = to, reason, "", 0, 0, 0, x.now
	j.Round, j.Rounds, j.Iteration = 0, 0, 0
	if to == api.Done { // a job that is done cannot be resumed
		j.NewestCheckpoint, j.CheckpointError = "", ""
	}
	ended := *j
	x.put(&ended)
	x.do(j, Forget{}, Wake{})
	if to != api.Done {
		x.do(j, RemoveResults{})
	}
	x.do(j, Save{}, x.audit(j, audit.Event{Kind: endKinds[to], Actor: by, Reason: reason}, ""), RemoveSubmission{}, Log{Ended})
	if to != api.Done && x.ownsNoCheckpoint(j) {
		x.do(j, RemoveCheckpoints{})
	}
}

// ownsNoCheckpoint reports whether a job has no checkpoints but those of the job that it resumes, which is
// still there: a job that resumes this one takes them.
func (x *transition) ownsNoCheckpoint(j *Job) bool {
	return j.Resumes != "" && (j.NewestCheckpoint == "" || j.NewestCheckpoint == j.ResumedFrom) && x.Job(j.Resumes) != nil
}

// endKinds are the kinds of audit events of the final states.
var endKinds = map[api.State]audit.Kind{
	api.Done: audit.Finished, api.Failed: audit.Failed, api.Denied: audit.Denied, api.Cancelled: audit.Cancelled,
}
