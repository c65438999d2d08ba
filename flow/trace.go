package flow

// Trace records the steps of a dry run and their dependencies, in the order in which they were added. Package timing
// computes from it how long a run takes.
type Trace struct {
	Steps     []TracedStep     // in the order in which they were added
	Exchanges []TracedExchange // the sending sides of the steps that exchange messages
	deps      []int32
}

// TracedStep is one step of a dry run.
type TracedStep struct {
	Op       uint32  // number of the operation instance
	deps     uint32  // end of its dependencies in Trace.deps
	Exchange int32   // position in Trace.Exchanges; −1 for a step that exchanges nothing
	Seconds  float32 // estimated local work; of an exchange, the work after its messages have arrived
	Hold     int64   // size of the step's result in bytes
	// Correlation is the id of the correlation that the step takes, and whose correction it waits for; 0 for none.
	Correlation uint64
	// Lazy says that the step runs only when a step that depends on it has all its other dependencies (Lazy).
	Lazy bool
	// Held says that this is no step but a value that is there when the first step begins (Held); Stays that it is kept to
	// the end.
	Held, Stays bool
	// Vector names the memory of the result (SameVector): results that have the same number are one vector, also at other
	// parties of the process; 0 for a result with memory of its own.
	Vector uint64
}

// TracedExchange is this party's side of one exchange of a dry run.
type TracedExchange struct { // number within the operation instance
	Step uint32 // number of the exchange within the operation instance
	// To are the ranks to which this party sends, From those for whose messages it waits.
	To, From []int
	Bytes    []int   // payload bytes of the messages sent, one entry for each rank of To
	Size     int     // total payload bytes of the messages waited for
	Seconds  float32 // estimated local work before sending
}

// Deps returns the positions in Steps of the steps that step i depends on. The caller must not change the slice.
func (t *Trace) Deps(i int) []int32 {
	from := uint32(0)
	if i > 0 {
		from = t.Steps[i-1].deps
	}
	return t.deps[from:t.Steps[i].deps]
}

// begin records a step.
func (t *Trace) begin(s *step, deps []Dep) {
	if t == nil {
		return
	}
	for _, d := range deps {
		if b := d.base(); b.traced > 0 {
			t.deps = append(t.deps, b.traced-1)
		}
	}
	if a := s.op.after; a != nil && a.traced > 0 {
		t.deps = append(t.deps, a.traced-1)
	}
	t.Steps = append(t.Steps, TracedStep{Op: s.op.ID, deps: uint32(len(t.deps)), Exchange: -1, Hold: s.bytes, Correlation: s.correlation})
	s.traced = int32(len(t.Steps))
}

// lazy marks a step that is recorded as a lazy one.
func (t *Trace) lazy(s *step) {
	if t != nil && s.traced > 0 {
		t.Steps[s.traced-1].Lazy = true
	}
}

// held records a value that is there when the first step begins.
func (t *Trace) held(s *step, op *Op, bytes int64, stays bool) {
	if t == nil {
		return
	}
	t.Steps = append(t.Steps, TracedStep{Op: op.ID, deps: uint32(len(t.deps)), Exchange: -1, Hold: bytes, Held: true, Stays: stays})
	s.traced = int32(len(t.Steps))
}

// SameVector says that the result of d, a step or a held value, is the vector of that number: results that are given the same number take
// memory once, also those of other parties that run in the same process. number is not 0.
func SameVector(op *Op, d Dep, number uint64) {
	if t, s := op.Graph.trace, d.base(); t != nil && s.traced > 0 {
		t.Steps[s.traced-1].Vector = number
	}
}

// HeldBytes is the size of all values that are there when the first step begins.
func (t *Trace) HeldBytes() (sum int64) {
	for _, s := range t.Steps {
		if s.Held {
			sum += s.Hold
		}
	}
	return sum
}

// exchange records the sending side of an exchange.
func (t *Trace) exchange(s *step, number uint32, k ExchangeSpec, bytes []int, seconds float64) {
	if t == nil {
		return
	}
	size := 0
	for i := range k.From {
		size += k.size(i)
	}
	t.Steps[s.traced-1].Exchange = int32(len(t.Exchanges))
	t.Exchanges = append(t.Exchanges, TracedExchange{number, k.To, k.From, bytes, size, float32(seconds)})
}

// end records the work of the step at position at, counted from 1.
func (t *Trace) end(at int32, seconds float64) {
	if t != nil {
		t.Steps[at-1].Seconds = float32(seconds)
	}
}
