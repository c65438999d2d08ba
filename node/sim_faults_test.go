package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/link/fault"
)

// harm is a fault that is injected.
type harm struct {
	name string
	do   func()
}

// arm draws which faults happen, and when: at which byte of a line, or at which write to any line.
func (w *world) arm() (what string) {
	r := w.random
	a := simNames[r.IntN(3)]
	b := append(simNames, theDealer)[r.IntN(4)]
	for a == b {
		b = simNames[r.IntN(3)]
	}
	line, d := w.lines[[2]string{a, b}], []fault.Direction{fault.Out, fault.Back}[r.IntN(2)]
	at, write := r.Int64N(12_000), r.IntN(600)
	victim := append(simNames, theDealer)[r.IntN(4)]
	pause := time.Duration(r.Int64N(int64(8 * time.Second)))
	hole := func(l *fault.Line) {
		w.mu.Lock()
		w.silent, w.damaged = time.Now(), true
		w.mu.Unlock()
		l.Set(fault.Both, fault.Fault{Hole: true})
	}
	harms := []harm{
		{name: "nothing", do: func() {}},
		{name: "cut", do: line.Cut},
		{name: "hole", do: func() { hole(line) }},
		{name: fmt.Sprintf("%s is cut off", victim), do: func() { w.each(victim, hole) }},
		{name: fmt.Sprintf("pause of %v", pause), do: func() {
			line.Set(fault.Both, fault.Fault{Stop: true})
			time.Sleep(pause)
			line.Set(fault.Both, fault.Fault{})
		}},
		{name: "loss", do: func() { line.Set(fault.Both, fault.Fault{Delay: pause / 100, Loss: 0.05}) }},
		{name: "slow", do: func() { line.Set(fault.Both, fault.Fault{Rate: 2e4}) }},
		{name: "crash of " + victim, do: func() { w.crash(victim) }},
		{name: fmt.Sprintf("restart of %s after %v", victim, pause), do: func() {
			if w.crash(victim) {
				time.Sleep(pause)
				w.restart(victim)
			}
		}},
		{name: "full disks", do: w.fill},
		{name: "lost folders at " + a, do: func() { w.makeUnwritable(a) }},
		{name: fmt.Sprintf("%s is restored from its backup of %v before", a, pause), do: func() { w.restore(pause, a) }},
		{name: fmt.Sprintf("all are restored from their backups of %v before", pause), do: func() { w.restore(pause, simNames...) }},
	}
	k := r.IntN(len(harms) + 1)
	if k == len(harms) {
		w.mu.Lock()
		w.damaged = true
		w.mu.Unlock()
		line.Corrupt(d, at)
		return fmt.Sprintf("corrupt byte %d of %s to %s, way %d", at, a, b, d)
	}
	h := harms[k]
	do := func() {
		w.harm.Go(func() { // both the writer and the line wait for the function that is called
			w.events.add("%s", h.name)
			h.do()
		})
	}
	if r.IntN(3) > 0 {
		w.events.at(write, do)
		return fmt.Sprintf("%s, with write %d (%s to %s)", h.name, write, a, b)
	}
	line.At(d, at, do)
	return fmt.Sprintf("%s, at byte %d of %s to %s, way %d", h.name, at, a, b, d)
}

// restore backs nodes up while they are down, lets them run for a while, and restores the backup: of state
// and store.
func (w *world) restore(after time.Duration, names ...string) {
	var down, again []string
	w.mu.Lock()
	w.backups++
	n := w.backups
	backup := func(name string) string { return filepath.Join(w.dir, fmt.Sprintf("%s backup %d", name, n)) }
	w.mu.Unlock()
	for _, name := range names {
		if w.crash(name) {
			w.mu.Lock()
			w.bare[name] = true // what it has done since is lost
			full := w.full
			w.mu.Unlock()
			if err := errors.Join(fillDisk(false), copyFolder(backup(name), filepath.Join(w.dir, name)), fillDisk(full)); err != nil {
				w.violated("%s: %v", name, err)
			}
			down = append(down, name)
		}
	}
	for _, name := range down {
		w.restart(name)
	}
	time.Sleep(after)
	for _, name := range down {
		own := filepath.Join(w.dir, name)
		if !w.crash(name) { // another fault has
			continue
		}
		w.events.add("%s is restored", name)
		if err := errors.Join(os.RemoveAll(own), os.Rename(backup(name), own)); err != nil {
			w.violated("%s: %v", name, err)
		}
		again = append(again, name)
	}
	for _, name := range again {
		w.restart(name)
	}
}

// cancelRestored cancels services that a backup has brought back after carol had cancelled them.
func (w *world) cancelRestored() {
	for _, name := range simNames {
		n := w.nodes[name]
		var back []string
		for j := range n.state().All() {
			if j.Serve && !j.State.Final() {
				back = append(back, j.ID)
			}
		}
		slices.Sort(back)
		for _, id := range back {
			if _, err := w.as(name).Cancel(w.t.Context(), id); err != nil {
				w.events.add("carol: cancel %s: %v", id, err)
			}
		}
	}
}

// makeUnwritable makes a node's job folders unwritable, so that its writes there fail.
func (w *world) makeUnwritable(name string) {
	w.mu.Lock()
	w.bare[name] = true
	w.mu.Unlock()
	jobs := filepath.Join(w.dir, name, "state", jobsFolder)
	entries, err := os.ReadDir(jobs)
	if err != nil {
		w.violated("%v", err)
	}
	for _, e := range entries {
		w.mu.Lock()
		w.removed[e.Name()] = true
		w.mu.Unlock()
		if err := os.RemoveAll(filepath.Join(jobs, e.Name())); err != nil {
			w.violated("%v", err)
		}
	}
}

// fill lets no file of any node grow any more.
func (w *world) fill() {
	w.mu.Lock()
	for _, name := range simNames {
		w.bare[name] = true
	}
	w.full = true
	w.mu.Unlock()
	if err := fillDisk(true); err != nil {
		w.violated("%v", err)
	}
}

// repair removes all faults and restarts the crashed daemons.
func (w *world) repair() {
	w.events.calm()
	w.calm()
	w.harm.Wait()
	w.calm()
	if err := fillDisk(false); err != nil {
		w.violated("%v", err)
	}
	w.mu.Lock()
	w.full = false
	clear(w.bare)
	w.mu.Unlock()
	for _, name := range append(simNames, theDealer) {
		w.mu.Lock()
		down := w.down[name]
		w.mu.Unlock()
		if down {
			w.restart(name)
		}
	}
	w.events.add("all is mended")
}
