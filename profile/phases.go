package profile

import (
	"fmt"
	"slices"
)

// phase is one row of a report's phases. forecast is what was predicted of
// bytes and rounds, nil where nothing is.
type phase struct {
	name     string
	bytes    int64
	rounds   int
	seconds  float64
	parties  []int64
	forecast *cost
	note     string // where what was sent is no party's
}

// split is what each party sent, or a note.
func (p *phase) split() string {
	if p.note != "" {
		return p.note
	}
	return numbers(p.parties)
}

// phases are a run's, or what a plan says of them.
func (r *Report) phases() []phase {
	online, parties := r.online(), r.Online.BytesSent
	offline := r.Offline
	if !r.measured() {
		parties = r.Predicted.Online.BytesSent
		offline.BytesSent = online.offline
	}
	note := ""
	if offline.Session != "" {
		note = "before, from the store"
	}
	p := r.Predicted
	out := []phase{
		{"setup", sum(r.Setup.BytesSent), r.Setup.Rounds, r.Setup.Seconds, r.Setup.BytesSent, nil, ""},
		{"input", sum(r.Input.BytesSent), r.Input.Rounds, r.Input.Seconds, r.Input.BytesSent, nil, ""},
		{"online", online.bytes, online.rounds, online.seconds, parties, &cost{bytes: sum(p.Online.BytesSent), rounds: p.Online.Rounds}, ""},
		{"output", sum(r.Output.BytesSent), r.Output.Rounds, r.Output.Seconds, r.Output.BytesSent, nil, ""},
		{"offline", offline.BytesSent, offline.Rounds, offline.Seconds, nil, &cost{bytes: p.Offline.BytesSent, rounds: offline.Rounds}, note},
	}
	return out
}

// verdict says how what was measured compares with what was predicted: in all,
// and operation by operation.
func (r *Report) verdict() string {
	p, o := r.Predicted.Online, r.Online
	same := slices.Equal(p.BytesSent, o.BytesSent) && slices.Equal(p.Messages, o.Messages) && p.Rounds == o.Rounds && r.Predicted.Offline.BytesSent == r.Offline.BytesSent
	var off []*Op
	for i := range r.Ops {
		if o := &r.Ops[i]; o.surprised() {
			off = append(off, o)
		}
	}
	switch {
	case r.Expected() && len(off) == 0 && r.Predicted.Offline.BytesSent == r.Offline.BytesSent:
		return fmt.Sprintf("Bytes, messages, rounds and offline bytes are as predicted, for each of %d operations, but those of sorts of shuffled rows, whose cost online depends on a random order.", len(r.Ops))
	case same && len(off) == 0:
		return fmt.Sprintf("Bytes, messages, rounds and offline bytes are as predicted, for each of %d operations.", len(r.Ops))
	case len(off) == 0:
		return "The phases are not as predicted."
	}
	return fmt.Sprintf("%d of %d operations are not as predicted, the first is %s at %s.", len(off), len(r.Ops), off[0].Op, off[0].Loc)
}

// surprised reports whether an operation cost other than predicted. Of an
// expectation what is dealt is predicted.
func (o *Op) surprised() bool {
	p := o.Predicted
	if o.Expected {
		return p.OfflineBytes != o.OfflineBytes
	}
	return !slices.Equal(p.BytesSent, o.BytesSent) || !slices.Equal(p.Messages, o.Messages) || p.Rounds != o.Rounds || p.OfflineBytes != o.OfflineBytes
}
