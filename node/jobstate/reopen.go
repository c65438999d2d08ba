package jobstate

import (
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// A service with api.RestartAlways that has been open once does not end when its session is lost: at each node
// it is queued, and the leader opens it again with a new session. The leader waits before it tries: firstReopen
// minus a random part of up to a half, doubled after each further loss or failed try up to lastReopen. A session
// that was open for steadyOpen starts the waits anew. All decisions about the new session are taken as for the first
// one: each node's policy is asked and counts a run.
const (
	firstReopen = 2 * time.Second
	lastReopen  = time.Minute
	steadyOpen  = 10 * time.Minute
)

// reopenSilence is how long the other nodes wait for the leader of a service that waits to open again. Without an
// end a service whose leader has lost its state would wait forever.
const reopenSilence = 24 * time.Hour

// reopens reports whether the loss of a session does not end the job. The first opening is like the start of
// any job: its failure is the submitter's to see.
func (j *Job) reopens() bool { return j.Restart == api.RestartAlways && !j.Opened.IsZero() }

// Reopening reports whether the job is a service that has lost its session and waits to be opened again.
func (j *Job) Reopening() bool { return j.reopens() && j.State == api.Queued }

// lost queues a service that has lost its session, at the leader with what opens it again. The other nodes may not
// have noticed the loss: the leader tells them, so that no node stays in a session that has ended elsewhere.
func (x *transition) lost(j *Job, reason string) {
	x.endRequests(j, requestLost(reason))
	x.requeue(j, reason)
	if !j.Leads() {
		return
	}
	x.releaseSession(j, j.Session, reason)
	if !x.Closed { // otherwise the next process does
		x.do(j, Lead{})
	}
}

// requeue queues a service that has lost its session.
func (x *transition) requeue(j *Job, reason string) {
	steady := !j.Opened.Before(j.Started) && x.now.Sub(j.Opened) >= steadyOpen
	if j.Backoff == 0 || steady {
		j.Backoff = firstReopen
	} else {
		j.Backoff = min(2*j.Backoff, lastReopen)
	}
	j.Slot, j.SlotEnds, j.Reserved, j.starting, j.service = false, time.Time{}, 0, nil, nil
	j.Stopped, j.lead = Stopped{}, lead{}
	j.State, j.Phase, j.Step, j.Steps, j.Answering, j.Batch = api.Queued, "waiting to open the service again", 0, 0, 0, 0
	if !j.Leads() {
		j.Phase = "waiting for " + j.Parties[0] + " to open the service again"
	}
	j.Loss, j.LostAt, j.Heard = reason, x.now, x.now
	x.put(j)
	x.do(j, DropInputs{}, Wake{}, Save{}, x.audit(j, audit.Event{Kind: audit.Lost, Reason: reason}, ""), Log{Lost})
}

// requestLost is the error of a request whose service has lost its session. Whether another party has its result
// is not known here, so the node never evaluates it again by itself.
func requestLost(reason string) string {
	return "the service has lost its session before the request ended here, and opens again: send the request again (the loss: " + reason + ")"
}

// heard notes that the leader of a service that waits to open again is there.
func (x *transition) heard(j *Job) {
	if j.Reopening() && !j.Leads() {
		j.Heard = x.now
		x.put(j)
	}
}

// giveUpOpening gives up an attempt of the leader to open a service again, in which some nodes may have started the
// session.
func (x *transition) giveUpOpening(j *Job, reason string) {
	j.lead.waits = "for " + reason
	x.releaseSession(j, j.lead.start.Session, reason)
	x.sleep(j, j.lead.waits)
}

// releaseSession frees the job's reservations at all nodes, and ends a session of a service that opens again.
func (x *transition) releaseSession(j *Job, session, reason string) {
	if j.Slot {
		x.unreserve(j)
		x.put(j)
	}
	x.do(j, Release{api.Release{Try: j.Try, Reason: reason, Session: session}})
}
