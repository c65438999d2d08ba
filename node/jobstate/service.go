package jobstate

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// service is the state of a service while its session runs. Like a Job it is never changed.
type service struct {
	open      bool                // requests are accepted
	requests  map[string]*Request // queued and running, by id
	queue     []string            // at the leader: queued requests in order of arrival
	announced []api.RequestRef    // at the other nodes: the next batch, as the leader announced it
	until     time.Time           // how long the announced batch waits for requests that have not arrived; zero if it does not wait
	late      bool                // it has waited that long
}

// Request is the state of a request to a service that has not ended.
type Request struct {
	// RequestStatus is the status that clients see.
	api.RequestStatus
	Digest  string    // digest of the request (api.Request.Digest)
	expires time.Time // at nodes other than the leader: when the request ends unless a batch has it
	taken   bool      // a batch has the request
}

// Request returns the state of a request of an open service; nil if it has ended or is unknown.
func (j *Job) Request(id string) *Request {
	if j.service == nil {
		return nil
	}
	return j.service.requests[id]
}

// OpenRequests returns the service's requests that are queued or running, in no order.
func (j *Job) OpenRequests() []api.RequestStatus {
	var out []api.RequestStatus
	if j.service != nil {
		for _, r := range j.service.requests {
			out = append(out, r.RequestStatus)
		}
	}
	return out
}

// edit returns a copy of the job's service that the step may change.
func (j *Job) edit() *service {
	s := *j.service
	if s.requests = maps.Clone(s.requests); s.requests == nil {
		s.requests = map[string]*Request{}
	}
	j.service = &s
	return &s
}

// served applies the events of services and requests; false if the event is none of them.
func (x *transition) served(j *Job, e Event) bool {
	switch e := e.(type) {
	case Serves:
		if j.service != nil {
			j.edit().open = true
			j.Phase, j.Step, j.Steps = api.PhaseServing, 0, 0
			if j.Restart != "" {
				j.Opened = x.now
				x.do(j, Save{})
			}
			x.put(j)
			x.do(j, Wake{})
		}
	case RequestSubmitted:
		x.requested(j, e)
	case Announced:
		x.announced(j, e)
	case NextBatch:
		x.nextBatch(j)
	case RequestJudged:
		x.requestJudged(j, e)
	case RequestEnded:
		if r := j.Request(e.Request); r != nil {
			to := api.Done
			if e.Error != "" {
				to = api.Failed
			} else {
				j.Step++
			}
			x.endRequest(j, r, to, e.Results, e.Error)
			x.do(j, Wake{})
		}
	case BatchEnded:
		j.Answering = 0
		if !j.State.Final() {
			x.put(j)
			x.do(j, Wake{})
		}
	case RequestLost:
		reason := j.Error
		if j.reopens() && !j.State.Final() {
			reason = requestLost(j.Loss)
		}
		x.recordEnd(j, e.Request, api.Failed, reason)
	default:
		return false
	}
	return true
}

// requested queues a request.
func (x *transition) requested(j *Job, e RequestSubmitted) {
	r := e.Request
	by := j.Submitter
	refuse := func(as Refusal, format string, args ...any) { x.do(j, Refuse{as, fmt.Sprintf(format, args...)}) }
	if j.service == nil || !j.service.open {
		if j.reopens() && !j.State.Final() {
			refuse(Unavailable, "service %s has lost its session and is being opened again at %s: send the request again later (the loss: %s)",
				j.ID, x.Limits.Node, j.Loss)
			return
		}
		refuse(Conflict, "service %s is %s at %s and accepts no requests", j.ID, j.State, x.Limits.Node)
		return
	}
	old := j.Request(r.ID)
	if old != nil && old.Digest == r.Digest {
		return
	}
	if n := len(j.service.requests); n >= x.Limits.Queue {
		refuse(Unavailable, "%d requests are queued at %s, the maximum (limits: queue; try again later)", n, x.Limits.Node)
		return
	}
	submitted := audit.Event{Kind: audit.Submitted, Request: r.ID, Actor: by, Named: r.Program}
	if old != nil {
		x.do(j, x.audit(j, submitted, ""))
		refuse(Conflict, requestExists, r.ID)
		return
	}
	x.do(j, x.audit(j, submitted, Requesting))
	if e.Decision.Verdict == policy.Denied {
		x.do(j, x.audit(j, audit.Event{Kind: audit.Denied, Request: r.ID, Actor: by, Reason: e.Decision.Reason}, Requesting))
		refuse(Forbidden, "the policy of %s does not allow it: %s", x.Limits.Node, e.Decision.Reason)
		return
	}
	r.Service, r.Node, r.State, r.Submitted = j.ID, x.Limits.Node, api.Queued, x.now
	s := j.edit()
	if j.Leads() {
		s.queue = append(s.queue[:len(s.queue):len(s.queue)], r.ID)
	} else {
		r.expires = x.now.Add(x.Limits.Wait)
	}
	s.requests[r.ID] = &r
	x.put(j)
	x.do(j, StoreRequest{r.ID, Requesting}, Wake{})
}

// requestExists is the format of the refusal of a request id that is in use.
const requestExists = "request id %s is already used at this node"

// announced accepts the leader's announcement of the next batch.
func (x *transition) announced(j *Job, e Announced) {
	named := map[string]bool{}
	for _, ref := range e.Requests {
		named[ref.Request] = true
	}
	switch n := len(e.Requests); {
	case j.service == nil:
		x.do(j, Refuse{Conflict, fmt.Sprintf("service %s is %s at %s and expects no requests", j.ID, j.State, x.Limits.Node)})
	case n == 0 || n > j.Batch || len(named) < n:
		x.do(j, Refuse{BadRequest, fmt.Sprintf("a batch of %d entries for %d distinct requests; service %s evaluates 1 to %d at once",
			n, len(named), j.ID, j.Batch)})
	case slices.ContainsFunc(e.Requests, func(ref api.RequestRef) bool { _, ok := j.Programs[ref.Program]; return !ok && ref.Program != "" }):
		x.do(j, Refuse{BadRequest, fmt.Sprintf("a batch with a request for a program that service %s does not have", j.ID)})
	case j.service.announced != nil:
		x.do(j, Refuse{Conflict, fmt.Sprintf("service %s is evaluating other requests at %s", j.ID, x.Limits.Node)})
	default:
		j.edit().announced = e.Requests
		x.put(j)
		x.do(j, Wake{})
	}
}

// nextBatch forms the next batch, if there is one: at the leader of all queued requests, up to the
// maximum; at the other nodes as announced. Those wait for requests of the batch that have not arrived.
// Requests that do not arrive in time, or that have another digest, are declined.
func (x *transition) nextBatch(j *Job) {
	s := j.service
	if s == nil || len(s.queue) == 0 && s.announced == nil {
		return
	}
	s = j.edit()
	var batch []api.RequestRef
	if j.Leads() {
		n := min(len(s.queue), j.Batch)
		for _, id := range s.queue[:n] {
			batch = append(batch, api.RequestRef{Request: id, Digest: s.requests[id].Digest, Program: s.requests[id].Program})
		}
		s.queue = s.queue[n:]
	} else {
		missing := slices.ContainsFunc(s.announced, func(ref api.RequestRef) bool { return s.requests[ref.Request] == nil })
		if missing && !s.late {
			if s.until.IsZero() {
				s.until = x.now.Add(x.Limits.RequestWait)
				x.put(j)
			}
			return
		}
		for _, ref := range s.announced {
			if r := s.requests[ref.Request]; r == nil || r.Digest != ref.Digest {
				ref = api.RequestRef{Program: ref.Program}
			}
			batch = append(batch, ref)
		}
		s.announced, s.until, s.late = nil, time.Time{}, false
	}
	for _, ref := range batch {
		if r := s.requests[ref.Request]; r != nil {
			next := *r
			next.taken, next.expires, next.Batch = true, time.Time{}, len(batch)
			s.requests[ref.Request] = &next
		}
	}
	j.Answering = len(batch)
	x.put(j)
	x.do(j, Evaluate{batch}, Wake{})
}

// requestJudged starts a request of a batch, if the policy still allows it.
func (x *transition) requestJudged(j *Job, e RequestJudged) {
	r := j.Request(e.Request)
	switch d := e.Decision; {
	case r == nil:
		x.do(j, Refuse{Conflict, "the request has ended"})
	case d.Verdict == policy.Denied, d.Verdict == policy.NeedsApproval && !j.Approved:
		x.do(j, Refuse{Forbidden, fmt.Sprintf("the policy of %s does not allow it: %s", x.Limits.Node, d.Reason)})
	default:
		next := *r
		next.State, next.Started = api.Running, x.now
		j.edit().requests[r.ID] = &next
		x.put(j)
		x.do(j, x.audit(j, audit.Event{Kind: audit.Started, Request: r.ID, Rule: d.Rule, Inputs: e.Inputs}, RequestStarting))
	}
}

// expireRequests fails the requests that were not announced in time: the leader may not have received
// them. It wakes the service if it has waited long enough for the requests of a batch.
func (x *transition) expireRequests(j *Job) {
	if j.service == nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(j.service.requests)) {
		if r := j.service.requests[id]; !r.expires.IsZero() && !x.now.Before(r.expires) {
			x.endRequest(j, r, api.Failed, 0, fmt.Sprintf("not evaluated within %v (did the leading node, %s, receive the request?)",
				x.Limits.Wait, j.Parties[0]))
			x.do(j, Wake{})
		}
	}
	if s := j.edit(); !s.until.IsZero() && !x.now.Before(s.until) {
		s.until, s.late = time.Time{}, true
		x.put(j)
		x.do(j, Wake{})
	}
}

// endRequests fails the requests of a service whose session ends.
func (x *transition) endRequests(j *Job, reason string) {
	if j.service == nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(j.service.requests)) {
		x.endRequest(j, j.service.requests[id], api.Failed, 0, reason)
	}
	j.service = nil
}

// endRequest puts a request into a final state and removes it from the service.
func (x *transition) endRequest(j *Job, r *Request, to api.State, results int, reason string) {
	x.forgetRequest(j, r.ID)
	status := r.RequestStatus
	status.Results = results
	x.recordEnd(j, status, to, reason)
}

// forgetRequest removes a request from the service.
func (x *transition) forgetRequest(j *Job, id string) {
	s := j.edit()
	delete(s.requests, id)
	s.queue = slices.DeleteFunc(slices.Clone(s.queue), func(queued string) bool { return queued == id })
	x.put(j)
}

// recordEnd records how a request has ended.
func (x *transition) recordEnd(j *Job, r api.RequestStatus, to api.State, reason string) {
	kind := audit.Finished
	if to == api.Failed {
		kind = audit.Failed
	}
	r.State, r.Error, r.Ended = to, reason, x.now
	x.do(j, SaveRequest{r}, x.audit(j, audit.Event{Kind: kind, Request: r.ID, Reason: reason}, ""), LogRequest{r})
	j.answered = append(slices.Clone(j.answered), r.ID)
	for ; len(j.answered) > x.Limits.Requests; j.answered = j.answered[1:] {
		x.do(j, RemoveRequest{j.answered[0]})
	}
	x.put(j)
}
