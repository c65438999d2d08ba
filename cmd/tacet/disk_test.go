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

// disk is a small file system that a rig's node has its state on.
type disk struct {
	t    *testing.T
	path string
}

// newDisk puts a node's state on a disk of its own, where the user may.
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
		r.stop() // cleanups of newRig come later, and find nothing that runs
		if err := syscall.Unmount(d.path, 0); err != nil {
			r.t.Error(err)
		}
	})
	r.up()
	return d
}

func (d *disk) filler() string { return filepath.Join(d.path, "filler") }

// fill leaves no room.
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

// TestFullDisk: what is not written down is not done, all hear why, and when
// there is room again the next job is done.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	d := newDisk(r, "bob")
	r.works("on a small disk")
	const full = "no space left on device"

	d.fill()
	s := r.submission()
	if _, err := r.clients["bob"].Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "is not written down: ") || !strings.Contains(err.Error(), full) {
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
			case !known && p == "bob" || j.State == api.Cancelled: // it was full before
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
