package profile

import (
	"fmt"
	"sync"
	"time"
)

// Trace records the parties' local work and messages with times. It has names, sizes and times, never values.
// Its methods are safe for concurrent use. Methods of a nil *Trace record nothing.
type Trace struct {
	begun time.Time
	limit int

	mu      sync.Mutex
	spans   []span
	phases  []span
	dropped int // number of spans dropped at the limit
}

// maxSpans is the maximum number of spans of a trace. A span takes about 100 bytes in memory and
// 200 in the file.
const maxSpans = 200_000

// NewTrace returns a trace whose time starts now.
func NewTrace() *Trace { return &Trace{begun: time.Now(), limit: maxSpans} }

// span is a time interval of local work, a message or a phase.
type span struct {
	rank      int
	phase     string
	op        uint32 // operation instance; in the input and output phases the number of the input or result
	what      string // "file:line:column: operation" for local work, "" for a message
	from      time.Duration
	took      time.Duration
	msg       message
	direction direction
}

type direction uint8

const (
	localWork direction = iota // local work
	sent                       // a message is sent
	received                   // a message is received
)

// message is the address and size of a message.
type message struct {
	step           uint32
	sender, target int
	bytes          int
}

// Phase records that a phase of all parties lasted from start until now.
func (t *Trace) Phase(name string, start time.Time) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, span{phase: name, from: start.Sub(t.begun), took: time.Since(start)})
}

// Work records that the party of this rank did local work for the operation instance op, from start on for the duration took.
// phase is the phase of the run; where is the operation's position in the program and its name, as in messages.
func (t *Trace) Work(rank int, phase string, op uint32, where string, start time.Time, took time.Duration) {
	t.add(span{rank: rank, phase: phase, op: op, what: where, from: start.Sub(t.begun), took: took})
}

// Sent records that the party of rank sent a message to the party of rank to, from start until now. phase, op,
// step and bytes describe the message as in Received.
func (t *Trace) Sent(rank, to int, phase string, op, step uint32, bytes int, start time.Time) {
	t.add(
		span{
			rank:      rank,
			phase:     phase,
			op:        op,
			from:      start.Sub(t.begun),
			took:      time.Since(start),
			msg:       message{step, rank, to, bytes},
			direction: sent,
		},
	)
}

// Received records that the party of rank receives a message from the party of rank from now: exchange number
// step of operation instance op, in a phase, with so many bytes.
func (t *Trace) Received(rank, from int, phase string, op, step uint32, bytes int) {
	t.add(span{rank: rank, phase: phase, op: op, from: time.Since(t.begun), msg: message{step, from, rank, bytes}, direction: received})
}

func (t *Trace) add(s span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.spans) >= t.limit {
		t.dropped++
		return
	}
	t.spans = append(t.spans, s)
}

// note returns a warning if spans were dropped, else "".
func (t *Trace) note() string {
	if t.dropped == 0 {
		return ""
	}
	return fmt.Sprintf("the trace is full: the last %d events of the run are missing", t.dropped)
}
