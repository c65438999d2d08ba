package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/party"
)

// eventWriter writes events, each a JSON object on a line of its own. docs/settings.md lists them.
type eventWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// event is one event. Fields that do not apply are absent.
type event struct {
	Event     string  `json:"event"` // progress, notice or check
	Phase     string  `json:"phase,omitempty"`
	Done      int     `json:"done,omitempty"`
	All       int     `json:"all,omitempty"`
	Unit      string  `json:"unit,omitempty"`
	Round     int     `json:"round,omitempty"`
	Rounds    int     `json:"rounds,omitempty"`
	Iteration int     `json:"iteration,omitempty"`
	Message   string  `json:"message,omitempty"`
	Warning   bool    `json:"warning,omitempty"`
	Kind      string  `json:"kind,omitempty"` // of a check: range or error
	Place     string  `json:"place,omitempty"`
	Operation string  `json:"operation,omitempty"`
	Index     *int    `json:"index,omitempty"`
	Got       float64 `json:"got,omitempty"`
	Want      float64 `json:"want,omitempty"`
	Largest   float64 `json:"largest,omitempty"`
	Ring      int     `json:"ring,omitempty"`
}

func (w *eventWriter) write(e event) {
	line, err := json.Marshal(e)
	if err != nil { // a number that JSON lacks: NaN or an infinity
		e.Got, e.Want, e.Largest = 0, 0, 0
		line, _ = json.Marshal(e)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.w, "%s\n", line)
}

func (w *eventWriter) progress(p party.Progress) {
	w.write(event{Event: "progress", Phase: p.Phase, Done: p.Done, All: p.All, Unit: p.Unit, Round: p.Round, Rounds: p.Rounds, Iteration: p.Iteration})
}

// say prints a one-line message for the user, or writes it as an event.
func (a app) say(text string) {
	if a.events == nil {
		fmt.Fprintf(a.stderr, "tacet: %s\n", text)
		return
	}
	message, warning := strings.CutPrefix(text, "warning: ")
	a.events.write(event{Event: "notice", Message: message, Warning: warning})
}
