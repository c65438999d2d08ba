package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// jobsFolder is the folder within the state folder that holds one folder per job.
const jobsFolder = "jobs"

// The files in a job's folder.
const (
	submissionFile = "submission.json"
	jobFile        = "job.json"
	reportFile     = "report.json"
	resultsFolder  = "results"
)

// record is the part of a task that is stored in jobFile.
type record struct {
	api.Job
	Sent     string   `json:"sent"` // digest of the submission
	Approved bool     `json:"approved,omitempty"`
	Fetch    []string `json:"fetch,omitempty"`
}

func (n *Node) folder(t *task) string {
	return filepath.Join(n.config.State, jobsFolder, t.ID)
}

// save writes a task's record to disk. Node.mu is held.
func (n *Node) save(t *task) error {
	text, err := json.MarshalIndent(record{t.Job, t.digest, t.approved, t.fetch}, "", " ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(n.folder(t), jobFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("job %s cannot be stored: %w", t.ID, err)
	}
	return nil
}

// add writes a new task to disk and enters it into n.tasks. old is the job that it resumes, or nil.
// The submission of a job that is denied at once is not stored: it may be large.
func (n *Node) add(t, old *task) error {
	text, err := json.Marshal(t.resolved.sub)
	if err != nil {
		return err
	}
	dir := n.folder(t)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("job %s cannot be stored: %w", t.ID, err)
	}
	if !t.State.Final() {
		if err = durable.WriteFile(filepath.Join(dir, submissionFile), text, 0o600); err != nil {
			err = fmt.Errorf("job %s cannot be stored: %w", t.ID, err)
		}
	} else {
		t.resolved = nil
	}
	if err == nil && old != nil {
		err = n.linkCheckpoints(t, old)
	}
	if err == nil {
		err = n.save(t)
	}
	if err != nil {
		os.RemoveAll(dir)
		return err
	}
	n.tasks[t.ID] = t
	n.prune()
	return nil
}

// prune removes the jobs that ended first while more than Limits.Keep have ended. The audit log still
// lists them. Node.mu is held.
func (n *Node) prune() {
	var ended []*task
	for _, t := range n.tasks {
		if t.State.Final() && t.conns == nil {
			ended = append(ended, t)
		}
	}
	more := len(ended) - n.config.Limits.Keep
	if more <= 0 {
		return
	}
	slices.SortFunc(ended, func(a, b *task) int { return a.Ended.Compare(b.Ended) })
	for _, t := range ended[:more] {
		if err := os.RemoveAll(n.folder(t)); err != nil {
			n.log.Error("cannot remove an old job", "job", t.ID, "error", err.Error())
			continue
		}
		delete(n.tasks, t.ID)
	}
}

// change applies f to a task and wakes the goroutines that wait on t.changed. Node.mu is held.
func (n *Node) change(t *task, f func()) {
	f()
	close(t.changed)
	t.changed = make(chan struct{})
}

// end puts a task into a final state, unless it is in one. Node.mu is held.
func (n *Node) end(t *task, s api.State, reason string) {
	if t.State.Final() {
		return
	}
	reason = n.config.redactPaths(reason)
	n.change(t, func() {
		t.State, t.Error, t.Phase, t.Step, t.Steps = s, reason, "", 0, 0
		t.resolved, t.inputValues = nil, nil // free the memory
		t.Ended = time.Now()
		if s == api.Done { // a job that is done cannot be resumed
			t.NewestCheckpoint, t.CheckpointError = "", ""
		}
		n.unreserve(t)
	})
	var left error
	if s != api.Done { // the files are placeholders, or incomplete
		left = os.RemoveAll(filepath.Join(n.folder(t), resultsFolder))
	}
	kind := map[api.State]audit.Kind{api.Done: audit.Finished, api.Failed: audit.Failed, api.Denied: audit.Denied, api.Cancelled: audit.Cancelled}[s]
	if err := errors.Join(left, n.save(t), n.appendAudit(t, audit.Event{Kind: kind, Reason: reason})); err != nil {
		n.log.Error("cannot store a job's end", "job", t.ID, "error", err.Error())
	}
	if err := os.Remove(filepath.Join(n.folder(t), submissionFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.log.Error("cannot remove an ended job's submission", "job", t.ID, "error", err.Error())
	}
	if n.counts != nil {
		var ran time.Duration
		if !t.Started.IsZero() {
			ran = t.Ended.Sub(t.Started)
		}
		n.counts.Ended(string(s), ran)
	}
	level := n.log.Info
	if s == api.Failed {
		level = n.log.Warn
	}
	level("job "+string(s), "job", t.ID, "submitter", t.Submitter, "program", t.Program, "error", reason)
}

// appendAudit appends an event of a task to the audit log. It must return nil before the logged action
// takes place.
func (n *Node) appendAudit(t *task, e audit.Event) error {
	e.Time, e.Job, e.Program, e.Session = time.Now(), t.ID, t.Digest, t.Session
	if err := n.audit.Append(e); err != nil {
		return errors.New(n.config.redactPaths(err.Error()))
	}
	return nil
}

// restore loads the jobs of the state folder. Jobs that were running when the process ended become
// failed: a session cannot be continued.
func (n *Node) restore() error {
	dir := filepath.Join(n.config.State, jobsFolder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	for _, e := range entries {
		if err := n.restoreOne(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("state: job %s: %w", e.Name(), err)
		}
	}
	return nil
}

func (n *Node) restoreOne(dir string) error {
	if err := durable.RemoveUnfinished(dir); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, jobFile))
	if errors.Is(err, fs.ErrNotExist) { // the process ended while the submission was being stored; no caller got an answer
		return os.RemoveAll(dir)
	}
	if err != nil {
		return err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	if r.State.Final() {
		n.tasks[r.ID] = &task{Job: r.Job, digest: r.Sent, fetch: r.Fetch, changed: make(chan struct{})}
		return nil
	}
	text, err = os.ReadFile(filepath.Join(dir, submissionFile))
	if errors.Is(err, fs.ErrNotExist) { // the job has ended, and the disk had no room for its record
		t := &task{Job: r.Job, digest: r.Sent, fetch: r.Fetch, changed: make(chan struct{})}
		n.tasks[t.ID] = t
		n.end(t, api.Failed, fmt.Sprintf("the node of %s could not store how the job ended", n.config.Name))
		return n.failOpenRequests(t)
	}
	if err != nil {
		return err
	}
	sub := &api.Submission{}
	if err := json.Unmarshal(text, sub); err != nil {
		return err
	}
	t, err := n.read(sub, r.Submitter, r.Submitted)
	if err != nil { // an input is missing, or the configuration has changed
		t = &task{digest: sub.Digest(), changed: make(chan struct{})}
	}
	t.Job, t.approved, t.fetch = r.Job, r.Approved, r.Fetch
	n.tasks[t.ID] = t
	switch {
	case err != nil:
		n.end(t, api.Failed, err.Error())
	case t.State == api.Running:
		t.NewestCheckpoint = n.newestCheckpoint(t)
		n.end(t, api.Failed, fmt.Sprintf("the node of %s was stopped while the job ran", n.config.Name))
		return n.failOpenRequests(t)
	}
	return nil
}

// resume starts the supervision of the restored jobs that have not ended.
func (n *Node) resume() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, t := range n.tasks {
		n.supervise(t)
	}
}
