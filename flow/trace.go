package flow

// Trace is what a weightless graph's steps are and wait for, in the order in
// which they were made: the run, without its data. Times follow from it
// (package timing).
type Trace struct {
	Steps []TracedStep
	Talks []TracedTalk
	deps  []int32
}

// TracedStep is one step of a trace.
type TracedStep struct {
	Op      uint32  // instance
	deps    uint32  // where its dependencies end in the trace's list
	Talk    int32   // of an exchange its place in Talks, else −1
	Seconds float32 // of local work; of an exchange after messages came
	Hold    int64   // bytes of its result
}

// TracedTalk is who sends and waits in an exchange.
type TracedTalk struct {
	Step     uint32 // number within the operation's instance
	To, From []int
	Bytes    []int   // of messages that are sent, one for each of To
	Size     int     // of all that are waited for, together
	Seconds  float32 // of local work before it is sent
}

// Deps are the places of the steps that step i waits for.
func (t *Trace) Deps(i int) []int32 {
	from := uint32(0)
	if i > 0 {
		from = t.Steps[i-1].deps
	}
	return t.deps[from:t.Steps[i].deps]
}

// begin enters a step of a weightless graph.
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
	t.Steps = append(t.Steps, TracedStep{Op: s.op.ID, deps: uint32(len(t.deps)), Talk: -1, Hold: s.bytes})
	s.traced = int32(len(t.Steps))
}

// talk enters an exchange's side before its messages.
func (t *Trace) talk(s *step, number uint32, k Talk, bytes []int, seconds float64) {
	if t == nil {
		return
	}
	size := 0
	for i := range k.From {
		size += k.size(i)
	}
	t.Steps[s.traced-1].Talk = int32(len(t.Talks))
	t.Talks = append(t.Talks, TracedTalk{number, k.To, k.From, bytes, size, float32(seconds)})
}

// end enters the work of the step that was entered as the at-th.
func (t *Trace) end(at int32, seconds float64) {
	if t != nil {
		t.Steps[at-1].Seconds = float32(seconds)
	}
}
