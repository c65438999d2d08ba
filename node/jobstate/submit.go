package jobstate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Stopping is the text of the reason for which a node that stops refuses and aborts jobs.
const Stopping = "the node is stopping"

// submitted admits a submission as a job: pending, queued or denied.
func (x *transition) submitted(e Submitted) {
	j := e.Job
	refuse := func(as Refusal, format string, args ...any) { x.do(&j, Refuse{as, fmt.Sprintf(format, args...)}) }
	if x.Closed {
		refuse(Unavailable, Stopping)
		return
	}
	if x.Job(j.ID) != nil {
		refuse(Conflict, "job %s is being submitted by another call", j.ID)
		return
	}
	denied := e.Decision.Verdict == policy.Denied
	if j.Resumes != "" && !denied {
		if why := x.notResumable(&j, e.Admin); why != "" {
			refuse(Conflict, "%s", why)
			return
		}
	}
	if n := x.Of(j.Submitter); n >= x.Limits.Queue && !denied {
		refuse(Unavailable, "%s has %d jobs at %s that have not ended, the maximum (limits: queue; try again later)", j.Submitter, n, x.Limits.Node)
		return
	}
	if as, why := x.noRoom(&j); why != "" && !denied {
		refuse(as, "%s", why)
		return
	}
	j.Rule, j.Fetch = e.Decision.Rule, e.Decision.Fetch
	switch e.Decision.Verdict {
	case policy.Allowed:
		j.State = api.Queued
	case policy.NeedsApproval:
		j.State = api.Pending
	default:
		j.State, j.Ended, j.Unstored = api.Denied, x.now, true
		j.Error = "the policy of " + x.Limits.Node + " does not allow it: " + e.Decision.Reason
	}
	x.put(&j)
	x.do(&j, x.audit(&j, audit.Event{Kind: audit.Submitted, Actor: j.Submitter, Programs: j.Programs}, Submitting))
	if denied {
		x.do(&j, x.audit(&j, audit.Event{Kind: audit.Denied, Actor: j.Submitter, Reason: e.Decision.Reason}, Submitting))
		x.do(&j, Forget{})
	} else {
		x.do(&j, Store{Resumes: j.Resumes, Must: Submitting})
	}
	x.prune(&j)
	x.do(&j, Log{Admitted})
	if !denied && j.Leads() {
		x.do(&j, Lead{})
	}
}

// noRoom says why there is no memory for the submission of j until j has ended; "" if there is.
func (x *transition) noRoom(j *Job) (Refusal, string) {
	own, all := x.Held(j.Submitter)
	size, node := yamlfile.FormatSize, x.Limits.Node
	switch {
	case j.Held > min(x.Limits.Submitter, x.Limits.Submissions):
		return BadRequest, fmt.Sprintf("the submission takes %s of memory at %s until the job has ended; those of one submitter may take %s "+
			"(limits: submissions_per_submitter; let owners' files hold large public inputs)", size(j.Held), node, size(x.Limits.Submitter))
	case own+j.Held > x.Limits.Submitter:
		return Unavailable, fmt.Sprintf("the submission takes %s of memory, and those of %s at %s that have not ended take %s of the %s that they may take "+
			"(limits: submissions_per_submitter; try again when one has ended)", size(j.Held), j.Submitter, node, size(own), size(x.Limits.Submitter))
	case all+j.Held > x.Limits.Submissions:
		return Unavailable, fmt.Sprintf("the submission takes %s of memory, and %s has too little left for submissions of jobs that have not ended "+
			"(limits: submissions; try again later)", size(j.Held), node)
	}
	return "", ""
}

// notResumable says why j may not resume the job that it names; "" if it may.
func (x *transition) notResumable(j *Job, admin bool) string {
	old := x.Job(j.Resumes)
	switch {
	case old == nil || old.Submitter != j.Submitter && !admin && !slices.Contains(old.Fetch, j.Submitter):
		return fmt.Sprintf("there is no job %.40q of %s at %s to resume (jobs and their checkpoints are kept until the job is done or pruned)",
			j.Resumes, j.Submitter, x.Limits.Node)
	case old.State != api.Failed && old.State != api.Cancelled:
		return fmt.Sprintf("job %.8s is %s at %s; only failed and cancelled jobs can be resumed", old.ID, old.State, x.Limits.Node)
	case old.Digest != j.Digest:
		return fmt.Sprintf("job %.8s ran another program (%.15s, not %.15s)", old.ID, old.Digest, j.Digest)
	}
	return ""
}

// keptDenied is how many jobs of a submitter that were denied when they were submitted stay in the state, so
// that the submitter and the other nodes of these jobs can ask for the reason.
const keptDenied = 10

// prune removes the jobs of a submitter that ended first while more than Limits.Keep have ended, and all but
// the last keptDenied that were never stored. The job that is being admitted stays, and other submitters'
// jobs do. The audit log still lists them. A job stays in the state until its folder is removed.
func (x *transition) prune(admitted *Job) {
	var stored, unstored []*Job
	for _, j := range x.ended.all() {
		switch {
		case j.Submitter != admitted.Submitter:
		case j.Unstored:
			unstored = append(unstored, j)
		default:
			stored = append(stored, j)
		}
	}
	x.removeFirst(stored, x.Limits.Keep, admitted)
	x.removeFirst(unstored, keptDenied, admitted)
}

// removeFirst removes those of ended jobs that ended first, until at most keep are left.
func (x *transition) removeFirst(ended []*Job, keep int, admitted *Job) {
	slices.SortFunc(ended, func(a, b *Job) int {
		return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.ID, b.ID))
	})
	for _, j := range ended[:max(0, len(ended)-keep)] {
		if j.ID != admitted.ID {
			x.do(j, Remove{})
		}
	}
}

// approved changes a pending job to queued.
func (x *transition) approved(j *Job, e Approved) {
	if j.State != api.Pending {
		x.do(j, Refuse{Conflict, fmt.Sprintf("job %s is %s: only pending jobs are approved", j.ID, j.State)})
		return
	}
	j.Approved, j.State = true, api.Queued
	x.put(j)
	approved := audit.Event{Kind: audit.Approved, Actor: e.By, Reason: e.Reason, Terms: termsOf(j)}
	x.do(j, x.audit(j, approved, Approving), Save{Must: Approving}, Wake{})
}

// declined ends a pending job as denied. The other nodes learn of it as of a denial by the policy.
func (x *transition) declined(j *Job, e Declined) {
	if j.State != api.Pending {
		x.do(j, Refuse{Conflict, fmt.Sprintf("job %s is %s: only pending jobs are denied (cancel it)", j.ID, j.State)})
		return
	}
	reason := fmt.Sprintf("denied by %s at %s", e.By, x.Limits.Node)
	if e.Reason != "" {
		reason += ": " + e.Reason
	}
	x.endBy(j, api.Denied, reason, e.By)
}

// cancelled ends a job at this node. The other parties of a running job learn of it because their
// session is aborted.
func (x *transition) cancelled(j *Job, e Cancelled) {
	reason := fmt.Sprintf("cancelled by %s at %s", e.By, x.Limits.Node)
	switch {
	case j.State.Final():
		x.do(j, Refuse{Conflict, fmt.Sprintf("job %s is %s already", j.ID, j.State)})
	case j.State == api.Running:
		x.stop(j, Stopped{Reason: reason, Cancelled: true})
	default:
		x.end(j, api.Cancelled, reason)
		if j.reopens() && !j.Leads() { // the leader tells the others when its wait ends, which is now
			x.release(j, j.Error)
		}
	}
}

// stop tells a running session to stop, unless it was told before. What ends the job counts more than what
// ends only the session.
func (x *transition) stop(j *Job, why Stopped) {
	if j.Stopped.Reason != "" && (why.Lost || !j.Stopped.Lost) {
		return
	}
	j.Stopped = why
	x.put(j)
	x.do(j, StopSession{why.Reason})
}
