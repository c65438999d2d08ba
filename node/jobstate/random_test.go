package jobstate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// simulated is a node that carries out effects as package node does, with disks, peers and a clock that
// do what rapid draws.
type simulated struct {
	*rapid.T
	state State
	now   time.Time
	jobs  map[string]*simulatedJob
	steps int
	last  int // number of the newest job
}

// simulatedJob is what the simulated node holds of a job beside its state.
type simulatedJob struct {
	next    Action    // the leader's action in progress; nil if none is
	timer   time.Time // when a Tick is due
	session bool      // a session runs
	ran     int       // number of sessions
	ended   int       // number of audit events that say how the job ended
	batch   []api.RequestRef
	record  Job             // as on disk
	stored  bool            // the record is on disk
	open    map[string]bool // requests that are stored and have not ended
}

// step takes the node through an event and carries out the effects.
func (n *simulated) step(id string, e Event) {
	n.steps++
	old := n.state
	before := snapshot(old)
	next, effects := Step(old, n.now, id, e)
	again, effects2 := Step(old, n.now, id, e)
	if !reflect.DeepEqual(before, snapshot(old)) {
		n.Fatalf("%T of %s has changed the state before it", e, id)
	}
	if !reflect.DeepEqual(snapshot(next), snapshot(again)) || !reflect.DeepEqual(effects, effects2) {
		n.Fatalf("%T of %s does not do the same twice", e, id)
	}
	if err := check(next); err != nil {
		n.Fatalf("after %T of %s: %v", e, id, err)
	}
	for _, err := range illegal(old, next, e) {
		n.Fatal(err)
	}
	n.state = next
	for _, f := range effects {
		if failed, ok := n.carryOut(f); !ok {
			n.step(f.Job, failed)
			return
		}
	}
}

// snapshot returns copies of all jobs.
func snapshot(s State) map[string]Job {
	out := map[string]Job{}
	for j := range s.All() {
		out[j.ID] = *j
	}
	return out
}

// carryOut carries out an effect; false if it had to succeed and fails.
func (n *simulated) carryOut(f Effect) (Unwritten, bool) {
	j := n.jobs[f.Job]
	if j == nil {
		j = &simulatedJob{open: map[string]bool{}}
		n.jobs[f.Job] = j
	}
	fails := func(e Unwritten) (Unwritten, bool) {
		e.Error = "the disk is full"
		return e, e.During == "" || n.some(20)
	}
	switch a := f.Do.(type) {
	case Audit:
		switch a.Kind {
		case audit.Finished, audit.Failed, audit.Cancelled:
			if a.Request == "" {
				j.ended++
			}
		case audit.Started:
			if a.Request == "" && a.Must != Starting {
				n.Fatalf("job %s starts without its audit event", f.Job)
			}
		}
		return fails(Unwritten{During: a.Must, Request: a.Request})
	case Store:
		if e, ok := fails(Unwritten{During: a.Must}); !ok {
			return e, false
		}
		j.record, j.stored = *n.state.Job(f.Job), true
	case Save:
		if e, ok := fails(Unwritten{During: a.Must, Record: true}); !ok {
			return e, false
		}
		j.record = *n.state.Job(f.Job)
		if j.record.State.Final() && j.record.Answering != 0 {
			n.Fatalf("job %s is %s and answers %d requests", f.Job, j.record.State, j.record.Answering)
		}
	case StoreRequest:
		if _, exists := j.open[a.Request]; exists {
			return Unwritten{During: a.Must, Request: a.Request, Exists: true, Error: "it exists"}, false
		}
		if e, ok := fails(Unwritten{During: a.Must, Request: a.Request}); !ok {
			return e, false
		}
		j.open[a.Request] = true
	case SaveRequest:
		if !j.open[a.Status.ID] {
			n.Fatalf("request %s of job %s ends twice, or was not stored", a.Status.ID, f.Job)
		}
		j.open[a.Status.ID] = false
	case RemoveCheckpoints:
		n.step(f.Job, CheckpointsRemoved{})
	case Remove:
		if n.some(5) {
			j.stored = false
			n.step(f.Job, Removed{})
		}
	case Timer:
		j.timer = a.At
	case CountRun:
		n.step(f.Job, Judged{Decision: n.decision(10), Error: n.perhaps(10, "the disk is full")})
	case Run:
		j.session = true
		if j.ran++; j.ran > 1 && n.state.Job(f.Job).Restart == "" {
			n.Fatalf("job %s runs twice", f.Job)
		}
	case StopSession:
		if !j.session {
			n.Fatalf("job %s has no session that could stop", f.Job)
		}
	case Evaluate:
		j.batch = a.Requests
	case Lead:
		j.next = Sleep{}
	case Probe, ProbeDealer, Ask, Assign, StartAt, Sleep:
		if j.next != nil {
			n.Fatalf("the leader of job %s does two things at once", f.Job)
		}
		j.next = a
	}
	return Unwritten{}, true
}

// some is true but once in a number of times, or less often: rapid prefers small numbers.
func (n *simulated) some(of int) bool { return rapid.IntRange(1, of).Draw(n.T, "some") != of }

// perhaps returns a text once in a number of times.
func (n *simulated) perhaps(of int, text string) string {
	if n.some(of) {
		return ""
	}
	return text
}

// decision returns a decision that allows it but once in a number of times.
func (n *simulated) decision(of int) policy.Decision {
	d := policy.Decision{Verdict: policy.Allowed, Rule: "any"}
	if !n.some(of) {
		d = policy.Decision{Verdict: policy.Verdict(rapid.IntRange(0, 1).Draw(n.T, "verdict")), Reason: "no rule"}
	}
	return d
}

// due lists the events that must follow sooner or later: answers to the leader, ticks, ends of sessions.
func (n *simulated) due() (all []func()) {
	for _, id := range slices.Sorted(maps.Keys(n.jobs)) {
		j, state := n.jobs[id], n.state.Job(id)
		if j.next != nil {
			all = append(all, func() { n.lead(id, j) })
		}
		if !j.timer.IsZero() && !n.now.Before(j.timer) {
			all = append(all, func() { n.step(id, Tick{}) })
		}
		if j.session && (n.state.Closed || !n.some(4)) {
			all = append(all, func() {
				j.session, j.batch = false, nil
				n.step(id, SessionEnded{Error: n.perhaps(2, "bob is lost"), Results: 1})
			})
		}
		if state != nil && state.service != nil && j.session {
			all = append(all, func() {
				if j.session { // another event of the list may have ended it
					n.serve(id, j)
				}
			})
		}
	}
	return all
}

// lead answers the leader's action in progress.
func (n *simulated) lead(id string, j *simulatedJob) {
	a := j.next
	j.next = nil
	failed := n.perhaps(8, "bob: no answer")
	switch a := a.(type) {
	case Sleep:
		n.step(id, Attempt{Session: fmt.Sprint("session ", n.steps), Slept: n.some(2)})
	case Probe:
		n.step(id, Probed{Error: failed})
	case ProbeDealer:
		n.step(id, DealerProbed{Error: failed})
	case Ask:
		r := api.Reserved{State: api.Queued, Slot: n.some(8), Batch: 2}
		if a.Rank == 0 {
			n.reserve(id, Reserve{Try: a.Try, Memory: a.Owners != nil})
		}
		if !n.some(10) {
			r = api.Reserved{State: rapid.SampledFrom([]api.State{api.Pending, api.Failed, api.Queued}).Draw(n.T, "state"), Error: "because"}
		}
		n.step(id, Answered{Reserved: r, Error: failed, Failure: rapid.SampledFrom([]Failure{NotYet, Silent, Permanent}).Draw(n.T, "failure")})
	case Assign:
		n.step(id, Assigned{Owners: []int{0}, Error: n.perhaps(20, "argument 0 is in no input")})
	case StartAt:
		if a.Rank == 0 {
			n.step(id, Start{Session: a.Session, Batch: a.Batch})
			if state := n.state.Job(id); state.State != api.Running {
				failed = "not started"
			} else {
				failed = ""
			}
		}
		n.step(id, SessionStarted{Error: failed, Failure: rapid.SampledFrom([]Failure{NotYet, Silent, Permanent}).Draw(n.T, "failure")})
	}
}

// reserve asks for a slot, and plans the job if that is asked for.
func (n *simulated) reserve(id string, e Reserve) {
	n.step(id, e)
	if j := n.state.Job(id); e.Memory && j != nil && j.Demand.Base == 0 && n.some(10) {
		n.step(id, OwnersKnown{Owners: []string{"alice", "bob"}, Denied: n.perhaps(20, "another owner")})
		if j := n.state.Job(id); j == nil || j.State.Final() {
			return
		}
		if failed := n.perhaps(20, "there is no room to plan it"); failed != "" {
			n.step(id, Planned{Error: failed})
			return
		}
		n.step(id, Planned{Demand: Demand{Base: int64(rapid.IntRange(1, 60).Draw(n.T, "base")), PerRequest: 7}})
		n.step(id, e)
	}
}

// serve takes the next batch of a service, or ends the requests of the last one.
func (n *simulated) serve(id string, j *simulatedJob) {
	if j.batch == nil {
		n.step(id, NextBatch{})
		return
	}
	for _, ref := range j.batch {
		if ref.Request == "" {
			continue
		}
		if n.state.Job(id).Request(ref.Request) == nil {
			n.Fatalf("request %s is in a batch and not in the state", ref.Request)
		}
		n.step(id, RequestJudged{Request: ref.Request, Decision: n.decision(5)})
		n.step(id, RequestEnded{Request: ref.Request, Error: n.perhaps(3, "declined"), Results: 1})
	}
	j.batch = nil
	n.step(id, BatchEnded{})
}

// asked lists events that submitters, admins and peers may cause at any time, the most useful ones first.
func (n *simulated) asked() []func() {
	id := fmt.Sprint("job ", max(0, n.last-rapid.IntRange(0, 3).Draw(n.T, "job")))
	try := rapid.IntRange(1, 3).Draw(n.T, "try")
	request := fmt.Sprint("request ", rapid.IntRange(1, 9).Draw(n.T, "request"))
	ref := api.RequestRef{Request: request, Digest: rapid.SampledFrom([]string{"d1", "d1", "d2"}).Draw(n.T, "digest")}
	reserve := func() { n.reserve(id, Reserve{Try: try, Memory: true}) }
	start := func() { n.step(id, Start{Session: fmt.Sprint("session ", n.steps), Batch: 1}) }
	run := func() { reserve(); start() }
	ask := func() {
		n.step(id, Serves{})
		n.step(id, RequestSubmitted{Request: Request{RequestStatus: api.RequestStatus{ID: request}, Digest: ref.Digest}, Decision: n.decision(5)})
	}
	return []func(){
		n.submit, run, ask, n.submit, run, ask, run, ask, n.submit, reserve, start,
		func() { n.step(id, Approved{By: "root"}) },
		func() { n.step(id, Cancelled{By: "carol"}) },
		func() { n.reserve(id, Reserve{Try: try}) },
		func() { n.step(id, Released{By: "bob", Try: try, Reason: n.perhaps(2, "bob is lost")}) },
		func() {
			if j := n.state.Job(id); j != nil {
				n.step(id, Released{By: "alice", Try: try, Reason: "bob is lost", Session: j.Session})
			}
		},
		func() { n.step(id, Announced{Requests: []api.RequestRef{ref}}) },
		func() { n.step(id, Progress{Phase: "output"}) },
		func() { n.step(id, CheckpointWritten{Place: "loop 1", Error: n.perhaps(3, "the disk is full")}) },
		func() { n.step(id, ResumedFrom{Place: "loop 1", Own: true}) },
		func() { n.step(id, NotConnected{Error: "eve is lost"}) },
		func() { n.step(id, Tick{}) },
		func() { n.now = n.now.Add(time.Duration(rapid.IntRange(1, 30).Draw(n.T, "seconds")) * time.Second) },
	}
}

// submit submits a job with an id that may be in use.
func (n *simulated) submit() {
	if n.some(5) {
		n.last++
	}
	id := fmt.Sprint("job ", n.last)
	j := Job{Rank: rapid.IntRange(0, 2).Draw(n.T, "rank"), MaxBatch: 3, Job: api.Job{
		ID: id, Submitter: "carol", Parties: []string{"alice", "bob", "eve"}, Submitted: n.now, Digest: "sha256:program",
		Serve: rapid.Bool().Draw(n.T, "serve"), Resumes: n.perhaps(3, fmt.Sprint("job ", n.last-1)),
	}}
	if j.Serve && n.some(3) {
		j.Restart = api.RestartAlways
	}
	if n.jobs[id] != nil && n.state.Job(id) == nil { // an id that was removed: nothing remembers it
		delete(n.jobs, id)
	}
	j.Held = rapid.SampledFrom([]int64{0, 15, 40}).Draw(n.T, "held")
	n.step(id, Submitted{Job: j, Decision: n.decision(3)})
}

// restart ends the process and starts it again with what is on disk.
func (n *simulated) restart() {
	stored := n.jobs
	n.state, n.jobs = New(n.state.Limits), map[string]*simulatedJob{}
	for _, id := range slices.Sorted(maps.Keys(stored)) {
		j := stored[id]
		if !j.stored {
			continue
		}
		n.jobs[id] = &simulatedJob{ran: j.ran, ended: j.ended, record: j.record, stored: true, open: map[string]bool{}}
		r := j.record
		restored := Job{Job: r.Job, Sent: r.Sent, Approved: r.Approved, Fetch: r.Fetch, Rank: r.Rank, MaxBatch: r.MaxBatch, Backoff: r.Backoff}
		n.step(id, Restored{Job: restored, Problem: n.perhaps(10, "an input is missing")})
	}
	n.step("", Serving{})
}

// randomLimits are the limits of nodes with random events.
var randomLimits = Limits{
	Node: "alice", Jobs: 2, Queue: 4, Batch: 3, Keep: 2, Requests: 3, Memory: 100, Submissions: 100, Submitter: 60,
	Wait: time.Minute, SlotTimeout: 20 * time.Second, RequestWait: 5 * time.Second,
}

// TestRandomEvents takes a node through random events: no state is illegal, no job runs twice, every
// admitted job ends once, and then all slots and all memory are free.
func TestRandomEvents(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := &simulated{T: r, now: midnight, jobs: map[string]*simulatedJob{}, state: New(randomLimits)}
		for range rapid.IntRange(80, 200).Draw(r, "events") {
			due := n.due()
			switch kind := rapid.IntRange(0, 30).Draw(r, "kind"); {
			case kind == 30:
				n.restart()
			case kind > 10 && len(due) > 0:
				rapid.SampledFrom(due).Draw(r, "due")()
			default:
				rapid.SampledFrom(n.asked()).Draw(r, "asked")()
			}
		}
		n.step("", Closing{})
		for round := 0; len(n.state.open) > 0; round++ {
			if round > 200 {
				r.Fatalf("jobs %v do not end", n.state.openIDs())
			}
			for id := range n.jobs {
				if j := n.state.Job(id); j != nil && j.Reopening() { // the next process would open it
					n.step(id, Cancelled{By: "carol"})
				}
			}
			for _, do := range n.due() {
				do()
			}
			n.now = n.now.Add(time.Second)
		}
		if n.state.FreeSlots() != 2 || n.state.FreeMemory() != 100 {
			r.Fatalf("%d slots and %d bytes are free at the end", n.state.FreeSlots(), n.state.FreeMemory())
		}
		for id, j := range n.jobs {
			if state := n.state.Job(id); state != nil && state.State != api.Denied && j.ended != 1 {
				r.Fatalf("job %s is %s and has ended %d times", id, state.State, j.ended)
			}
			for request, open := range j.open {
				if open {
					r.Fatalf("request %s of job %s does not end", request, id)
				}
			}
			if j.session {
				r.Fatalf("the session of job %s does not end", id)
			}
			if !j.timer.IsZero() {
				r.Fatalf("job %s has ended and has a timer", id)
			}
		}
	})
}

// TestArbitraryEvents takes a node through events that no node would see in this order: no state is
// illegal, and Step does not panic.
func TestArbitraryEvents(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := &simulated{T: r, now: midnight, jobs: map[string]*simulatedJob{}, state: New(randomLimits)}
		state := n.state
		for range rapid.IntRange(0, 60).Draw(r, "events") {
			id := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "job")
			e := rapid.SampledFrom(allEvents).Draw(r, "event")
			job := Job{Rank: rapid.IntRange(0, 1).Draw(r, "rank"), Job: api.Job{ID: id, Parties: []string{"alice", "bob"}, Submitted: n.now}}
			switch x := e.(type) {
			case Submitted:
				x.Job, x.Decision = job, n.decision(3)
				e = x
			case Restored:
				if state.Job(id) != nil { // the node is not serving yet when it restores
					continue
				}
				x.Job, x.Job.State, x.Job.Session = job, rapid.SampledFrom([]api.State{api.Pending, api.Queued, api.Running}).Draw(r, "state"), "s"
				e = x
			case Planned:
				x.Demand = Demand{Base: 10}
				e = x
			case Reserve:
				x.Memory = n.some(2)
				e = x
			case Start:
				x.Session = "s"
				e = x
			case Judged:
				x.Decision = n.decision(3)
				e = x
			case Unwritten:
				continue // it follows an effect
			case Attempt:
				x.Session = "s"
				e = x
			case Cancelled:
				x.By = "carol"
				e = x
			}
			before := state
			state, _ = Step(state, n.now, id, e)
			for _, err := range illegal(before, state, e) {
				r.Fatal(err)
			}
			if err := check(state); err != nil {
				r.Fatalf("after %T of %s: %v", e, id, err)
			}
			n.now = n.now.Add(time.Second)
		}
	})
}
