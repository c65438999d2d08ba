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
	api.Served
	digest   string
	job      *job.Job // with this party's inputs of the request alone
	inputs   []input
	resident []string    // the names of this party's other inputs
	late     *time.Timer // at others than the lead: ends it if its turn does not come
	called   bool        // it has come
}

// The folder of a service's requests, and the file in each that says how it
// ended.
const (
	requestsFolder = "requests"
	servedFile     = "request.json"
)

func (n *Node) requestFolder(t *task, id string) string {
	return filepath.Join(n.folder(t), requestsFolder, id)
}

// request takes a request for a turn of a service, from whoever has submitted
// that, and puts it behind those that wait.
func (n *Node) request(t *task, w *work, ask *api.Request, by string) (api.Served, error) {
	if by != t.Submitter {
		return api.Served{}, refuse(http.StatusForbidden, "%s is not who runs service %s: %s is", by, t.ID, t.Submitter)
	}
	if id, err := hex.DecodeString(ask.ID); err != nil || len(id) != 16 || hex.EncodeToString(id) != ask.ID {
		return api.Served{}, refuse(http.StatusBadRequest, "request id %.40q is not 32 hexadecimal digits", ask.ID)
	}
	r := &request{digest: ask.Digest()}
	r.Served = api.Served{ID: ask.ID, Service: t.ID, Node: n.config.Name, State: api.Queued, Submitted: time.Now()}
	if err := r.take(n.config, w, ask); err != nil {
		return api.Served{}, refuse(http.StatusBadRequest, "%w", err)
	}
	decision := n.policy.Judge(t.factsOf(r))
	n.mu.Lock()
	defer n.mu.Unlock()
	s := t.service
	if s == nil || !s.open {
		return api.Served{}, refuse(http.StatusConflict, "service %s is %s at %s, and takes no requests", t.ID, t.State, n.config.Name)
	}
	if old := s.waits[r.ID]; old != nil && old.digest == r.digest {
		return old.Served, nil
	}
	if len(s.waits) >= cap(s.next) {
		return api.Served{}, refuse(http.StatusServiceUnavailable, "%d requests wait at %s, which is all that may (limits: queue; try again later)", len(s.waits), n.config.Name)
	}
	err := n.note(t, audit.Event{Kind: audit.Submitted, Request: r.ID, Who: by})
	if err == nil && decision.Verdict == policy.Denied {
		err = n.note(t, audit.Event{Kind: audit.Denied, Request: r.ID, Who: by, Reason: decision.Reason})
		if err == nil {
			return api.Served{}, refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, decision.Reason)
		}
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(n.folder(t), requestsFolder), 0o700)
	}
	if err == nil {
		if err = os.Mkdir(n.requestFolder(t, r.ID), 0o700); errors.Is(err, os.ErrExist) {
			return api.Served{}, refuse(http.StatusConflict, "request %s has been here already, or another of its id waits", r.ID)
		}
	}
	if err != nil {
		return api.Served{}, refuse(http.StatusInsufficientStorage, "request %s is not written down: %w", r.ID, err)
	}
	n.change(t, func() { s.waits[r.ID] = r })
	if t.leads() {
		s.next <- r // it has room for all that wait
	} else {
		r.late = time.AfterFunc(n.config.Limits.Wait, func() { n.expire(t, r) })
	}
	return r.Served, nil
}

// expire ends a request whose turn has not come: the lead may not have got it.
func (n *Node) expire(t *task, r *request) {
	n.mu.Lock()
	waits := r.State == api.Queued && !r.called
	if waits {
		r.State = api.Failed // and it is not begun any more
	}
	n.mu.Unlock()
	if waits {
		n.over(t, r, api.Failed, fmt.Sprintf("its turn has not come within %v (has %s, who leads the service, got it?)", n.config.Limits.Wait, t.Parties[0]))
	}
}

// take finds this party's inputs of a request: those of the job that are not
// resident, or what the request names in their places.
func (r *request) take(c *Config, w *work, ask *api.Request) error {
	var named []api.Input
	for _, in := range ask.Inputs {
		if in.Owner == c.Name {
			named = append(named, in)
		}
	}
	mine := *w.job
	mine.Inputs = nil
	all := w.inputs
	for _, in := range w.job.Inputs { // all are this party's
		found := all[0]
		all = all[1:]
		if in.Resident {
			r.resident = append(r.resident, found.name)
			continue
		}
		if len(named) > 0 {
			var err error
			if found, err = c.find(named[0]); err != nil {
				return err
			}
			if in.Args == nil && filepath.Ext(found.path) != ".npz" {
				return fmt.Errorf("input %q holds one array, and takes the place of an .npz", found.name)
			}
			in.File, named = found.path, named[1:]
		}
		r.inputs = append(r.inputs, found)
		r.Inputs = append(r.Inputs, found.name)
		mine.Inputs = append(mine.Inputs, in)
	}
	if len(named) > 0 {
		return fmt.Errorf("the request names more inputs of %s than the service's job has that are not resident: %q", c.Name, named[0].Name)
	}
	r.job = &mine
	return nil
}

// over puts a request into a final state, once.
func (n *Node) over(t *task, r *request, s api.State, reason string) {
	kind := audit.Finished
	if s == api.Failed {
		kind = audit.Failed
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !r.Ended.IsZero() {
		return
	}
	if r.late != nil {
		r.late.Stop()
	}
	r.State, r.Error, r.Ended = s, n.config.bare(reason), time.Now()
	text, err := json.MarshalIndent(r.Served, "", " ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(n.requestFolder(t, r.ID), servedFile), append(text, '\n'), 0o600)
	}
	if err = errors.Join(err, n.note(t, audit.Event{Kind: kind, Request: r.ID, Reason: reason})); err != nil {
		n.log.Error("a request's end is not written down", "job", t.ID, "request", r.ID, "error", err.Error())
	}
	n.change(t, func() {
		if t.service != nil {
			delete(t.service.waits, r.ID)
		}
	})
	if n.counts != nil {
		n.counts.Served(string(s), r.Ended.Sub(r.Submitted))
	}
	n.log.Info("request "+string(s), "job", t.ID, "request", r.ID, "error", reason)
}

// endRequests ends the requests to a service that were under way, or waited, when
// the process ended.
func (n *Node) endRequests(t *task) error {
	folders, err := os.ReadDir(filepath.Join(n.folder(t), requestsFolder))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range folders {
		folder := n.requestFolder(t, f.Name())
		if err := durable.Sweep(folder); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(folder, servedFile)); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(folder, resultsFolder)); err != nil { // room that was held for them
			return err
		}
		r := &request{Served: api.Served{ID: f.Name(), Service: t.ID, Node: n.config.Name, Submitted: t.Started}}
		n.over(t, r, api.Failed, t.Error)
	}
	return nil
}

// servedOf is how far a request is. The node's lock is held.
func (n *Node) servedOf(t *task, id string) (api.Served, error) {
	if t.service != nil {
		if r := t.service.waits[id]; r != nil {
			return r.Served, nil
		}
	}
	var s api.Served
	none := refuse(http.StatusNotFound, "service %s has no request %.40q at %s", t.ID, id, n.config.Name)
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != 16 {
		return s, none
	}
	folder := n.requestFolder(t, id)
	text, err := os.ReadFile(filepath.Join(folder, servedFile))
	if errors.Is(err, os.ErrNotExist) {
		info, err := os.Stat(folder)
		if err != nil {
			return s, none
		}
		return api.Served{
			ID: id, Service: t.ID, Node: n.config.Name, State: api.Failed, Submitted: info.ModTime(),
			Error: fmt.Sprintf("%s has not written down how it ended (the node was stopped, or could not write)", n.config.Name),
		}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}
