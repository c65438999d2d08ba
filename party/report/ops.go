package report

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/profile"
)

// fillOps lists the operations that ran, and the frames in which they ran. offline is the offline
// bytes of an entry of the first party's costs.
func (r *Run) fillOps(out *profile.Report, of func(*Party) *Costs, offline func(*exec.OpCost) int64) {
	first := of(r.Parties[0]).Ops
	for _, f := range first.Frames {
		frame := profile.Frame{Outer: -1, Op: f.Op, Func: f.Func}
		if f.Outer != nil {
			frame.Outer = f.Outer.ID
		}
		out.Frames = append(out.Frames, frame)
	}
	deepest := r.deepest().Planned.Ops
	n := len(r.Names)
	at := map[int]*profile.Op{}
	for i, e := range first.Ops {
		o := at[e.ID]
		if o == nil {
			o = &profile.Op{
				ID: e.ID, Op: e.Op.Title(), Loc: e.Op.Pos.String(), Name: e.Op.Loc, Pattern: e.Whole,
				BytesSent: make([]int64, n), Messages: make([]int64, n),
				Predicted: profile.OpCost{BytesSent: make([]int64, n), Messages: make([]int64, n)},
			}
			at[e.ID] = o
		}
		s := profile.Site{
			Frame: e.Frame.ID, Calls: int(e.Calls.Load()), BytesSent: make([]int64, n), Messages: make([]int64, n),
			OfflineBytes: offline(e), PathRounds: int(deepest.Ops[i].Path),
		}
		rounds := 0
		for rank, party := range r.Parties {
			want := party.Planned.Ops.Ops[i]
			nanos := int64(0) // a plan's own evaluation time is not a cost of the run
			if party.Measured != nil {
				nanos = want.Cleartext.Load()
			}
			if party.Online {
				c := of(party).Ops.Ops[i]
				s.BytesSent[rank], s.Messages[rank] = c.Bytes.Load(), c.Messages.Load()
				s.Rounds = max(s.Rounds, int(c.Rounds.Load()))
				o.Predicted.BytesSent[rank] += want.Bytes.Load()
				o.Predicted.Messages[rank] += want.Messages.Load()
				o.Expected = o.Expected || want.Expected.Load()
				rounds = max(rounds, int(want.Rounds.Load()))
				nanos += c.Nanos.Load()
				if party.Measured != nil {
					nanos += c.Cleartext.Load()
				}
				o.MultiplyAdds += want.Products.Load()
			}
			s.Seconds += float64(nanos) / 1e9
		}
		o.Predicted.Rounds += rounds
		o.Predicted.OfflineBytes += r.Parties[0].Planned.Ops.Ops[i].Offline.Load()
		if d := &deepest.Ops[i].Cost; d.Last > 0 {
			s.Depth = []int{int(d.First), int(d.Last)}
		}
		o.Add(s)
	}
	reads := newInputFinder(r.Program, first, at)
	for _, e := range first.Ops {
		if o := at[e.ID]; o.Inputs == nil {
			o.Inputs = reads.inputs(e.Op)
		}
	}
	for _, o := range at {
		out.Ops = append(out.Ops, *o)
	}
	slices.SortFunc(out.Ops, func(a, b profile.Op) int { return cmp.Compare(a.ID, b.ID) })
}
