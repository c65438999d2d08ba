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

// jobsFolder is where in the state folder every job has a folder of its own.
const jobsFolder = "jobs"

// The files of a job's folder.
const (
	submissionFile = "submission.json"
	jobFile        = "job.json"
	reportFile     = "report.json"
	resultsFolder  = "results"
)

// record is what of a task outlives the process.
type record struct {
	api.Job
	Sent     string   `json:"sent"` // the submission's digest
	Approved bool     `json:"approved,omitempty"`
	Fetch    []string `json:"fetch,omitempty"`
}

func (n *Node) folder(t *task) string {
	return filepath.Join(n.config.State, jobsFolder, t.ID)
}

// save writes a task's record. The node's lock is held.
func (n *Node) save(t *task) error {
	text, err := json.MarshalIndent(record{t.Job, t.digest, t.approved, t.fetch}, "", " ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(n.folder(t), jobFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("job %s is not written down: %w", t.ID, err)
	}
	return nil
}

// add enters a new task, on disk first, which goes on from another or from none
// (nil). Of one that is denied at once the submission, which may be large, is not
// kept.
func (n *Node) add(t, old *task) error {
	text, err := json.Marshal(t.work.sub)
	if err != nil {
		return err
	}
	dir := n.folder(t)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("job %s is not written down: %w", t.ID, err)
	}
	if !t.State.Final() {
		if err = durable.WriteFile(filepath.Join(dir, submissionFile), text, 0o600); err != nil {
			err = fmt.Errorf("job %s is not written down: %w", t.ID, err)
		}
	} else {
		t.work = nil
	}
	if err == nil && old != nil {
		err = n.inherit(t, old)
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

// prune forgets the jobs that ended first where more have ended than are kept.
// The audit log still has them. The node's lock is held.
func (n *Node) prune() {
	var ended []*task
	for _, t := range n.tasks {
		if t.State.Final() && t.seats == nil {
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
			n.log.Error("an old job is not removed", "job", t.ID, "error", err.Error())
			continue
		}
		delete(n.tasks, t.ID)
	}
}

// change changes a task and tells who waits for that. The node's lock is held.
func (n *Node) change(t *task, f func()) {
	f()
	close(t.changed)
	t.changed = make(chan struct{})
}

// end puts a task into a final state. The node's lock is held.
func (n *Node) end(t *task, s api.State, reason string) {
	if t.State.Final() {
		return
	}
	reason = n.config.bare(reason)
	n.change(t, func() {
		t.State, t.Error, t.Phase, t.Step, t.Steps = s, reason, "", 0, 0
		t.work, t.given = nil, nil // which may be large, and are nobody's any more
		t.Ended = time.Now()
		if s == api.Done { // nothing is gone on from
			t.Aside, t.NotAside = "", ""
		}
		n.unreserve(t)
	})
	var left error
	if s != api.Done { // what lies there holds their places, or is not all
		left = os.RemoveAll(filepath.Join(n.folder(t), resultsFolder))
	}
	kind := map[api.State]audit.Kind{api.Done: audit.Finished, api.Failed: audit.Failed, api.Denied: audit.Denied, api.Cancelled: audit.Cancelled}[s]
	if err := errors.Join(left, n.save(t), n.note(t, audit.Event{Kind: kind, Reason: reason})); err != nil {
		n.log.Error("a job's end is not written down", "job", t.ID, "error", err.Error())
	}
	if err := os.Remove(filepath.Join(n.folder(t), submissionFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.log.Error("an ended job's submission is not removed", "job", t.ID, "error", err.Error())
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

// note enters an event of a task in the audit log. Nothing that the owner has
// a right to know of may happen before it is there.
func (n *Node) note(t *task, e audit.Event) error {
	e.Time, e.Job, e.Program, e.Session = time.Now(), t.ID, t.Digest, t.Session
	if err := n.audit.Append(e); err != nil {
		return errors.New(n.config.bare(err.Error()))
	}
	return nil
}

// restore takes over the jobs of the state folder. Those that ran when the
// process ended have failed: their sessions are spent.
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
	if err := durable.Sweep(dir); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, jobFile))
	if errors.Is(err, fs.ErrNotExist) { // stopped while it came in: nobody was told that it had
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
	if text, err = os.ReadFile(filepath.Join(dir, submissionFile)); err != nil {
		return err
	}
	sub := &api.Submission{}
	if err := json.Unmarshal(text, sub); err != nil {
		return err
	}
	t, err := n.read(sub, r.Submitter, r.Submitted)
	if err != nil { // an input is gone, or the configuration has changed
		t = &task{digest: sub.Digest(), changed: make(chan struct{})}
	}
	t.Job, t.approved, t.fetch = r.Job, r.Approved, r.Fetch
	n.tasks[t.ID] = t
	switch {
	case err != nil:
		n.end(t, api.Failed, err.Error())
	case t.State == api.Running:
		t.Aside = n.newest(t)
		n.end(t, api.Failed, fmt.Sprintf("the node of %s was stopped while the job ran", n.config.Name))
		return n.endRequests(t)
	}
	return nil
}

// resume goes on with jobs that wait for their turn.
func (n *Node) resume() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, t := range n.tasks {
		n.look(t)
	}
}
