//go:build linux

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/node/api"
)

// disk is a small file system for the state of a rig's node.
type disk struct {
	t    *testing.T
	path string
}

// newDisk mounts a disk for a node's state; the test is skipped without permission to mount.
func newDisk(r *rig, name string) *disk {
	r.t.Helper()
	d := &disk{r.t, filepath.Join(r.dir, name, "state")}
	r.killed(name)
	r.check(os.RemoveAll(d.path))
	r.check(os.Mkdir(d.path, 0o700))
	if err := syscall.Mount("tmpfs", d.path, "tmpfs", 0, "size=1m,mode=700"); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		r.up()
		r.t.Skip("a disk of its own takes root: no test of a full one")
	} else {
		r.check(err)
	}
	r.t.Cleanup(func() {
		r.stop() // the cleanup of newRig runs later and finds no process
		if err := syscall.Unmount(d.path, 0); err != nil {
			r.t.Error(err)
		}
	})
	r.up()
	return d
}

func (d *disk) filler() string { return filepath.Join(d.path, "filler") }

// fill fills the disk.
func (d *disk) fill() {
	f, err := os.OpenFile(d.filler(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Error(err)
		return
	}
	defer f.Close()
	for size := 1 << 16; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

func (d *disk) free() {
	if err := os.Remove(d.filler()); err != nil {
		d.t.Error(err)
	}
}

// TestFullDisk checks that a job whose events cannot be stored does not run, that all parties learn
// the cause, and that the next job succeeds when there is space again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	d := newDisk(r, "bob")
	r.works("on a small disk")
	const full = "no space left on device"

	d.fill()
	s := r.submission()
	if _, err := r.clients["bob"].Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "cannot be stored: ") ||
		!strings.Contains(err.Error(), full) {
		t.Errorf("submitted to a full disk: %v", err)
	} else if strings.Contains(err.Error(), r.dir) {
		t.Errorf("others hear where bob's state lies: %v", err)
	} else {
		t.Log(err)
	}
	d.free()
	r.works("with room again")
	r.clean("with room again")

	for range 4 {
		line := r.lines[[2]string{"bob", "alice"}]
		line.At(fault.Out, rand.Int64N(7000), d.fill)
		r.all(fault.Fault{Delay: 1e6})
		s := r.submit()
		for _, p := range r.parties {
			j, known := r.end(s, p)
			t.Logf("%s: %s: %s", p, j.State, j.Error)
			switch {
			case !known && p == "bob" || j.State == api.Cancelled: // the disk was full before the job was stored
			case j.State == api.Done:
				r.right(s, p)
			case strings.Contains(j.Error, r.dir):
				t.Errorf("%s hears where bob's state lies: %s", p, j.Error)
			case !strings.Contains(j.Error, full):
				t.Errorf("%s: the job is %s: %q", p, j.State, j.Error)
			}
		}
		d.free()
		r.all(fault.Fault{})
		r.works("with room again")
		r.clean("with room again")
	}
}
