package node

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/party/resume"
)

// checkpointsFolder is the folder of checkpoints within a job's folder. It contains one folder named
// after the party.
const checkpointsFolder = "checkpoints"

func (n *Node) checkpointsOf(t *task) string {
	return filepath.Join(n.folder(t.ID), checkpointsFolder, n.config.Name)
}

// checkCheckpoints refuses invalid checkpoint and resume settings.
func checkCheckpoints(s *api.Submission) error {
	switch {
	case s.Checkpoint < 0:
		return fmt.Errorf("checkpoint: every %d iterations; the number must be positive", s.Checkpoint)
	case s.Checkpoint > 0 && s.Serve:
		return fmt.Errorf("a service writes no checkpoints; remove checkpoint from the job")
	case s.Resume != "" && (s.Checkpoint == 0 || s.Offline):
		return fmt.Errorf("a job that resumes another needs checkpoint: {every: N}")
	}
	return nil
}

// linkCheckpoints hard-links the checkpoints of old into the folder of t, which resumes it. Both jobs
// then own them: either can be resumed, and each removes its own links. If old has none because it ended
// before it had any of its own, those of the job that it resumed are taken.
func (n *Node) linkCheckpoints(t, old *task) error {
	f, err := n.checkpointFolder(old)
	for seen := map[string]bool{}; f == nil && err == nil && n.tasks[old.Resumes] != nil && !seen[old.ID]; {
		seen[old.ID] = true
		old = n.tasks[old.Resumes]
		f, err = n.checkpointFolder(old)
	}
	if f == nil || err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Dir(n.checkpointsOf(t)), 0o700); err != nil {
		return fmt.Errorf("checkpoints: %w", err)
	}
	return f.LinkTo(n.checkpointsOf(t))
}

// checkpointFolder returns the checkpoints of a task that does not run; nil if it has none, or if this
// party holds no shares.
func (n *Node) checkpointFolder(t *task) (*checkpoint.Folder, error) {
	if _, err := os.Stat(n.checkpointsOf(t)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return checkpoint.Open(n.checkpointsOf(t))
}

// checkpoints returns the checkpoint settings of a run; nil if the job asks for none.
func (n *Node) checkpoints(t *task, w *resolvedJob) *resume.Checkpoints {
	if w.sub.Checkpoint == 0 {
		return nil
	}
	c := &resume.Checkpoints{Every: w.sub.Checkpoint}
	if w.sub.Offline { // its correlation manifest must equal that of a run with checkpoints
		return c
	}
	c.Folder, c.Resume = filepath.Join(n.folder(t.ID), checkpointsFolder), t.Resumes != ""
	c.Written = func(x resume.Checkpoint) {
		n.apply(t, jobstate.CheckpointWritten{Place: x.Place(), Error: n.errorText(x.Err)})
		if x.Err != nil {
			n.log.Warn("checkpoint not written", "job", t.ID, "at", x.Place(), "error", x.Err.Error())
			return
		}
		n.log.Debug("checkpoint", "job", t.ID, "at", x.Place(), "bytes", x.Bytes)
	}
	c.Resumed = func(x resume.Checkpoint) error {
		if err := n.appendAudit(t, audit.Event{Kind: audit.Resumed, Resumes: t.Resumes, From: x.Place()}); err != nil {
			return err
		}
		n.log.Info("job resumes", "job", t.ID, "resumes", t.Resumes, "from", x.Place())
		n.apply(t, jobstate.ResumedFrom{Place: x.Place(), Own: x.ID != ""})
		return nil
	}
	return c
}

// newestCheckpoint returns the place of the newest checkpoint of a task that was running when the node
// stopped; "" if there is none.
func (n *Node) newestCheckpoint(t *task) string {
	f, err := n.checkpointFolder(t)
	var all []checkpoint.Header
	if f != nil && err == nil {
		all, _, err = f.List()
	}
	if err != nil {
		n.log.Error("cannot list checkpoints", "job", t.ID, "error", err.Error())
	}
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	return resume.Checkpoint{Loop: last.Loop, Iteration: last.Iteration}.Place()
}
