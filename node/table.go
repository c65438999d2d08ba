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
	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/regular"
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
	Format   int      `json:"format,omitempty"`
	Sent     string   `json:"sent"` // digest of the submission
	Approved bool     `json:"approved,omitempty"`
	Planning bool     `json:"planning,omitempty"` // the job is being planned, or was when the process ended
	Fetch    []string `json:"fetch,omitempty"`
	// Backoff is the leader's wait, in nanoseconds, after the last loss of a service that opens again.
	Backoff time.Duration `json:"backoff,omitempty"`
}

func (n *Node) folder(id string) string {
	return filepath.Join(n.config.State, jobsFolder, id)
}

// save writes a job's record to disk.
func (n *Node) save(t *task) error {
	j := n.jobs.Job(t.ID)
	text, err := json.MarshalIndent(record{j.Job, recordFormat, j.Sent, j.Approved, j.Planning, j.Fetch, j.Backoff}, "", " ")
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
		return errors.New(n.redact(err))
	}
	return nil
}

// Maximum numbers of structural characters (package jsonlimit) of this node's own files: many times what a job or request may have by
// the limits of messages. A file that was damaged or replaced must not take the node's memory when it starts.
const (
	recordStructure     = 1 << 20
	submissionStructure = 1 << 20
)

// recordFormat is the format of jobFile. A record of a higher format is of a later release.
const recordFormat = 1

// readRecord reads the record of the job in a folder that is named after it.
func readRecord(dir string) (*record, error) {
	text, err := regular.ReadFile(filepath.Join(dir, jobFile))
	if err != nil {
		return nil, err
	}
	r := &record{}
	if err := jsonlimit.Unmarshal(text, jsonlimit.Of(recordStructure), r); err != nil {
		return nil, fmt.Errorf("%s: %w", jobFile, err)
	}
	switch {
	case r.Format > recordFormat:
		return nil, fmt.Errorf("%s has format %d; this release reads formats up to %d", jobFile, r.Format, recordFormat)
	case r.ID != filepath.Base(dir):
		return nil, fmt.Errorf("%s is of job %.40q, not of the folder's", jobFile, r.ID)
	case !r.State.Valid():
		return nil, fmt.Errorf("%s: there is no state %.40q", jobFile, r.State)
	case len(r.Parties) == 0:
		return nil, fmt.Errorf("%s names no parties", jobFile)
	}
	return r, nil
}

// storedHalf reports whether a folder without a record is what the process left when it ended while a
// submission was being stored. No caller got an answer.
func storedHalf(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != submissionFile && e.Name() != checkpointsFolder
	})
}

// brokenFolder is the folder within the state folder to which what cannot be restored is moved.
const brokenFolder = "broken"

// setAside moves a file or folder of the state folder that cannot be restored to brokenFolder, so that an
// operator can inspect it. Whatever cannot be moved stays and is skipped.
func (n *Node) setAside(path string, why error) {
	n.broken++
	to := filepath.Join(n.config.State, brokenFolder)
	err := os.MkdirAll(to, 0o700)
	if err == nil {
		to = filepath.Join(to, filepath.Base(path))
		if _, found := os.Lstat(to); found == nil {
			to += "." + time.Now().UTC().Format("20060102T150405.000000000")
		}
		err = os.Rename(path, to)
	}
	if err != nil {
		n.log.Error("a part of the state cannot be restored, and is skipped", "path", path, "error", why.Error(), "move", err.Error())
		return
	}
	n.log.Error("a part of the state cannot be restored", "path", path, "error", why.Error(), "moved", to)
}

// readAgain resolves the submission of a job that had not ended when the process did, and completes e.
func (n *Node) readAgain(dir string, e *jobstate.Restored) *task {
	sub := &api.Submission{}
	text, err := regular.ReadFile(filepath.Join(dir, submissionFile))
	if errors.Is(err, fs.ErrNotExist) { // the job has ended, and the disk had no room for its record
		n.broken++
		n.log.Error("the submission of a job is missing", "path", filepath.Join(dir, submissionFile))
		e.Problem = fmt.Sprintf("the node of %s could not store how the job ended", n.config.Name)
		return newTask(&e.Job)
	}
	if err == nil {
		err = jsonlimit.Unmarshal(text, jsonlimit.Of(submissionStructure), sub)
	}
	if err == nil && sub.ID != e.Job.ID {
		err = fmt.Errorf("it is of job %.40q", sub.ID)
	}
	if err != nil {
		n.broken++
		n.log.Error("the submission of a job cannot be restored", "path", filepath.Join(dir, submissionFile), "error", err.Error())
		e.Problem = fmt.Sprintf("its submission cannot be read again at %s (the log of its node says why)", n.config.Name)
		return newTask(&e.Job)
	}
	j, t, err := n.read(n.ctx, sub, e.Job.Submitter, e.Job.Submitted, true)
	if err != nil { // an input is missing, or the configuration has changed
		e.Problem = n.redact(err)
		return newTask(&e.Job)
	}
	j.Job, j.Approved, j.Fetch, j.Backoff = e.Job.Job, e.Job.Approved, e.Job.Fetch, e.Job.Backoff
	e.Job = *j
	if j.State == api.Running {
		e.Checkpoint = n.newestCheckpoint(t)
	}
	return t
}
