package profile

import (
	"encoding/json"
	"fmt"
	"time"
)

// event is one of Chrome's trace events. Times are in microseconds.
type event struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Time  float64        `json:"ts"`
	Took  *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// lanes assigns time spans to trace threads so that the spans of a thread do not overlap. A party
// is a process; each kind of operation has one thread, and more where several spans of the kind
// overlap.
type lanes struct {
	events []event
	lanes  map[lane][]thread
	count  map[int]int // number of threads by process id
}

// lane is a kind of operation in one process.
type lane struct {
	pid  int
	kind string
}

// thread is a thread of a lane, free from the given time on.
type thread struct {
	tid  int
	free time.Duration
}

// process sets the name of a process.
func (l *lanes) process(pid int, name string) {
	l.events = append(l.events, event{Name: "process_name", Phase: "M", PID: pid, Args: map[string]any{"name": name}})
}

// thread returns a thread of the kind that is free at from. Calls must be in order of from.
func (l *lanes) thread(pid int, kind string, from, took time.Duration) int {
	at := lane{pid, kind}
	for i := range l.lanes[at] {
		if t := &l.lanes[at][i]; t.free <= from {
			t.free = from + took
			return t.tid
		}
	}
	l.count[pid]++
	tid := l.count[pid]
	l.lanes[at] = append(l.lanes[at], thread{tid, from + took})
	name := kind
	if n := len(l.lanes[at]); n > 1 {
		name = fmt.Sprintf("%s (%d)", kind, n)
	}
	l.events = append(l.events,
		event{Name: "thread_name", Phase: "M", PID: pid, TID: tid, Args: map[string]any{"name": name}},
		event{Name: "thread_sort_index", Phase: "M", PID: pid, TID: tid, Args: map[string]any{"sort_index": tid}})
	return tid
}

// slice adds a span to a lane of its kind and returns the thread id.
func (l *lanes) slice(pid int, kind, name, cat string, from, took time.Duration, args map[string]any) int {
	took = max(took, 1)
	tid := l.thread(pid, kind, from, took)
	us := micros(took)
	l.events = append(l.events, event{Name: name, Cat: cat, Phase: "X", Time: micros(from), Took: &us, PID: pid, TID: tid, Args: args})
	return tid
}

func micros(d time.Duration) float64 { return float64(d) / 1e3 }

// traceFile is Chrome's JSON object format.
type traceFile struct {
	Events []event           `json:"traceEvents"`
	Unit   string            `json:"displayTimeUnit"`
	Other  map[string]string `json:"otherData"`
}

func (l *lanes) file(title, note string) ([]byte, error) {
	other := map[string]string{"run": title}
	if note != "" {
		other["note"] = note
	}
	b, err := json.Marshal(traceFile{l.events, "ms", other})
	if err != nil {
		return nil, fmt.Errorf("profile: encode trace: %w", err)
	}
	return append(b, '\n'), nil
}

func newLanes() *lanes { return &lanes{lanes: map[lane][]thread{}, count: map[int]int{}} }
