package node

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/node/jobstate"
)

// retain removes what is older than Config.Retention allows, now and every hour, or more often if an age is
// shorter than some hours, until the node stops.
func (n *Node) retain() {
	every := time.Hour
	for _, age := range []time.Duration{n.config.Retention.Results, n.config.Retention.Checkpoints, n.config.Retention.Kept} {
		if age > 0 {
			every = min(every, max(age/10, time.Millisecond))
		}
	}
	for t := time.NewTicker(every); ; {
		n.mu.Lock()
		n.step("", jobstate.Aged{})
		n.mu.Unlock()
		n.removeKept(time.Now())
		select {
		case <-n.ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
	}
}

// removeKept removes kept results that are older than Retention.Kept.
func (n *Node) removeKept(now time.Time) {
	if n.config.Retention.Kept == 0 {
		return
	}
	dir := filepath.Join(n.config.State, keptFolder)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != ".json" || now.Sub(info.ModTime()) < n.config.Retention.Kept {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			n.log.Error("cannot remove kept results", "file", e.Name(), "error", err.Error())
			continue
		}
		n.log.Info("kept results removed (retention: kept)", "file", e.Name())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.log.Error("cannot list kept results", "error", err.Error())
	}
}
