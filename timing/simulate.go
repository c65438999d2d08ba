package timing

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
)

// Setting is where a run takes place.
type Setting struct {
	Machine Machine
	Network link.Shape
	// Apart says that every party has a machine of its own; else all share
	// one, as in tacet run.
	Apart bool
}

// Outcome is what a simulated run took.
type Outcome struct {
	Seconds float64
	// Bytes is the largest sum of what steps and messages held at a time, of
	// each party.
	Bytes []int64
}

// Simulate runs the traces of all parties of one phase, by rank.
func Simulate(traces []*flow.Trace, s Setting) Outcome {
	r := &run{Setting: s, lines: map[[2]int]float64{}}
	cores := 1
	if s.Apart {
		cores = len(traces)
	}
	for range cores {
		r.pools = append(r.pools, &pool{free: s.Machine.Cores})
	}
	for i, t := range traces {
		r.parties = append(r.parties, newParty(i, t))
	}
	for _, p := range r.parties {
		r.build(p)
	}
	for len(r.events) > 0 {
		e := r.events.pop()
		r.now = e.at
		r.handle(e)
	}
	out := Outcome{Seconds: r.now}
	for _, p := range r.parties {
		out.Bytes = append(out.Bytes, p.most)
	}
	return out
}

// run is the state of a simulation.
type run struct {
	Setting
	now     float64
	events  events
	count   int64 // events so far
	pools   []*pool
	parties []*party
	lines   map[[2]int]float64 // from, to: until when the line is busy
}

// party is one party's steps.
type party struct {
	rank    int
	trace   *flow.Trace
	wait    []int32             // what each step still waits for, its making included
	heirs   []int32             // steps that wait for a step, one step's after the other's
	first   []int32             // where a step's begin
	readers []int32             // of each step's result, so far
	built   int                 // steps made
	done    int                 // steps done
	waits   bool                // for steps to be done before it makes more
	talks   map[[2]uint32]int32 // exchanges by operation and number
	await   []int32             // of each exchange: messages still to come, and its own part
	held    int64               // bytes of results and messages
	most    int64
}

func newParty(rank int, t *flow.Trace) *party {
	n := len(t.Steps)
	p := &party{
		rank: rank, trace: t, wait: make([]int32, n), first: make([]int32, n+1), readers: make([]int32, n),
		talks: map[[2]uint32]int32{}, await: make([]int32, len(t.Talks)),
	}
	for i := range n {
		deps := t.Deps(i)
		p.wait[i] = int32(len(deps)) + 1
		for _, d := range deps {
			p.first[d+1]++
			p.readers[d]++
		}
		if k := t.Steps[i].Talk; k >= 0 {
			p.talks[[2]uint32{t.Steps[i].Op, t.Talks[k].Step}] = int32(i)
			p.await[k] = int32(len(t.Talks[k].From)) + 1
		}
	}
	for i := range n {
		p.first[i+1] += p.first[i]
	}
	p.heirs = make([]int32, p.first[n])
	at := append([]int32(nil), p.first...)
	for i := range n {
		for _, d := range t.Deps(i) {
			p.heirs[at[d]] = int32(i)
			at[d]++
		}
	}
	return p
}

// job is work for a core.
type job struct {
	kind    jobKind
	party   *party
	step    int32
	seconds float64
}

type jobKind uint8

const (
	making    jobKind = iota // the steps of an operation, up to step
	working                  // a step's, or what an exchange does with messages
	sending                  // what an exchange does before
	receiving                // a message that has come through, of the step
)

// event is the end of a job or a message's arrival.
type event struct {
	at    float64
	order int64
	pool  *pool // nil: a message
	job
}

// events is a heap, the first event on top.
type events []event

func (e events) before(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}

func (e *events) push(x event) {
	*e = append(*e, x)
	h := *e
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.before(i, up) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (e *events) pop() event {
	h := *e
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h[last] = event{}
	h = h[:last]
	*e = h
	for i := 0; ; {
		least := i
		for _, down := range []int{2*i + 1, 2*i + 2} {
			if down < last && h.before(down, least) {
				least = down
			}
		}
		if least == i {
			return top
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// pool is cores and the jobs that wait for them, first come first served.
type pool struct {
	free  int
	queue []job
	head  int
}

func (r *run) post(at float64, p *pool, j job) {
	r.events.push(event{at, r.count, p, j})
	r.count++
}

// submit gives a job to the party's pool.
func (r *run) submit(j job) {
	p := r.pools[0]
	if r.Apart {
		p = r.pools[j.party.rank]
	}
	if p.free > 0 {
		p.free--
		r.post(r.now+j.seconds, p, j)
		return
	}
	p.queue = append(p.queue, j)
}

// next starts a waiting job on the core that became free.
func (r *run) next(p *pool) {
	if p.head == len(p.queue) {
		p.queue, p.head = p.queue[:0], 0
		p.free++
		return
	}
	j := p.queue[p.head]
	if p.head++; p.head > 1024 && p.head > len(p.queue)/2 {
		p.queue, p.head = p.queue[:copy(p.queue, p.queue[p.head:])], 0
	}
	r.post(r.now+j.seconds, p, j)
}

func (r *run) handle(e event) {
	p := e.party
	switch e.kind {
	case making:
		for int32(p.built) < e.step {
			p.built++
			r.resolved(p, int32(p.built-1))
		}
		r.build(p)
	case working:
		r.finish(p, e.step)
	case sending:
		r.send(p, e.step)
		r.arrived(p, e.step)
	case receiving:
		t := p.trace.Talks[p.trace.Steps[e.step].Talk]
		p.hold(int64(t.Size / len(t.From)))
		r.arrived(p, e.step)
	}
	if e.pool != nil {
		r.next(e.pool)
	}
}

// build has a party make the steps of its next operation.
func (r *run) build(p *party) {
	steps := p.trace.Steps
	if p.built == len(steps) {
		return
	}
	if p.waits = p.built-p.done > flow.MaxOpen; p.waits {
		return
	}
	end := p.built
	for end < len(steps) && steps[end].Op == steps[p.built].Op {
		end++
	}
	r.submit(job{making, p, int32(end), float64(end-p.built) * r.Machine.Build})
}

// resolved tells a step that one thing it waits for is there.
func (r *run) resolved(p *party, i int32) {
	if p.wait[i]--; p.wait[i] > 0 {
		return
	}
	s := p.trace.Steps[i]
	if s.Talk < 0 {
		r.submit(job{working, p, i, float64(s.Seconds)})
		return
	}
	r.submit(job{sending, p, i, float64(p.trace.Talks[s.Talk].Seconds)})
}

// header is what a message's frame takes beside the payload.
const header = 17

// send puts an exchange's messages on their lines.
func (r *run) send(p *party, i int32) {
	s := p.trace.Steps[i]
	t := p.trace.Talks[s.Talk]
	for k, to := range t.To {
		line := [2]int{p.rank, to}
		free := max(r.now, r.lines[line])
		size := float64(t.Bytes[k] + header)
		if r.Network.Bits > 0 {
			free += max(size*8/r.Network.Bits, size*r.Machine.Copy)
		} else {
			free += size * r.Machine.Copy
		}
		r.lines[line] = free
		at := free + r.Machine.Message
		if trip := r.Network.RoundTrip.Seconds() / 2; trip > 0 {
			at += trip + r.Machine.Timer
		}
		q := r.parties[to]
		if step, ok := q.talks[[2]uint32{s.Op, t.Step}]; ok {
			r.post(at, nil, job{kind: receiving, party: q, step: step})
		}
	}
}

// arrived counts a message of an exchange, or its own part.
func (r *run) arrived(p *party, i int32) {
	s := p.trace.Steps[i]
	if p.await[s.Talk]--; p.await[s.Talk] == 0 {
		r.submit(job{working, p, i, float64(s.Seconds)})
	}
}

// hold counts bytes that a party keeps from now on.
func (p *party) hold(bytes int64) {
	p.held += bytes
	p.most = max(p.most, p.held)
}

// finish frees what a step was the last to read, and tells those that wait
// for it.
func (r *run) finish(p *party, i int32) {
	s := p.trace.Steps[i]
	p.hold(s.Hold)
	if s.Talk >= 0 {
		t := p.trace.Talks[s.Talk]
		p.held -= int64(t.Size)
	}
	for _, d := range p.trace.Deps(int(i)) {
		if p.readers[d]--; p.readers[d] == 0 {
			p.held -= p.trace.Steps[d].Hold
		}
	}
	for _, h := range p.heirs[p.first[i]:p.first[i+1]] {
		r.resolved(p, h)
	}
	if p.done++; p.waits {
		r.build(p)
	}
}
