package profile

import (
	"fmt"
	"sync"
	"time"
)

// Trace records when a run's parties worked on what and which messages they
// exchanged: names, sizes and times, never values. Its methods may be called
// from any goroutine.
type Trace struct {
	begun time.Time
	limit int

	mu     sync.Mutex
	spans  []span
	phases []span
	missed int // spans beyond the limit
}

// maxSpans bounds what a trace keeps, about 100 bytes each and 200 in its file.
const maxSpans = 200_000

// NewTrace starts a trace.
func NewTrace() *Trace { return &Trace{begun: time.Now(), limit: maxSpans} }

// span is a time in which a party did something.
type span struct {
	rank  int
	phase string
	op    uint32 // instance; in the input and output phases an input's or a result's number
	what  string // "file:line:column: operation" of work, "" of a message
	from  time.Duration
	took  time.Duration
	msg   message
	way   way
}

type way uint8

const (
	inside way = iota // work
	out               // a message is passed on
	in                // a message is taken
)

// message is the address and size of a message.
type message struct {
	step           uint32
	sender, target int
	bytes          int
}

// Phase records a phase of all parties that ends now. A nil trace records
// nothing.
func (t *Trace) Phase(name string, start time.Time) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, span{phase: name, from: start.Sub(t.begun), took: time.Since(start)})
}

// Work records local work of a party in an operation instance.
func (t *Trace) Work(rank int, phase string, op uint32, where string, start time.Time, took time.Duration) {
	t.add(span{rank: rank, phase: phase, op: op, what: where, from: start.Sub(t.begun), took: took})
}

// Sent records that a party passed a message on.
func (t *Trace) Sent(rank, to int, phase string, op, step uint32, bytes int, start time.Time) {
	t.add(span{rank: rank, phase: phase, op: op, from: start.Sub(t.begun), took: time.Since(start), msg: message{step, rank, to, bytes}, way: out})
}

// Received records that a party takes a message.
func (t *Trace) Received(rank, from int, phase string, op, step uint32, bytes int) {
	t.add(span{rank: rank, phase: phase, op: op, from: time.Since(t.begun), msg: message{step, from, rank, bytes}, way: in})
}

func (t *Trace) add(s span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.spans) >= t.limit {
		t.missed++
		return
	}
	t.spans = append(t.spans, s)
}

// note says what a trace lacks; "" for nothing.
func (t *Trace) note() string {
	if t.missed == 0 {
		return ""
	}
	return fmt.Sprintf("the run did more than a trace keeps: its last %d events are missing", t.missed)
}
