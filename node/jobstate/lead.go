package jobstate

import (
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
)

// The leader waits between two attempts to reserve slots: firstSleep, doubled after each attempt up to
// lastSleep, minus a random part of up to a half. The random part keeps leaders that want the same
// slots from colliding again and again.
const (
	firstSleep = 20 * time.Millisecond
	lastSleep  = 2 * time.Second
)

// lead is the leader's attempt to reserve slots at all nodes or none, and to start the session. Exactly
// one action of the leader is in progress at a time; the event that answers it continues the attempt.
type lead struct {
	doing  Action        // in progress; nil before the first attempt
	waits  string        // for what the last attempt without success waits
	silent string        // the node that did not answer in the last attempt; "" if all did
	noDeal bool          // the dealer did not answer in the last attempt
	sleep  time.Duration // before the next attempt

	rank   int // the node that is asked
	memory bool
	began  time.Time // when the nodes were first asked for memory
	given  [][]int   // by rank: arguments that the party's inputs provide
	start  api.Start
}

// led applies the events of the leader's attempts; false if the event is none of them.
func (x *transition) led(j *Job, e Event) bool {
	switch e.(type) {
	case Attempt, Probed, DealerProbed, Answered, Assigned, SessionStarted:
	default:
		return false
	}
	if !j.Leads() || !j.lead.awaits(e) {
		return true
	}
	if j.State.Final() { // it ended since the last event: the other nodes have slots, or wait
		x.release(j, j.Error)
		return true
	}
	if j.State == api.Running {
		return true
	}
	switch e := e.(type) {
	case Attempt:
		x.attempt(j, e)
	case Probed:
		if e.Error != "" {
			x.retry(j, "for "+e.Error, j.lead.silent)
		} else {
			x.ask(j)
		}
	case DealerProbed:
		x.dealerProbed(j, e)
	case Answered:
		x.answered(j, e)
	case Assigned:
		if e.Error != "" {
			x.failEverywhere(j, e.Error)
			break
		}
		j.lead.start.Owners, j.lead.start.Batch, j.lead.memory, j.lead.began = e.Owners, max(1, j.MaxBatch), true, x.now
		j.lead.rank = len(j.Parties) - 1
		x.ask(j)
	case SessionStarted:
		switch {
		case e.Error != "" && j.reopens() && (e.Failure == Silent || e.Failure == NotYet):
			x.giveUpOpening(j, e.Error)
		case e.Error != "":
			x.failEverywhere(j, e.Error)
		case j.lead.rank > 0: // at rank 0, which is this node, the job runs by now
			j.lead.rank--
			x.startNext(j)
		}
	}
	return true
}

// awaits reports whether an event answers the action in progress.
func (l *lead) awaits(e Event) bool {
	var ok bool
	switch l.doing.(type) {
	case nil, Sleep:
		_, ok = e.(Attempt)
	case Probe:
		_, ok = e.(Probed)
	case ProbeDealer:
		_, ok = e.(DealerProbed)
	case Ask:
		_, ok = e.(Answered)
	case Assign:
		_, ok = e.(Assigned)
	case StartAt:
		_, ok = e.(SessionStarted)
	}
	return ok
}

// act begins an action of the leader.
func (x *transition) act(j *Job, a Action) {
	j.lead.doing = a
	x.put(j)
	x.do(j, a)
}

// attempt begins an attempt. While a node or the dealer does not answer, nothing is reserved until it does.
func (x *transition) attempt(j *Job, e Attempt) {
	l := &j.lead
	j.Try++
	first, last := l.waits == "", lastSleep
	if j.reopens() {
		last = lastReopen
	}
	switch {
	case first && j.reopens():
		l.waits, l.sleep = "to open the service again", j.Backoff
	case first:
		l.waits, l.sleep = "for the other nodes", firstSleep
	case e.Slept:
		l.sleep = min(2*l.sleep, last)
	}
	if j.reopens() && (first || !e.Slept) { // nothing shortens the wait after a loss
		x.sleep(j, l.waits)
		return
	}
	if j.State == api.Pending {
		x.sleep(j, "for an admin's approval here")
		return
	}
	if x.overdue(j, l.waits) {
		return
	}
	l.start, l.given, l.memory, l.rank = api.Start{Session: e.Session}, make([][]int, len(j.Parties)), false, len(j.Parties)-1
	if l.silent != "" {
		x.act(j, Probe{l.silent})
		return
	}
	if l.noDeal {
		x.act(j, ProbeDealer{})
		return
	}
	x.ask(j)
}

// dealerProbed goes on with an attempt if the dealer answers. The dealer is asked before a session that
// needs it starts, since a session that fails counts as a run, and after an attempt in which it did not
// answer, before slots are reserved.
func (x *transition) dealerProbed(j *Job, e DealerProbed) {
	l := &j.lead
	if e.Error != "" {
		l.noDeal = true
		x.retry(j, "for the dealer: "+e.Error, "")
		return
	}
	l.noDeal = false
	if l.memory {
		x.startNext(j)
	} else {
		x.ask(j)
	}
}

// ask asks the node of rank l.rank for a slot, or for memory.
func (x *transition) ask(j *Job) {
	a := Ask{Rank: j.lead.rank, Try: j.Try}
	if j.lead.memory {
		a.Owners, a.Stay = j.lead.start.Owners, j.lead.start.Stay
	}
	x.act(j, a)
}

// answered continues the attempt with the next node, or gives it up. The highest rank is asked first and
// this node last, so that two leaders that need each other's slots cannot deadlock.
func (x *transition) answered(j *Job, e Answered) {
	l, r := &j.lead, e.Reserved
	name := j.Parties[l.rank]
	switch {
	case e.Error != "" && (e.Failure == Permanent || e.Failure == Missing && j.reopens()):
		x.failEverywhere(j, e.Error)
		return
	case e.Error != "" && e.Failure == Silent:
		x.retry(j, "for "+e.Error, name)
		return
	case e.Error != "":
		x.retry(j, "for "+e.Error, "")
		return
	case r.State.Final():
		x.failEverywhere(j, fmt.Sprintf("%s: job is %s: %s", name, r.State, r.Error))
		return
	case !r.Slot && r.State == api.Pending:
		x.retry(j, fmt.Sprintf("for an admin of %s to approve it", name), "")
		return
	case !r.Slot:
		x.retry(j, fmt.Sprintf("for %s: %s", name, r.Error), "")
		return
	}
	if l.memory {
		l.start.Batch = min(l.start.Batch, r.Batch)
	} else {
		given := make([][]int, len(l.given))
		copy(given, l.given)
		given[l.rank] = r.Args
		l.given, l.start.Stay = given, append(l.start.Stay[:len(l.start.Stay):len(l.start.Stay)], r.Stay...)
	}
	if l.rank--; l.rank >= 0 {
		x.ask(j)
		return
	}
	l.rank = len(j.Parties) - 1
	switch {
	case !l.memory:
		x.act(j, Assign{l.given})
	case x.now.Sub(l.began) >= x.Limits.SlotTimeout/2:
		// Each node plans the job before it answers, one after the other. If that took long, the
		// first node's slot may have timed out; a second request renews the slots and is answered
		// from the stored plans.
		l.began = x.now
		x.ask(j)
	case j.Deals:
		x.act(j, ProbeDealer{})
	default:
		x.startNext(j)
	}
}

// startNext starts the session at the node of rank l.rank, the highest rank first.
func (x *transition) startNext(j *Job) {
	x.act(j, StartAt{j.lead.rank, j.lead.start})
}

// retry gives up an attempt: it frees the slots everywhere and waits for the next attempt. silent names
// the node that did not answer. An answer that the deadline cut off is no reason to wait.
func (x *transition) retry(j *Job, waits, silent string) {
	l := &j.lead
	if j.reopens() || x.now.Before(x.leadDeadline(j)) {
		l.waits, l.silent = waits, silent
	}
	x.release(j, "")
	x.sleep(j, l.waits)
}

// sleep waits for the next attempt, unless it would be too late.
func (x *transition) sleep(j *Job, waits string) {
	if x.overdue(j, waits) {
		return
	}
	j.Phase = "waiting " + waits
	x.act(j, Sleep{j.lead.sleep})
}

// overdue fails the job everywhere if it is too late to start it. It is never too late to open a service again.
func (x *transition) overdue(j *Job, waits string) bool {
	if j.reopens() || x.now.Before(x.leadDeadline(j)) {
		return false
	}
	x.failEverywhere(j, fmt.Sprintf("not started within %v: waiting %s", x.Limits.Wait, waits))
	return true
}

// leadDeadline returns when the leader gives up to reserve slots.
func (s State) leadDeadline(j *Job) time.Time { return j.Submitted.Add(s.Limits.Wait) }

// failEverywhere ends a job as failed at this node and at the other nodes.
func (x *transition) failEverywhere(j *Job, reason string) {
	x.end(j, api.Failed, reason)
	x.release(j, j.Error)
}

// release frees the job's reservations at all nodes. With a reason it also fails the job at the others.
// A node that the message does not reach frees its slot after Limits.SlotTimeout.
func (x *transition) release(j *Job, reason string) {
	if j.Slot {
		x.unreserve(j)
		x.put(j)
	}
	x.do(j, Release{api.Release{Try: j.Try, Reason: reason}})
}
