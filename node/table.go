package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
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

// record is the part of a job that is stored in jobFile.
type record struct {
	api.Job
	Sent     string   `json:"sent"` // digest of the submission
	Approved bool     `json:"approved,omitempty"`
	Fetch    []string `json:"fetch,omitempty"`
}

func (n *Node) folder(id string) string {
	return filepath.Join(n.config.State, jobsFolder, id)
}

// save writes a job's record to disk.
func (n *Node) save(t *task) error {
	j := n.jobs.Job(t.ID)
	text, err := json.MarshalIndent(record{j.Job, j.Sent, j.Approved, j.Fetch}, "", " ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(n.folder(t.ID), jobFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("job %s cannot be stored: %w", t.ID, err)
	}
	return nil
}

// store makes the folder of a new job. old is the job that it resumes, or nil. The submission of a job
// that is denied at once is not stored: it may be large. After an error nothing is left.
func (n *Node) store(t, old *task) error {
	text, err := json.Marshal(t.resolved.sub)
	if err != nil {
		return err
	}
	dir := n.folder(t.ID)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("job %s cannot be stored: %w", t.ID, err)
	}
	if !n.jobs.Job(t.ID).State.Final() {
		if err = durable.WriteFile(filepath.Join(dir, submissionFile), text, 0o600); err != nil {
			err = fmt.Errorf("job %s cannot be stored: %w", t.ID, err)
		}
	}
	if err == nil && old != nil {
		err = n.linkCheckpoints(t, old)
	}
	if err == nil {
		err = n.save(t)
	}
	if err != nil {
		os.RemoveAll(dir)
	}
	return err
}

// appendAudit appends an event of a job's session to the audit log. It must return nil before the
// logged action takes place.
func (n *Node) appendAudit(t *task, e audit.Event) error {
	e.Time, e.Job, e.Program, e.Session = time.Now(), t.ID, t.Digest, t.session
	if err := n.audit.Append(e); err != nil {
		return errors.New(n.config.redactPaths(err.Error()))
	}
	return nil
}

// restore loads the jobs of the state folder.
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
	e := jobstate.Restored{Job: jobstate.Job{Job: r.Job, Sent: r.Sent, Approved: r.Approved, Fetch: r.Fetch}}
	t := newTask(&e.Job)
	if !r.State.Final() {
		if t, err = n.readAgain(dir, &e); err != nil {
			return err
		}
	}
	n.tasks[t.ID] = t // no other goroutine uses the node yet
	n.apply(t, e)
	if r.State == api.Running && e.Problem == "" {
		return n.failOpenRequests(t)
	}
	return nil
}

// readAgain resolves the submission of a job that had not ended when the process did, and completes e.
func (n *Node) readAgain(dir string, e *jobstate.Restored) (*task, error) {
	text, err := os.ReadFile(filepath.Join(dir, submissionFile))
	if errors.Is(err, fs.ErrNotExist) { // the job has ended, and the disk had no room for its record
		e.Problem = fmt.Sprintf("the node of %s could not store how the job ended", n.config.Name)
		return newTask(&e.Job), nil
	}
	if err != nil {
		return nil, err
	}
	sub := &api.Submission{}
	if err := json.Unmarshal(text, sub); err != nil {
		return nil, err
	}
	j, t, err := n.read(sub, e.Job.Submitter, e.Job.Submitted)
	if err != nil { // an input is missing, or the configuration has changed
		e.Problem = n.config.redactPaths(err.Error())
		return newTask(&e.Job), nil
	}
	j.Job, j.Approved, j.Fetch = e.Job.Job, e.Job.Approved, e.Job.Fetch
	e.Job = *j
	if j.State == api.Running {
		e.Checkpoint = n.newestCheckpoint(t)
	}
	return t, nil
}
