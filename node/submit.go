package node

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// refusal is an error that is answered with an HTTP status.
type refusal struct {
	status int
	error
}

func (r refusal) Unwrap() error { return r.error }

func refuse(status int, format string, args ...any) error {
	return refusal{status, fmt.Errorf(format, args...)}
}

// submit applies the policy to a submission and stores it as a job. An invalid submission is refused.
// Submitting the same submission again, by the same submitter, returns the stored job.
func (n *Node) submit(sub *api.Submission, by string) (api.Job, error) {
	n.mu.Lock()
	if old := n.tasks[sub.ID]; old != nil {
		defer n.mu.Unlock()
		if old.Submitter == by && old.digest == sub.Digest() {
			return old.Job, nil
		}
		return api.Job{}, refuse(http.StatusConflict, "job id %s is already used by a different submission at this node", sub.ID)
	}
	n.mu.Unlock()
	t, err := n.read(sub, by, time.Now())
	if err != nil {
		return api.Job{}, refuse(http.StatusBadRequest, "%w", err)
	}
	decision := n.policy.Judge(t.facts)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return api.Job{}, refuse(http.StatusServiceUnavailable, "%w", ErrStopping)
	}
	if n.tasks[sub.ID] != nil {
		return api.Job{}, refuse(http.StatusConflict, "job %s is being submitted by another call", sub.ID)
	}
	var old *task
	if t.Resumes != "" && decision.Verdict != policy.Denied {
		if old, err = n.resumableJob(t); err != nil {
			return api.Job{}, err
		}
	}
	open := 0
	for _, o := range n.tasks {
		if !o.State.Final() {
			open++
		}
	}
	if open >= n.config.Limits.Queue {
		return api.Job{}, refuse(http.StatusServiceUnavailable, "the queue of %s is full: %d jobs (try again later)", n.config.Name, open)
	}
	t.Rule, t.fetch = decision.Rule, decision.Fetch
	switch decision.Verdict {
	case policy.Allowed:
		t.State = api.Queued
	case policy.NeedsApproval:
		t.State = api.Pending
	default:
		t.State, t.Error, t.Ended = api.Denied, "the policy of "+n.config.Name+" does not allow it: "+decision.Reason, time.Now()
	}
	err = n.appendAudit(t, audit.Event{Kind: audit.Submitted, Actor: by})
	if err == nil && t.State == api.Denied {
		err = n.appendAudit(t, audit.Event{Kind: audit.Denied, Actor: by, Reason: decision.Reason})
	}
	if err == nil {
		err = n.add(t, old)
	}
	if err != nil {
		return api.Job{}, refuse(http.StatusInsufficientStorage, "%w", err)
	}
	n.log.Info("job "+string(t.State), "job", t.ID, "submitter", by, "program", t.Program, "digest", t.Digest, "rule", t.Rule, "error", t.Error)
	n.supervise(t)
	return t.Job, nil
}

// checkSameSubmission refuses a peer's message whose submission digest differs from t's, and names the
// terms that differ. After the job's end it returns nil: the caller then answers with the job's final
// state.
func (n *Node) checkSameSubmission(t *task, by string, m api.Reserve) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m.Digest == t.digest || t.resolved == nil {
		return nil
	}
	return refuse(http.StatusConflict, "the submissions differ in %s", differences(n.config.Name, t.resolved.sub.Terms(), by, m.Terms))
}

// differences lists the terms in which two submissions differ, with both values.
func differences(here string, own map[string]string, there string, theirs map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if own[name] != theirs[name] {
			out = append(out, fmt.Sprintf("%s: %s at %s, %s at %s", name, brief(own[name]), here, brief(theirs[name]), there))
		}
	}
	if out == nil {
		return "a term that only one of the two releases knows (run the same release everywhere)"
	}
	return strings.Join(out, "; ")
}

// brief shortens a term for messages.
func brief(term string) string {
	if strings.HasPrefix(term, "sha256:") {
		return fmt.Sprintf("%.15s", term)
	}
	return fmt.Sprintf("%.80s", term)
}

// approve changes a pending job to queued, on behalf of the admin by.
func (n *Node) approve(t *task, by string) error {
	if t.State != api.Pending {
		return refuse(http.StatusConflict, "job %s is %s: only pending jobs are approved", t.ID, t.State)
	}
	err := n.appendAudit(t, audit.Event{Kind: audit.Approved, Actor: by})
	if err != nil {
		return refuse(http.StatusInsufficientStorage, "%w", err)
	}
	n.change(t, func() {
		t.approved, t.State = true, api.Queued
		if err = n.save(t); err != nil {
			t.approved, t.State = false, api.Pending
		}
	})
	return err
}

// cancel ends a job at this node. The other parties of a running job learn of it because their session
// is aborted.
func (n *Node) cancel(t *task, by string) error {
	if t.State.Final() {
		return refuse(http.StatusConflict, "job %s is %s already", t.ID, t.State)
	}
	reason := fmt.Sprintf("cancelled by %s at %s", by, n.config.Name)
	if t.stop != nil {
		t.stop(cancelled{reason})
		return nil
	}
	n.end(t, api.Cancelled, reason)
	return nil
}

// cancelled is the cause of the end of a running job's context if the job was cancelled.
type cancelled struct{ reason string }

func (c cancelled) Error() string { return c.reason }
