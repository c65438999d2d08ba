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

// meter shows a run's progress: on a terminal as a line, with --events as events. Its methods may be
// called from any goroutine; without a terminal and --events it does nothing.
type meter struct {
	w      io.Writer    // nil without a terminal
	events *eventWriter // nil without --events
	mu     sync.Mutex
	next   time.Time // earliest time of the next update
	phase  string    // of the newest event
	on     bool      // a line is shown
}

// meter returns the meter of the command's standard error.
func (a app) meter() *meter {
	if a.events != nil {
		return &meter{events: a.events}
	}
	return newMeter(a.stderr)
}

func newMeter(w io.Writer) *meter {
	m := &meter{next: time.Now().Add(quiet)}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		m.w = w
	}
	return m
}

// show replaces the line by the progress p, or writes an event. An event of a new phase is always
// written.
func (m *meter) show(p party.Progress) {
	if m.w == nil && m.events == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.next) && (m.events == nil || p.Phase == m.phase) {
		return
	}
	m.next, m.phase = now.Add(refresh), p.Phase
	if m.events != nil {
		m.events.progress(p)
		return
	}
	m.on = true
	count := ""
	unit := cmp.Or(p.Unit, "operations")
	switch {
	case p.All > 0:
		count = fmt.Sprintf(" %d of %d %s", p.Done, p.All, unit)
	case p.Done > 0:
		count = fmt.Sprintf(" %d %s", p.Done, unit)
	}
	if p.Rounds > 0 {
		count += fmt.Sprintf(", %d of %d rounds", p.Round, p.Rounds)
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
