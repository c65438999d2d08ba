package node

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/party"
)

// checkpointsFolder is where in a job's folder lies what was set aside of it, in
// a folder of the party's name.
const checkpointsFolder = "checkpoints"

func (n *Node) checkpointsOf(t *task) string {
	return filepath.Join(n.folder(t), checkpointsFolder, n.config.Name)
}

// settleCheckpoints refuses what cannot be set aside, or gone on from.
func settleCheckpoints(s *api.Submission) error {
	switch {
	case s.Checkpoint < 0:
		return fmt.Errorf("checkpoints after every %d turns", s.Checkpoint)
	case s.Checkpoint > 0 && s.Serve:
		return fmt.Errorf("a service sets nothing aside: leave checkpoint away")
	case s.Resume != "" && (s.Checkpoint == 0 || s.Offline):
		return fmt.Errorf("only what sets aside on its way goes on from another job: say after how many turns (checkpoint)")
	}
	return nil
}

// broken is the job that a task is to go on from: one that has broken off here. The
// node's lock is held.
func (n *Node) broken(t *task) (*task, error) {
	old := n.tasks[t.Resumes]
	switch {
	case old == nil || !n.mayKnow(old, t.Submitter):
		return nil, refuse(http.StatusConflict, "there is no job %.40q for %s at %s to go on from (it is known there, with what it has set aside, until it is done or pruned)", t.Resumes, t.Submitter, n.config.Name)
	case old.State != api.Failed && old.State != api.Cancelled:
		return nil, refuse(http.StatusConflict, "job %.8s is %s at %s: only one that has failed or was cancelled is gone on from", old.ID, old.State, n.config.Name)
	case old.Digest != t.Digest:
		return nil, refuse(http.StatusConflict, "job %.8s ran another program (%.15s, not %.15s)", old.ID, old.Digest, t.Digest)
	}
	return old, nil
}

// inherit gives a new task what the one that it goes on from has set aside. Both
// have it then: whichever of them fails may be gone on from.
func (n *Node) inherit(t, old *task) error {
	f, err := n.setAside(old)
	if f == nil || err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Dir(n.checkpointsOf(t)), 0o700); err != nil {
		return fmt.Errorf("checkpoints: %w", err)
	}
	return f.LinkTo(n.checkpointsOf(t))
}

// setAside is what a task that does not run has set aside; nil if it never came to
// that, or this party has no shares.
func (n *Node) setAside(t *task) (*checkpoint.Folder, error) {
	if _, err := os.Stat(n.checkpointsOf(t)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return checkpoint.Open(n.checkpointsOf(t))
}

// checkpoints are a run's; nil if the job asks for none.
func (n *Node) checkpoints(t *task, w *work) *party.Checkpoints {
	if w.sub.Checkpoint == 0 {
		return nil
	}
	c := &party.Checkpoints{Every: w.sub.Checkpoint}
	if w.sub.Offline { // whose order form is that of a run that sets aside
		return c
	}
	c.Folder, c.Resume = filepath.Join(n.folder(t), checkpointsFolder), t.Resumes != ""
	c.Seen = func(x party.Checkpoint) {
		n.mu.Lock()
		defer n.mu.Unlock()
		if t.NotAside = ""; x.Err != nil {
			t.NotAside = fmt.Sprintf("%s: %v", x.Place(), x.Err)
			n.log.Warn("a checkpoint is not written", "job", t.ID, "at", x.Place(), "error", x.Err.Error())
			return
		}
		t.Aside = x.Place()
		n.log.Debug("checkpoint", "job", t.ID, "at", x.Place(), "bytes", x.Bytes)
	}
	c.Resumed = func(x party.Checkpoint) error {
		if err := n.note(t, audit.Event{Kind: audit.Resumed, Resumes: t.Resumes, From: x.Place()}); err != nil {
			return err
		}
		n.log.Info("job goes on", "job", t.ID, "resumes", t.Resumes, "from", x.Place())
		n.mu.Lock()
		defer n.mu.Unlock()
		t.From = x.Place()
		if x.ID != "" {
			t.Aside = x.Place()
		}
		return nil
	}
	return c
}

// newest is the place of the newest checkpoint of a task that a stopped node left
// running; "" if it has none.
func (n *Node) newest(t *task) string {
	f, err := n.setAside(t)
	var all []checkpoint.Header
	if f != nil && err == nil {
		all, _, err = f.List()
	}
	if err != nil {
		n.log.Error("checkpoints cannot be looked at", "job", t.ID, "error", err.Error())
	}
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	return party.Checkpoint{Loop: last.Loop, Turn: last.Turn}.Place()
}

// discard removes what was set aside of a job that is done, and of those that it
// went on from. The node's lock is held.
func (n *Node) discard(t *task) {
	for old := t; old != nil; old = n.tasks[old.Resumes] {
		err := os.RemoveAll(filepath.Join(n.folder(old), checkpointsFolder))
		if err == nil && old != t {
			old.Aside, old.NotAside = "", ""
			err = n.save(old)
		}
		if err != nil {
			n.log.Error("checkpoints of a job that is done are not removed", "job", old.ID, "error", err.Error())
		}
	}
}
