package timing

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
)

// Setting says on which machines and over which network a phase is simulated.
type Setting struct {
	Machine Machine    // profile of the machine, or of each machine
	Network link.Shape // speed of the network; the zero Shape for no limits
	Phase   link.Phase // phase of the traces
	// Near says that messages are passed in memory: graphs are then built less far ahead (flow.Graph.Near).
	Near bool
	// SeparateMachines says that every party has a machine of its own. Otherwise all parties share one machine,
	// as in tacet run.
	SeparateMachines bool
	// FreshBytes is how much memory the process has not used before, until the collector gives back the first: what steps take of it costs
	// Machine.Fresh a byte in addition.
	FreshBytes int64
	// Arrivals are the times, in seconds since the phase's start, at which the corrections of correlations have arrived at party Receiver,
	// by the correlation's id; those that it lacks were there before.
	Arrivals map[uint64]float64
	Receiver int
}

// Outcome is the predicted duration and memory of one phase.
type Outcome struct {
	Seconds float64 // duration of the phase, until the last party has finished
	// PeakBytes has, by party, the largest number of bytes that results of steps and messages took at one time.
	PeakBytes []int64
	// ProcessPeakBytes is the same of all parties together, if they are in one process: what they have in common
	// (flow.SameVector) counts once.
	ProcessPeakBytes int64
	// StepBytes is the largest number of bytes that the steps themselves of all parties took at one time, beside their results: those that
	// are built and not done.
	StepBytes int64
}

// StepAllocated is the memory in bytes that building and running a step allocates beside its result, on average; stepHeld is what is held
// of it from when the step is built until it is done. Both were measured in loops of small steps.
const (
	StepAllocated = 2500
	stepHeld      = 1700
)

// Simulate returns the predicted duration and memory of one phase. traces has the steps of the phase that the
// parties' dry runs have recorded, by rank.
func Simulate(traces []*flow.Trace, s Setting) Outcome {
	r := &run{Setting: s, lines: map[[2]int]float64{}, fresh: s.FreshBytes}
	cores := 1
	if s.SeparateMachines {
		cores = len(traces)
	}
	for range cores {
		n := min(s.Machine.Cores, mostAwake)
		p := &pool{awake: make([]float64, n), asleep: s.Machine.Cores - n}
		r.pools = append(r.pools, p)
	}
	for i, t := range traces {
		r.parties = append(r.parties, newParty(i, t, &r.memory, &r.steps))
	}
	for _, p := range r.parties {
		r.build(p)
	}
	for len(r.events) > 0 {
		e := r.events.pop()
		r.now = e.at
		r.handle(e)
	}
	out := Outcome{Seconds: r.now, ProcessPeakBytes: r.memory.peak, StepBytes: r.steps.peak}
	for _, p := range r.parties {
		out.PeakBytes = append(out.PeakBytes, p.own.peak)
	}
	return out
}

// run is the state of a simulation. Times are in seconds since its start.
type run struct {
	Setting
	now     float64
	events  events
	count   int64 // number of events posted; breaks ties between simultaneous events
	pools   []*pool
	parties []*party
	memory  memory             // of all parties
	steps   memory             // of the steps themselves of all parties
	lines   map[[2]int]float64 // by [from, to]: when the line becomes free
	fresh   int64              // bytes of Setting.FreshBytes that are left
}

// party is the state of one party.
type party struct {
	rank  int
	trace *flow.Trace
	// wait is by step the number of unfinished dependencies, plus 1 until the step is built, or if it is lazy until another
	// step needs it. Lazy dependencies do not count until all others are finished.
	wait           []int32
	needsLazy      []bool              // by step: all dependencies but lazy ones are finished
	started        []bool              // by step: true for lazy steps that another step needs
	finished       []bool              // by step
	dependents     []int32             // dependents of all steps, concatenated in step order
	firstDependent []int32             // by step: index of its first dependent in dependents
	readers        []int32             // by step: number of steps that still have to read its result
	built          int                 // number of steps built
	open           int                 // number of steps built, or if they are lazy started, and not finished
	openBytes      int64               // expected size of their results
	stalled        bool                // true while unfinished steps keep it from building more (flow.Graph.Admit)
	exchanges      map[[2]uint32]int32 // step index of an exchange by operation and exchange number
	missing        []int32             // by exchange: messages still to arrive, plus 1 until its own messages are packed
	own            memory              // of the party's results and messages
	all            *memory             // of all parties
	steps          *memory             // of all parties' steps themselves
}

// memory is what results and messages take.
type memory struct {
	held, peak int64          // bytes held now, and the largest number so far
	holders    map[uint64]int // by number of a vector (flow.SameVector): how many results and messages are that vector
}

// hold adds a result that is held from now on. vector is its number, 0 if its memory is its own.
func (m *memory) hold(vector uint64, bytes int64) {
	if vector > 0 {
		if m.holders == nil {
			m.holders = map[uint64]int{}
		}
		if m.holders[vector]++; m.holders[vector] > 1 {
			return
		}
	}
	m.held += bytes
	m.peak = max(m.peak, m.held)
}

// release ends a hold.
func (m *memory) release(vector uint64, bytes int64) {
	if vector > 0 {
		if m.holders[vector]--; m.holders[vector] > 0 {
			return
		}
	}
	m.held -= bytes
}

func newParty(rank int, t *flow.Trace, all, steps *memory) *party {
	n := len(t.Steps)
	p := &party{
		rank: rank, trace: t, wait: make([]int32, n), firstDependent: make([]int32, n+1), readers: make([]int32, n),
		needsLazy: make([]bool, n), started: make([]bool, n), finished: make([]bool, n),
		exchanges: map[[2]uint32]int32{}, missing: make([]int32, len(t.Exchanges)), all: all, steps: steps,
	}
	for i := range n {
		deps := t.Deps(i)
		p.wait[i] = 1
		for _, d := range deps {
			if !t.Steps[d].Lazy {
				p.wait[i]++
			}
			p.firstDependent[d+1]++
			p.readers[d]++
		}
		if s := t.Steps[i]; s.Held {
			p.hold(s)
			if s.Stays {
				p.readers[i]++
			}
		}
		if k := t.Steps[i].Exchange; k >= 0 {
			p.exchanges[[2]uint32{t.Steps[i].Op, t.Exchanges[k].Step}] = int32(i)
			p.missing[k] = int32(len(t.Exchanges[k].From)) + 1
		}
	}
	for i := range n {
		p.firstDependent[i+1] += p.firstDependent[i]
	}
	p.dependents = make([]int32, p.firstDependent[n])
	at := append([]int32(nil), p.firstDependent...)
	for i := range n {
		for _, d := range t.Deps(i) {
			p.dependents[at[d]] = int32(i)
			at[d]++
		}
	}
	return p
}

// job is work for one core.
type job struct {
	kind    jobKind
	party   *party
	step    int32
	seconds float64
}

type jobKind uint8

const (
	building   jobKind = iota // building the steps of an operation, up to step
	running                   // running a step, or the part of an exchange that processes the received messages
	packing                   // packing and sending the messages of an exchange
	receiving                 // arrival of a message for the step
	correcting                // arrival of the correction that the step takes
	waking                    // a core that was asleep is awake
)

// event is the completion of a job or the arrival of a message.
type event struct {
	at    float64
	order int64
	pool  *pool // nil for an arriving message
	job
}

// events is a binary heap ordered by time.
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

// pool is the idle cores of a machine and the queue (FIFO) of jobs that wait for one. A core that has been idle for longer than the
// setting's spin time is asleep: its thread takes Machine.Wake to begin the next job, unless another core takes that before.
type pool struct {
	awake  []float64 // since when each idle core that may be awake has been idle, in increasing order
	asleep int       // idle cores that are asleep
	timer  float64   // when a timer last woke a core
	queue  []job
	head   int
}

// mostAwake bounds the number of cores that are awake at the beginning.
const mostAwake = 1 << 10

// tire counts the cores that have been idle for too long as asleep.
func (p *pool) tire(now, spin float64) {
	n := 0
	for n < len(p.awake) && p.awake[n] < now-spin {
		n++
	}
	p.asleep += n
	p.awake = p.awake[:copy(p.awake, p.awake[n:])]
}

func (r *run) post(at float64, p *pool, j job) {
	r.events.push(event{at, r.count, p, j})
	r.count++
}

// pool returns the cores on which the party's jobs run.
func (r *run) pool(p *party) *pool {
	if r.SeparateMachines {
		return r.pools[p.rank]
	}
	return r.pools[0]
}

// spin is how long an idle core stays awake, in seconds. Without times to wake it does not matter.
func (r *run) spin() float64 {
	switch {
	case r.Machine.Wake == 0:
		return math.Inf(1)
	case r.Near:
		return flow.Spin.Seconds()
	}
	return 0
}

// submit starts a job on an idle core of the party's pool that is awake, or queues it. For a job in the queue a core is woken.
func (r *run) submit(j job) {
	p := r.pool(j.party)
	p.tire(r.now, r.spin())
	if last := len(p.awake) - 1; last >= 0 {
		p.awake = p.awake[:last]
		r.post(r.now+j.seconds, p, j)
		return
	}
	p.queue = append(p.queue, j)
	if p.asleep > 0 {
		p.asleep--
		r.post(r.now+r.Machine.Wake, p, job{kind: waking})
	}
}

// startNext starts the next queued job on a core that became free or woke.
func (r *run) startNext(p *pool) {
	if p.head == len(p.queue) {
		p.queue, p.head = p.queue[:0], 0
		p.awake = append(p.awake, r.now)
		return
	}
	j := p.queue[p.head]
	if p.head++; p.head > 1024 && p.head > len(p.queue)/2 {
		p.queue, p.head = p.queue[:copy(p.queue, p.queue[p.head:])], 0
	}
	r.post(r.now+j.seconds, p, j)
}

// timerEnds has a core of the party's pool be awake: the thread that has waited for what arrives over a line with latency. What that takes
// is in Machine.Timer. It takes all that arrives at about the same time.
func (r *run) timerEnds(party *party) {
	p := r.pool(party)
	p.tire(r.now, r.spin())
	if p.asleep > 0 && len(p.awake) == 0 && r.now > p.timer+r.Machine.Wake {
		p.asleep--
		p.awake = append(p.awake, r.now)
		p.timer = r.now
	}
}

func (r *run) handle(e event) {
	p := e.party
	switch e.kind {
	case building:
		for int32(p.built) < e.step {
			p.built++
			if i := p.built - 1; !p.trace.Steps[i].Lazy {
				p.opens(int32(i))
				r.dependencyDone(p, int32(i))
			}
		}
		r.build(p)
	case running:
		r.finish(p, e.step)
	case packing:
		r.send(p, e.step)
		r.arrived(p, e.step)
	case receiving:
		if r.Network.RoundTrip > 0 {
			r.timerEnds(p)
		}
		p.hold(p.message(e.step))
		r.arrived(p, e.step)
	case correcting:
		r.submit(r.running(p, e.step))
	}
	if e.pool != nil {
		r.startNext(e.pool)
	}
}

// build submits the building of the party's next operation, unless too many steps are unfinished.
func (r *run) build(p *party) {
	steps := p.trace.Steps
	if p.built == len(steps) {
		return
	}
	limits := flow.LimitsOf(r.Phase, r.Near)
	if p.stalled {
		p.stalled = !limits.Admits(p.open, p.openBytes)
	} else {
		p.stalled = limits.Exceeded(p.open, p.openBytes)
	}
	if p.stalled {
		return
	}
	end := p.built
	for end < len(steps) && steps[end].Op == steps[p.built].Op {
		end++
	}
	n := end - p.built
	r.submit(job{building, p, int32(end), float64(n)*r.Machine.Build + r.takeFresh(int64(n)*StepAllocated)})
}

// running is the job of a step, whose result takes memory unless it is a vector with a number, which is there already.
func (r *run) running(p *party, i int32) job {
	s := p.trace.Steps[i]
	seconds := float64(s.Seconds)
	if s.Vector == 0 {
		seconds += r.takeFresh(s.Hold)
	}
	return job{running, p, i, seconds}
}

// takeFresh takes memory, and returns the seconds by which it takes longer as far as the process has not used it before.
func (r *run) takeFresh(bytes int64) float64 {
	n := min(bytes, r.fresh)
	r.fresh -= n
	return float64(n) * r.Machine.Fresh
}

// opens counts a step as unfinished.
func (p *party) opens(i int32) {
	p.open++
	p.steps.hold(0, stepHeld)
	if s := p.trace.Steps[i]; !s.Held {
		p.openBytes += s.Hold
	}
}

// dependencyDone records that one dependency of step i is done, or the step's own count. After the last one it starts
// the lazy dependencies, and after these the step.
func (r *run) dependencyDone(p *party, i int32) {
	if p.wait[i]--; p.wait[i] > 0 {
		return
	}
	if !p.needsLazy[i] {
		p.needsLazy[i] = true
		deps := p.trace.Deps(int(i))
		for _, d := range deps {
			if p.trace.Steps[d].Lazy && !p.finished[d] {
				p.wait[i]++
			}
		}
		if p.wait[i] > 0 {
			for _, d := range deps {
				if p.trace.Steps[d].Lazy && !p.started[d] {
					p.started[d] = true
					p.opens(d)
					r.dependencyDone(p, d)
				}
			}
			return
		}
	}
	s := p.trace.Steps[i]
	if at := r.Arrivals[s.Correlation]; s.Correlation > 0 && p.rank == r.Receiver && at > r.now {
		r.post(at, nil, job{kind: correcting, party: p, step: i})
		return
	}
	if s.Exchange < 0 {
		r.submit(r.running(p, i))
		return
	}
	r.submit(job{packing, p, i, float64(p.trace.Exchanges[s.Exchange].Seconds)})
}

// header is the size in bytes of a message's frame without its payload.
const header = 17

// send puts an exchange's messages on the lines to their receivers.
func (r *run) send(p *party, i int32) {
	s := p.trace.Steps[i]
	t := p.trace.Exchanges[s.Exchange]
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
		if step, ok := q.exchanges[[2]uint32{s.Op, t.Step}]; ok {
			r.post(at, nil, job{kind: receiving, party: q, step: step})
		}
	}
}

// arrived records the arrival of a message of an exchange, or the packing of the party's own
// messages.
func (r *run) arrived(p *party, i int32) {
	s := p.trace.Steps[i]
	if p.missing[s.Exchange]--; p.missing[s.Exchange] == 0 {
		r.submit(r.running(p, i))
	}
}

// hold adds a result that the party holds from now on.
func (p *party) hold(s flow.TracedStep) {
	p.own.hold(s.Vector, s.Hold)
	p.all.hold(s.Vector, s.Hold)
}

// release ends a hold.
func (p *party) release(s flow.TracedStep) {
	p.own.release(s.Vector, s.Hold)
	p.all.release(s.Vector, s.Hold)
}

// message is what each message takes that the exchange of step i has received: nothing but the result if this is a vector with
// a number, which is a view of the message.
func (p *party) message(i int32) flow.TracedStep {
	s := p.trace.Steps[i]
	if t := p.trace.Exchanges[s.Exchange]; s.Vector == 0 && len(t.From) > 0 {
		s.Hold = int64(t.Size / len(t.From))
	}
	return s
}

// finish records the end of a step: it releases results that no other step will read and resolves
// the dependents.
func (r *run) finish(p *party, i int32) {
	s := p.trace.Steps[i]
	if !s.Held {
		p.hold(s)
	}
	if s.Exchange >= 0 {
		for range p.trace.Exchanges[s.Exchange].From {
			p.release(p.message(i))
		}
	}
	for _, d := range p.trace.Deps(int(i)) {
		if p.readers[d]--; p.readers[d] == 0 {
			p.release(p.trace.Steps[d])
		}
	}
	p.finished[i] = true
	for _, h := range p.dependents[p.firstDependent[i]:p.firstDependent[i+1]] {
		if !s.Lazy || p.needsLazy[h] {
			r.dependencyDone(p, h)
		}
	}
	p.open--
	p.steps.release(0, stepHeld)
	if !s.Held {
		p.openBytes -= s.Hold
	}
	if p.stalled {
		r.build(p)
	}
}
