package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/tacet-mpc/tacet/party"
)

const (
	quiet   = time.Second            // a shorter run shows no progress
	refresh = 100 * time.Millisecond // between two updates
)

// meter shows a run's progress on a terminal. Its methods may be called from any goroutine; without a
// terminal it does nothing.
type meter struct {
	w    io.Writer // nil without a terminal
	mu   sync.Mutex
	next time.Time // earliest time of the next update
	on   bool      // a line is shown
}

func newMeter(w io.Writer) *meter {
	m := &meter{next: time.Now().Add(quiet)}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		m.w = w
	}
	return m
}

// show replaces the line by the progress p.
func (m *meter) show(p party.Progress) {
	if m.w == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.next) {
		return
	}
	m.next, m.on = now.Add(refresh), true
	count := ""
	unit := cmp.Or(p.Unit, "operations")
	switch {
	case p.All > 0:
		count = fmt.Sprintf(" %d of %d %s", p.Done, p.All, unit)
	case p.Done > 0:
		count = fmt.Sprintf(" %d %s", p.Done, unit)
	}
	fmt.Fprintf(m.w, "\r\x1b[K%s%s", p.Phase, count)
}

// clear removes the line.
func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.on {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.on = false
	}
}
