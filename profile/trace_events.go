package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Events is the trace of a run as Chrome's trace events, which Perfetto opens:
// a process for each party, a lane for each kind of operation, and messages as
// flows between them.
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
		loc, kind := names.of(s)
		name, cat := kind, "work"
		args := map[string]any{"instance": s.op, "loc": loc, "phase": s.phase}
		switch s.way {
		case out:
			name, cat = "to "+partyName(r, s.msg.target), "message"
		case in:
			name, cat = "from "+partyName(r, s.msg.sender), "message"
		}
		if s.way != inside {
			args["bytes"], args["step"] = s.msg.bytes, s.msg.step
		}
		tid := l.slice(s.rank+1, kind, name, cat, s.from, s.took, args)
		if s.way == inside {
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
		if s.way == out {
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

// flow addresses a message.
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

// instance is an operation instance of a phase.
type instance struct {
	phase string
	op    uint32
}

type instances map[instance]string

// names are what instances are, as their work tells.
func (t *Trace) names() instances {
	out := instances{}
	for _, s := range t.spans {
		if s.what != "" {
			out[instance{s.phase, s.op}] = s.what
		}
	}
	return out
}

// of is the place in the program that a span belongs to, and its lane.
func (n instances) of(s *span) (loc, kind string) {
	what := n[instance{s.phase, s.op}]
	if s.phase != "online" || what == "" {
		return what, s.phase
	}
	i := strings.LastIndex(what, ": ")
	return what[:max(i, 0)], strings.TrimPrefix(what[max(i+1, 0):], " ")
}

// Rounds is a plan as trace events: a lane for each kind of operation, where a
// round is a millisecond long.
func Rounds(r *Report) ([]byte, error) {
	l := newLanes()
	l.process(1, "plan: a millisecond is a round")
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
