package node

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// request is a request to a service at this node.
type request struct {
	api.RequestStatus
	digest   string
	job      *job.Job // the service's job with this party's inputs of this request only
	inputs   []input
	resident []string    // names of this party's resident inputs
	expiry   *time.Timer // at nodes other than the leader: ends the request if it is not announced in time
	dequeued bool        // a batch with the request has begun
}

// Each request of a service has a folder within requestsFolder; requestFile in it records how the
// request ended.
const (
	requestsFolder = "requests"
	requestFile    = "request.json"
)

func (n *Node) requestFolder(job, id string) string {
	return filepath.Join(n.folder(job), requestsFolder, id)
}

// request accepts a request from the service's submitter, after the policy has judged it, and queues
// it.
func (n *Node) request(t *task, w *resolvedJob, ask *api.Request, by string) (api.RequestStatus, error) {
	if by != t.Submitter {
		return api.RequestStatus{}, refuse(http.StatusForbidden, "%s may not send requests to service %s: only its submitter, %s, may", by, t.ID, t.Submitter)
	}
	if id, err := hex.DecodeString(ask.ID); err != nil || len(id) != 16 || hex.EncodeToString(id) != ask.ID {
		return api.RequestStatus{}, refuse(http.StatusBadRequest, "request id %.40q is not 32 hexadecimal digits", ask.ID)
	}
	r := &request{digest: ask.Digest()}
	r.RequestStatus = api.RequestStatus{ID: ask.ID, Service: t.ID, Node: n.config.Name, State: api.Queued, Submitted: time.Now()}
	if err := r.resolveInputs(n.config, w, ask); err != nil {
		return api.RequestStatus{}, refuse(http.StatusBadRequest, "%w", err)
	}
	decision := n.policy.Judge(t.factsOf(r))
	n.mu.Lock()
	defer n.mu.Unlock()
	s := t.service
	if s == nil || !s.open {
		return api.RequestStatus{}, refuse(http.StatusConflict, "service %s is %s at %s and accepts no requests", t.ID, n.jobs.Job(t.ID).State, n.config.Name)
	}
	if old := s.pending[r.ID]; old != nil && old.digest == r.digest {
		return old.RequestStatus, nil
	}
	if len(s.pending) >= cap(s.queue) {
		return api.RequestStatus{}, refuse(http.StatusServiceUnavailable, "%d requests are queued at %s, the maximum (limits: queue; try again later)",
			len(s.pending), n.config.Name)
	}
	err := n.appendAudit(t, audit.Event{Kind: audit.Submitted, Request: r.ID, Actor: by})
	if err == nil && decision.Verdict == policy.Denied {
		err = n.appendAudit(t, audit.Event{Kind: audit.Denied, Request: r.ID, Actor: by, Reason: decision.Reason})
		if err == nil {
			return api.RequestStatus{}, refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, decision.Reason)
		}
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(n.folder(t.ID), requestsFolder), 0o700)
	}
	if err == nil {
		if err = os.Mkdir(n.requestFolder(t.ID, r.ID), 0o700); errors.Is(err, os.ErrExist) {
			return api.RequestStatus{}, refuse(http.StatusConflict, "request id %s is already used at this node", r.ID)
		}
	}
	if err != nil {
		return api.RequestStatus{}, refuse(http.StatusInsufficientStorage, "request %s cannot be stored: %w", r.ID, err)
	}
	s.pending[r.ID] = r
	n.wake(t)
	if t.rank == 0 {
		s.queue <- r // does not block: the queue has room for all pending requests
	} else {
		r.expiry = time.AfterFunc(n.config.Limits.Wait, func() { n.expire(t, r) })
	}
	return r.RequestStatus, nil
}

// expire fails a request that was not announced within Limits.Wait: the leader may not have received
// it.
func (n *Node) expire(t *task, r *request) {
	n.mu.Lock()
	waits := r.State == api.Queued && !r.dequeued
	if waits {
		r.State = api.Failed // so that no batch begins it any more
	}
	n.mu.Unlock()
	if waits {
		n.endRequest(t, r, api.Failed, fmt.Sprintf("not evaluated within %v (did the leading node, %s, receive the request?)",
			n.config.Limits.Wait, t.Parties[0]))
	}
}

// resolveInputs determines this party's inputs of a request: the service's inputs that are not
// resident, replaced in their order by the files that the request names for this party.
func (r *request) resolveInputs(c *Config, w *resolvedJob, ask *api.Request) error {
	var named []api.Input
	for _, in := range ask.Inputs {
		if in.Owner == c.Name {
			named = append(named, in)
		}
	}
	mine := *w.job
	mine.Inputs = nil
	all := w.inputs
	for _, in := range w.job.Inputs { // all of them are this party's
		found := all[0]
		all = all[1:]
		if in.Resident {
			r.resident = append(r.resident, found.name)
			continue
		}
		if len(named) > 0 {
			var err error
			if found, err = c.findInput(named[0]); err != nil {
				return err
			}
			if in.Args == nil && filepath.Ext(found.path) != ".npz" {
				return fmt.Errorf("input %q holds one array, but the input that it replaces is an .npz file", found.name)
			}
			in.File, named = found.path, named[1:]
		}
		r.inputs = append(r.inputs, found)
		r.Inputs = append(r.Inputs, found.name)
		mine.Inputs = append(mine.Inputs, in)
	}
	if len(named) > 0 {
		return fmt.Errorf("the request names more inputs of %s than the service has non-resident ones: %q",
			c.Name, named[0].Name)
	}
	r.job = &mine
	return nil
}

// endRequest puts a request into a final state, unless it is in one.
func (n *Node) endRequest(t *task, r *request, s api.State, reason string) {
	kind := audit.Finished
	if s == api.Failed {
		kind = audit.Failed
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !r.Ended.IsZero() {
		return
	}
	if r.expiry != nil {
		r.expiry.Stop()
	}
	r.State, r.Error, r.Ended = s, n.config.redactPaths(reason), time.Now()
	text, err := json.MarshalIndent(r.RequestStatus, "", " ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(n.requestFolder(t.ID, r.ID), requestFile), append(text, '\n'), 0o600)
	}
	if err = errors.Join(err, n.appendAudit(t, audit.Event{Kind: kind, Request: r.ID, Reason: reason})); err != nil {
		n.log.Error("cannot store a request's end", "job", t.ID, "request", r.ID, "error", err.Error())
	}
	if t.service != nil {
		delete(t.service.pending, r.ID)
	}
	n.wake(t)
	if n.counts != nil {
		n.counts.Served(string(s), r.Ended.Sub(r.Submitted))
	}
	n.log.Info("request "+string(s), "job", t.ID, "request", r.ID, "error", reason)
}

// failOpenRequests fails the requests that were queued or running when the process ended.
func (n *Node) failOpenRequests(t *task) error {
	j := n.job(t)
	folders, err := os.ReadDir(filepath.Join(n.folder(t.ID), requestsFolder))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range folders {
		folder := n.requestFolder(t.ID, f.Name())
		if err := durable.RemoveUnfinished(folder); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(folder, requestFile)); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(folder, resultsFolder)); err != nil { // placeholders of reserveDiskSpace
			return err
		}
		r := &request{RequestStatus: api.RequestStatus{ID: f.Name(), Service: t.ID, Node: n.config.Name, Submitted: j.Started}}
		n.endRequest(t, r, api.Failed, j.Error)
	}
	return nil
}

// requestStatus returns the status of a request. Node.mu is held.
func (n *Node) requestStatus(t *task, id string) (api.RequestStatus, error) {
	if t.service != nil {
		if r := t.service.pending[id]; r != nil {
			return r.RequestStatus, nil
		}
	}
	var s api.RequestStatus
	none := refuse(http.StatusNotFound, "service %s has no request %.40q at %s", t.ID, id, n.config.Name)
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != 16 {
		return s, none
	}
	folder := n.requestFolder(t.ID, id)
	text, err := os.ReadFile(filepath.Join(folder, requestFile))
	if errors.Is(err, os.ErrNotExist) {
		info, err := os.Stat(folder)
		if err != nil {
			return s, none
		}
		return api.RequestStatus{
			ID: id, Service: t.ID, Node: n.config.Name, State: api.Failed, Submitted: info.ModTime(),
			Error: fmt.Sprintf("%s has no record of how it ended (the node was stopped, or could not write)", n.config.Name),
		}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}
