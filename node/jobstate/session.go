package jobstate

import (
	"github.com/tacet-mpc/tacet/node/api"
)

// session applies the events of a session; false if the event is none of them. Events of a session that
// has ended change nothing.
func (x *transition) session(j *Job, e Event) bool {
	running := j.State == api.Running
	switch e := e.(type) {
	case Progress:
		if !running {
			break
		}
		if e.Phase == "output" && j.Phase != e.Phase {
			x.do(j, RecordReveals{})
		}
		j.Phase, j.Step, j.Steps = e.Phase, e.Done, e.Steps
		j.Round, j.Rounds, j.Iteration = e.Round, e.Rounds, e.Iteration
		x.put(j)
	case CheckpointWritten:
		if !running {
			break
		}
		if j.CheckpointError = ""; e.Error != "" {
			j.CheckpointError = e.Place + ": " + e.Error
		} else {
			j.NewestCheckpoint = e.Place
		}
		x.put(j)
	case ResumedFrom:
		if !running {
			break
		}
		j.ResumedFrom = e.Place
		if e.Own {
			j.NewestCheckpoint = e.Place
		}
		x.put(j)
	case NotConnected:
		switch {
		case !running:
		case j.reopens():
			x.releaseSession(j, j.Session, e.Error)
		default:
			x.release(j, e.Error)
		}
	case SessionEnded:
		if running {
			x.sessionEnded(j, e)
		}
	default:
		return false
	}
	return true
}

// sessionEnded ends a running job, unless it is a service that opens again.
func (x *transition) sessionEnded(j *Job, e SessionEnded) {
	if e.Error != "" && j.reopens() && (j.Stopped.Reason == "" || j.Stopped.Lost) {
		x.lost(j, e.Error)
		return
	}
	x.endRequests(j, "the service has ended: "+e.Error)
	told := j.Stopped.Reason != "" && !j.Stopped.Cancelled && !j.Stopped.Lost // by a peer, which tells the others too
	if !told && j.Restart != "" {
		defer func() { x.release(j, j.Error) }()
	}
	switch {
	case e.Error == "":
		j.Results = e.Results
		x.end(j, api.Done, "")
		x.dropCheckpoints(j)
	case j.Stopped.Cancelled:
		x.end(j, api.Cancelled, j.Stopped.Reason)
	default:
		x.end(j, api.Failed, e.Error)
	}
}

// dropCheckpoints removes the checkpoints of a job that is done, of the jobs that it resumed, and of the
// ended jobs that resumed one of these.
func (x *transition) dropCheckpoints(j *Job) {
	seen := map[string]bool{}
	drop := func(j *Job) {
		seen[j.ID] = true
		x.do(j, RemoveCheckpoints{})
	}
	if j.Resumes == "" { // then no job resumed it: only failed and cancelled ones are resumed
		drop(j)
		return
	}
	for ; j != nil && !seen[j.ID]; j = x.Job(j.Resumes) {
		drop(j)
	}
	ended := x.ended.ids()
	for more := true; more; {
		more = false
		for _, id := range ended {
			if other := x.ended.job(id); !seen[id] && other.Resumes != "" && seen[other.Resumes] {
				drop(other)
				more = true
			}
		}
	}
}
