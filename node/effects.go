package node

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
)

// reply is what a step answers its caller with.
type reply struct {
	refused  error            // why the step did not do what the event asks for; nil if it did
	reserved *api.Reserved    // answers Reserve, unless plan is set
	plan     bool             // the job must be planned before Reserve can be answered
	run      bool             // the session must be run
	batch    []api.RequestRef // the next batch of a service; nil if there is none yet
	reveals  bool             // what the session reveals must be written to the audit log
	next     jobstate.Action  // the leader's next action; nil if the job needs no leader any more
}

// apply takes the jobs through an event of a job and carries out its effects.
func (n *Node) apply(t *task, e jobstate.Event) reply {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.step(t.ID, e)
}

// step is apply for callers that hold Node.mu. id is "" for events of the node.
func (n *Node) step(id string, e jobstate.Event) (r reply) {
	var effects []jobstate.Effect
	n.jobs, effects = jobstate.Step(n.jobs, time.Now(), id, e)
	for _, f := range effects {
		if failed := n.carryOut(f, &r); failed != nil {
			r.merge(n.step(f.Job, *failed))
			return r
		}
	}
	return r
}

// merge adds the reply of a step that followed from this one.
func (r *reply) merge(next reply) {
	if r.refused == nil {
		r.refused = next.refused
	}
	r.run = r.run || next.run
}

// carryOut carries out an effect. It returns an event if the effect had to succeed and failed.
func (n *Node) carryOut(f jobstate.Effect, r *reply) *jobstate.Unwritten {
	t := n.tasks[f.Job]
	switch a := f.Do.(type) {
	case jobstate.Audit:
		return n.must(t, jobstate.Unwritten{During: a.Must, Request: a.Request}, n.audit.Append(a.Event))
	case jobstate.Store:
		return n.must(t, jobstate.Unwritten{During: a.Must}, n.store(t, n.tasks[a.Resumes]))
	case jobstate.Save:
		return n.must(t, jobstate.Unwritten{During: a.Must, Record: true}, n.save(t))
	case jobstate.StoreRequest:
		err := n.storeRequest(t, a.Request)
		return n.must(t, jobstate.Unwritten{During: a.Must, Request: a.Request, Exists: errors.Is(err, fs.ErrExist)}, err)
	case jobstate.SaveRequest:
		n.saveRequest(t, a.Status)
	case jobstate.RemoveRequest:
		if err := os.RemoveAll(n.requestFolder(t.ID, a.Request)); err != nil {
			n.log.Error("cannot remove a request", "job", t.ID, "request", a.Request, "error", err.Error())
		}
	case jobstate.LogRequest:
		n.logRequest(t, a.Status)
	case jobstate.RemoveResults, jobstate.RemoveSubmission, jobstate.RemoveCheckpoints, jobstate.Remove:
		n.removeFiles(t, a)
	case jobstate.DropInputs:
		t.inputValues = nil
	case jobstate.Forget:
		t.resolved, t.inputValues = nil, nil
		n.endPlan(t)
	case jobstate.Timer:
		n.setTimer(t, a.At)
	case jobstate.Wake:
		n.wake(t)
	case jobstate.Log:
		n.logJob(t, a.What)
	case jobstate.CountRun:
		r.merge(n.step(f.Job, n.judge(t)))
	case jobstate.StopSession:
		t.stop(errors.New(a.Reason))
	case jobstate.Lead:
		n.work.Go(func() { n.lead(t) })
	case jobstate.Release:
		n.release(t, a.Release)
	case jobstate.Refuse:
		r.refused = refuse(refusalStatus[a.As], "%s", a.Text)
	case jobstate.Reserved:
		r.reserved = &a.Reserved
	case jobstate.Plan:
		r.plan = true
	case jobstate.Run:
		r.run = true
	case jobstate.Evaluate:
		r.batch = a.Requests
	case jobstate.RecordReveals:
		r.reveals = true
	default: // the leader's actions
		r.next = a
	}
	return nil
}

// refusalStatus is the HTTP status of each kind of refusal.
var refusalStatus = map[jobstate.Refusal]int{
	jobstate.Conflict: http.StatusConflict, jobstate.Unavailable: http.StatusServiceUnavailable, jobstate.Forbidden: http.StatusForbidden,
	jobstate.NotStored: http.StatusInsufficientStorage, jobstate.Unknown: http.StatusNotFound,
	jobstate.BadRequest: http.StatusBadRequest, jobstate.Internal: http.StatusInternalServerError,
}

// must completes and returns the event for the error of an effect that had to succeed, and logs the
// error of another one.
func (n *Node) must(t *task, e jobstate.Unwritten, err error) *jobstate.Unwritten {
	switch {
	case err == nil:
		return nil
	case e.During == "":
		n.log.Error("cannot store a job's state", "job", t.ID, "error", err.Error())
		return nil
	}
	e.Error = n.errorText(err)
	return &e
}

// removeFiles removes files of a job, and reports to the state machine what it must know.
func (n *Node) removeFiles(t *task, a jobstate.Action) {
	var err error
	switch a.(type) {
	case jobstate.RemoveResults:
		err = os.RemoveAll(filepath.Join(n.folder(t.ID), resultsFolder))
	case jobstate.RemoveSubmission:
		if err = os.Remove(filepath.Join(n.folder(t.ID), submissionFile)); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	case jobstate.RemoveCheckpoints:
		if err = os.RemoveAll(filepath.Join(n.folder(t.ID), checkpointsFolder)); err == nil {
			n.step(t.ID, jobstate.CheckpointsRemoved{})
		}
	case jobstate.Remove:
		if err = os.RemoveAll(n.folder(t.ID)); err == nil {
			n.step(t.ID, jobstate.Removed{})
			delete(n.tasks, t.ID)
		}
	}
	if err != nil {
		n.log.Error("cannot remove files of a job", "job", t.ID, "error", err.Error())
	}
}

// wake wakes the goroutines that wait on t.changed.
func (n *Node) wake(t *task) {
	close(t.changed)
	t.changed = make(chan struct{})
}

// setTimer sets when the job gets a Tick; the zero time stops its timer.
func (n *Node) setTimer(t *task, at time.Time) {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	if at.IsZero() {
		return
	}
	t.timer = time.AfterFunc(time.Until(at), func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.ctx.Err() == nil {
			n.step(t.ID, jobstate.Tick{})
		}
	})
}

// stopTimers stops the timers of all jobs. No Tick follows if n.ctx has ended.
func (n *Node) stopTimers() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, t := range n.tasks {
		n.setTimer(t, time.Time{})
	}
}

// logJob logs and counts what happened to a job.
func (n *Node) logJob(t *task, what jobstate.Happened) {
	j := n.jobs.Job(t.ID)
	switch what {
	case jobstate.Admitted:
		n.log.Info("job "+string(j.State), "job", t.ID, "submitter", t.Submitter, "program", t.Program, "digest", t.Digest,
			"rule", j.Rule, "error", j.Error)
		n.countDenial(j)
	case jobstate.Began:
		switch {
		case n.counts == nil:
		case j.Restarts > 0:
			n.counts.Restarted()
		default:
			n.counts.Started(j.Started.Sub(j.Submitted))
		}
	case jobstate.Lost:
		n.log.Warn("service has lost its session and opens again", "job", t.ID, "session", j.Session, "restarts", j.Restarts, "error", j.Loss)
	case jobstate.Ended:
		if n.counts != nil {
			var ran time.Duration
			if !j.Started.IsZero() {
				ran = j.Ended.Sub(j.Started)
			}
			n.counts.Ended(string(j.State), ran)
		}
		level := n.log.Info
		if j.State == api.Failed {
			level = n.log.Warn
		}
		level("job "+string(j.State), "job", t.ID, "submitter", t.Submitter, "program", t.Program, "error", j.Error)
		n.countDenial(j)
	}
}

// denialKey finds the key of the rule in the reason of a denial: of the first rule, if there are several.
var denialKey = regexp.MustCompile(`: rule "(?:[^"\\]|\\.)*": ([a-z_]+):`)

// countDenial counts a job that the policy has denied, by the key of the rule that denies it; "submitters" if
// no rule is for its submitter, "other" if the reason names no key. Node.mu is held.
func (n *Node) countDenial(j *jobstate.Job) {
	if n.counts == nil || j.State != api.Denied {
		return
	}
	cause := "other"
	if m := denialKey.FindStringSubmatch(j.Error); m != nil {
		cause = m[1]
	} else if strings.Contains(j.Error, " among its submitters") {
		cause = "submitters"
	}
	n.counts.Denied(cause)
}
