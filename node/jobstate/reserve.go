package jobstate

import (
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// reserve reserves a slot if one is free or held already, and memory if the event asks for it. The
// answer says whether it did, and why not. A job without a slot must hold no input values in memory.
func (x *transition) reserve(j *Job, e Reserve) {
	x.heard(j)
	if e.Memory && j.State.Final() {
		x.do(j, Refuse{Conflict, fmt.Sprintf("job %s is %s at %s: %s", j.ID, j.State, x.Limits.Node, j.Error)})
		return
	}
	if e.Memory && j.Demand.Base == 0 {
		x.plan(j)
		return
	}
	r := api.Reserved{State: j.State, Error: j.Error}
	if !j.State.Final() {
		j.Try, r.Args, r.Stay = e.Try, j.Args, j.Stay
		x.take(j, e, &r)
		x.put(j)
		if !r.Slot {
			x.do(j, DropInputs{})
		}
	}
	x.do(j, Reserved{r})
}

// plan begins to plan a job. That the job is being planned is stored first: if planning it ends the process, because the
// system's memory is used up or for another reason, the job is not planned again.
func (x *transition) plan(j *Job) {
	if j.Planning {
		x.do(j, Refuse{Unavailable, fmt.Sprintf("job %s is being planned at %s", j.ID, x.Limits.Node)})
		return
	}
	j.Planning = true
	x.put(j)
	x.do(j, Save{Must: Planning}, Plan{})
}

// planned ends the planning of a job.
func (x *transition) planned(j *Job, e Planned) {
	if j.State.Final() {
		return
	}
	if e.Error == "" {
		j.Demand = e.Demand
	}
	marked := j.Planning
	j.Planning = false
	x.put(j)
	if marked {
		x.do(j, Save{})
	}
}

// take reserves a slot, and memory if the event asks for it, and enters the outcome into the answer.
func (x *transition) take(j *Job, e Reserve, r *api.Reserved) {
	switch {
	case j.State == api.Running && j.reopens():
		r.Error = "its last session has not ended there"
		return
	case j.State != api.Queued:
		return
	case x.Closed:
		r.Error = Stopping
		return
	case !j.Slot && x.FreeSlots() == 0:
		r.Error = fmt.Sprintf("all %d slots are in use (limits: jobs)", x.Limits.Jobs)
		return
	}
	if most := x.Limits.Each; !j.Slot && most > 0 && x.slotsOf(j.Submitter) >= most {
		r.Error = fmt.Sprintf("all %d slots of %s are in use (limits: jobs_per_submitter)", most, j.Submitter)
		return
	}
	j.Slot, j.SlotEnds = true, x.now.Add(x.Limits.SlotTimeout)
	if !e.Memory {
		r.Slot = true
		return
	}
	free, rest := x.freeMemoryFor(j)
	if need := j.Demand.ForBatch(1); need > rest && x.Limits.MemoryEach > 0 {
		r.Error = fmt.Sprintf("the job needs %s of memory according to its plan; %s are free of what jobs of %s may take (limits: memory_per_submitter)",
			yamlfile.FormatSize(need), yamlfile.FormatSize(max(0, rest)), j.Submitter)
		return
	}
	free = min(free, rest)
	if need := j.Demand.ForBatch(1); need > free {
		r.Error = fmt.Sprintf("the job needs %s of memory according to its plan; %s are free",
			yamlfile.FormatSize(need), yamlfile.FormatSize(x.FreeMemory()))
		return
	}
	r.Slot, r.Batch = true, 1
	for r.Batch < min(j.MaxBatch, x.Limits.Batch) && j.Demand.ForBatch(r.Batch+1) <= free {
		r.Batch++
	}
	j.Reserved = j.Demand.ForBatch(r.Batch)
}

// unreserve frees a job's slot and memory.
func (x *transition) unreserve(j *Job) {
	if !j.Slot {
		return
	}
	j.Slot, j.SlotEnds, j.Reserved = false, time.Time{}, 0
	x.do(j, DropInputs{})
}

// start begins the session of a job that has a slot and memory, if the policy still allows it.
func (x *transition) start(j *Job, e Start) {
	switch {
	case j.State != api.Queued || !j.Slot || j.Reserved == 0 || j.starting != nil:
		x.do(j, Refuse{Conflict, fmt.Sprintf("job %s is %s at %s and has no reserved slot", j.ID, j.State, x.Limits.Node)})
	case x.Closed:
		x.do(j, Refuse{Unavailable, Stopping})
	case j.Serve && (e.Batch < 1 || j.Demand.ForBatch(e.Batch) > j.Reserved):
		x.do(j, Refuse{Conflict, fmt.Sprintf("the memory reserved at %s is for a batch of fewer than %d requests", x.Limits.Node, e.Batch)})
	default:
		j.starting = &e
		x.put(j)
		x.do(j, CountRun{})
	}
}

// judged runs the session for which the policy was asked, or ends the job. The slot then lasts as long
// as the session.
func (x *transition) judged(j *Job, e Judged) {
	s := j.starting
	if s == nil {
		return
	}
	j.starting = nil
	d := e.Decision
	switch {
	case e.Error != "":
		x.put(j)
		x.do(j, Refuse{NotStored, e.Error})
		return
	case d.Verdict == policy.Denied, d.Verdict == policy.NeedsApproval && !j.Approved:
		x.end(j, api.Denied, "the policy of "+x.Limits.Node+" no longer allows it: "+d.Reason)
		x.do(j, Refuse{Forbidden, j.Error})
		return
	}
	if j.reopens() {
		j.Restarts++
	}
	if j.Serve {
		j.Batch, j.service = s.Batch, &service{}
		j.Reserved = j.Demand.ForBatch(s.Batch) // the batch is the minimum over all nodes, which may be below what was reserved here
	}
	j.State, j.Session, j.Phase, j.Started, j.SlotEnds = api.Running, s.Session, "connect", x.now, time.Time{}
	x.put(j)
	x.do(j, Wake{}, x.audit(j, audit.Event{Kind: audit.Started, Rule: d.Rule, Inputs: s.Inputs, Kept: j.Kept, Terms: termsOf(j)}, Starting),
		Save{Must: Starting}, Log{Began}, DropInputs{}, Run{})
}

// released handles a peer's release message: without a reason it frees the slot of that attempt, with
// one it ends the job, or only the session that it names.
func (x *transition) released(j *Job, e Released) {
	reason := fmt.Sprintf("%s gave up: %.1000s", e.By, e.Reason)
	switch {
	case e.Session != "" && j.State == api.Running:
		if e.Session == j.Session && j.reopens() {
			x.stop(j, Stopped{Reason: reason, Lost: true})
		}
	case e.Reason == "" || e.Session != "":
		if e.By == j.Parties[0] {
			x.heard(j)
		}
		if j.State == api.Queued && e.Try == j.Try && j.Slot {
			x.unreserve(j)
			x.put(j)
		}
	case j.State == api.Running:
		x.stop(j, Stopped{Reason: reason})
	default:
		x.end(j, api.Failed, reason)
	}
}
