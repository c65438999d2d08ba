package profile

import (
	"fmt"
	"slices"
)

// phase is one row of the table of phases. forecast is the predicted cost in bytes and rounds, nil
// for phases without a prediction.
type phase struct {
	name      string
	bytes     int64
	rounds    int
	seconds   float64
	parties   []int64
	predicted *cost
	note      string // shown in place of the bytes by party, if not empty
}

// byParty returns the bytes that each party sent, or the note.
func (p *phase) byParty() string {
	if p.note != "" {
		return p.note
	}
	return numbers(p.parties)
}

// phases returns the phases of a run, or of a plan with predicted costs.
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
	if offline.PairState != "" {
		note = "pair state " + offline.PairState
	}
	if text := beside(offline.BesideInput, offline.BesideOnline); text != "" {
		note = "of it " + text
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

// verdict says whether the measured costs equal the predicted ones, in total and for each
// operation.
func (r *Report) verdict() string {
	p, o := r.Predicted.Online, r.Online
	same := slices.Equal(p.BytesSent, o.BytesSent) && slices.Equal(p.Messages, o.Messages) && p.Rounds == o.Rounds &&
		r.Predicted.Offline.BytesSent == r.Offline.BytesSent
	var off []*Op
	for i := range r.Ops {
		if o := &r.Ops[i]; o.mispredicted() {
			off = append(off, o)
		}
	}
	switch {
	case r.Expected() && len(off) == 0 && r.Predicted.Offline.BytesSent == r.Offline.BytesSent:
		return fmt.Sprintf(
			"Bytes, messages, rounds and offline bytes are as predicted for each of %d operations, except sorts of shuffled rows, whose online cost depends on a random order.",
			len(r.Ops),
		)
	case same && len(off) == 0:
		return fmt.Sprintf("Bytes, messages, rounds and offline bytes are as predicted, for each of %d operations.", len(r.Ops))
	case len(off) == 0:
		return "The totals of the phases differ from the prediction."
	}
	return fmt.Sprintf("%d of %d operations differ from the prediction; the first is %s at %s.", len(off), len(r.Ops), off[0].Op, off[0].Loc)
}

// mispredicted reports whether an operation's measured cost differs from the predicted one. If the
// online cost is an expected value, only the offline bytes are compared.
func (o *Op) mispredicted() bool {
	p := o.Predicted
	if o.Expected {
		return p.OfflineBytes != o.OfflineBytes
	}
	return !slices.Equal(p.BytesSent, o.BytesSent) || !slices.Equal(p.Messages, o.Messages) || p.Rounds != o.Rounds ||
		p.OfflineBytes != o.OfflineBytes
}
