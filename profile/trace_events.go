package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Events converts the trace to Chrome's trace events (JSON), which Perfetto opens. A party is a
// process, each kind of operation a thread or more, and messages are flows between them.
func (t *Trace) Events(r *Report) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := newLanes()
	for rank, name := range r.Parties {
		l.process(rank+1, name)
		for _, p := range t.phases {
			l.slice(rank+1, "phases", p.phase, "phase", p.from, p.took, nil)
		}
	}
	slices.SortStableFunc(t.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	names := t.names()
	ends := map[flow]*flowEnds{}
	var order []*flowEnds
	for i := range t.spans {
		s := &t.spans[i]
		loc, kind := names.locate(s)
		name, cat := kind, "work"
		args := map[string]any{"instance": s.op, "loc": loc, "phase": s.phase}
		switch s.direction {
		case sent:
			name, cat = "to "+partyName(r, s.msg.target), "message"
		case received:
			name, cat = "from "+partyName(r, s.msg.sender), "message"
		}
		if s.direction != localWork {
			args["bytes"], args["step"] = s.msg.bytes, s.msg.step
		}
		tid := l.slice(s.rank+1, kind, name, cat, s.from, s.took, args)
		if s.direction == localWork {
			continue
		}
		at := flow{s.phase, s.op, s.msg.step, s.msg.sender, s.msg.target}
		f := ends[at]
		if f == nil {
			f = &flowEnds{}
			ends[at] = f
			order = append(order, f)
		}
		e := event{Name: kind, Cat: "message", Time: micros(s.from), PID: s.rank + 1, TID: tid}
		if s.direction == sent {
			e.Phase = "s"
			f.start = &e
		} else {
			e.Phase, e.Bind = "f", "e"
			f.end = &e
		}
	}
	id := 0
	for _, f := range order {
		if f.start == nil || f.end == nil || f.end.Time < f.start.Time {
			continue
		}
		id++
		f.start.ID, f.end.ID = id, id
		l.events = append(l.events, *f.start, *f.end)
	}
	if note := t.note(); note != "" {
		last := t.spans[len(t.spans)-1]
		l.events = append(l.events, event{Name: note, Phase: "i", Time: micros(last.from), PID: last.rank + 1, TID: 1, Scope: "g"})
	}
	return l.file(r.title(), t.note())
}

// flow identifies a message.
type flow struct {
	phase          string
	op, step       uint32
	sender, target int
}

type flowEnds struct{ start, end *event }

func partyName(r *Report, rank int) string {
	if rank < len(r.Parties) {
		return r.Parties[rank]
	}
	return fmt.Sprintf("party %d", rank)
}

// instance identifies an operation instance.
type instance struct {
	phase string
	op    uint32
}

type instances map[instance]string

// names returns the "location: operation" of each instance, taken from its local work.
func (t *Trace) names() instances {
	out := instances{}
	for _, s := range t.spans {
		if s.what != "" {
			out[instance{s.phase, s.op}] = s.what
		}
	}
	return out
}

// locate returns a span's location in the program and the kind of its lane.
func (n instances) locate(s *span) (loc, kind string) {
	what := n[instance{s.phase, s.op}]
	if s.phase != "online" || what == "" {
		return what, s.phase
	}
	i := strings.LastIndex(what, ": ")
	return what[:max(i, 0)], strings.TrimPrefix(what[max(i+1, 0):], " ")
}

// Rounds returns a plan as Chrome's trace events (JSON), which Perfetto opens: a lane for each kind of
// operation, where one millisecond stands for one round.
func Rounds(r *Report) ([]byte, error) {
	l := newLanes()
	l.process(1, "plan: one round = one millisecond")
	type placed struct {
		op   *Op
		site *Site
	}
	var all []placed
	for i := range r.Ops {
		for j := range r.Ops[i].Sites {
			if s := &r.Ops[i].Sites[j]; len(s.Depth) == 2 {
				all = append(all, placed{&r.Ops[i], s})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.site.Depth[0], b.site.Depth[0]) })
	for _, p := range all {
		o, s := p.op, p.site
		from, to := time.Duration(s.Depth[0])*time.Millisecond, time.Duration(s.Depth[1])*time.Millisecond
		l.slice(1, o.Op, o.label(), "rounds", from, to-from, map[string]any{
			"loc": o.Loc, "bytes": sum(s.BytesSent), "rounds": s.Rounds, "offline_bytes": s.OfflineBytes, "calls": s.Calls, "path_rounds": s.PathRounds,
		})
	}
	return l.file(r.title(), "")
}
