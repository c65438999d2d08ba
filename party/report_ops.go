package party

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
)

// reportOps lists the operations that ran, and the frames in which they ran. The walks of all
// parties are alike, so all costs have the same entries.
func (l *execution) reportOps(r *profile.Report, costs func(*session) *exec.Costs, offline func(*exec.OpCost) int64) {
	first := costs(l.sessions[0])
	for _, f := range first.Frames {
		out := profile.Frame{Outer: -1, Op: f.Op, Func: f.Func}
		if f.Outer != nil {
			out.Outer = f.Outer.ID
		}
		r.Frames = append(r.Frames, out)
	}
	deepest := l.deepest().plan.costs
	n := len(l.spec.Parties)
	at := map[int]*profile.Op{}
	for i, e := range first.Ops {
		o := at[e.ID]
		if o == nil {
			o = &profile.Op{
				ID: e.ID, Op: e.Op.Title(), Loc: e.Op.Pos.String(), Name: e.Op.Loc, Pattern: e.Whole, BytesSent: make([]int64, n), Messages: make([]int64, n),
				Predicted: profile.OpCost{BytesSent: make([]int64, n), Messages: make([]int64, n)},
			}
			at[e.ID] = o
		}
		s := profile.Site{
			Frame: e.Frame.ID, Calls: int(e.Calls.Load()), BytesSent: make([]int64, n), Messages: make([]int64, n),
			OfflineBytes: offline(e), PathRounds: int(deepest.Ops[i].Path),
		}
		rounds := 0
		for rank, x := range l.sessions {
			nanos := x.plan.costs.Ops[i].Cleartext.Load()
			if x.costs == nil { // a plan: its own evaluation time is not a cost of the run
				nanos = 0
			}
			if x.computes() {
				c, p := costs(x).Ops[i], x.plan.costs.Ops[i]
				s.BytesSent[rank], s.Messages[rank] = c.Bytes.Load(), c.Messages.Load()
				s.Rounds = max(s.Rounds, int(c.Rounds.Load()))
				o.Predicted.BytesSent[rank] += p.Bytes.Load()
				o.Predicted.Messages[rank] += p.Messages.Load()
				o.Expected = o.Expected || p.Expected.Load()
				rounds = max(rounds, int(p.Rounds.Load()))
				nanos += c.Nanos.Load()
				if x.costs != nil {
					nanos += c.Cleartext.Load()
				}
				o.MultiplyAdds += p.Products.Load()
			}
			s.Seconds += float64(nanos) / 1e9
		}
		o.Predicted.Rounds += rounds
		o.Predicted.OfflineBytes += l.sessions[0].plan.costs.Ops[i].Offline.Load()
		if d := &deepest.Ops[i].Cost; d.Last > 0 {
			s.Depth = []int{int(d.First), int(d.Last)}
		}
		o.Add(s)
	}
	reads := newInputFinder(l.spec.Program, first, at)
	for _, e := range first.Ops {
		if o := at[e.ID]; o.Inputs == nil {
			o.Inputs = reads.inputs(e.Op)
		}
	}
	for _, o := range at {
		r.Ops = append(r.Ops, *o)
	}
	slices.SortFunc(r.Ops, func(a, b profile.Op) int { return cmp.Compare(a.ID, b.ID) })
}

// deepest is the session whose dry run has the most online rounds.
func (l *execution) deepest() *session {
	return slices.MaxFunc(l.sessions, func(a, b *session) int {
		return cmp.Compare(a.plan.rounds[link.Online], b.plan.rounds[link.Online])
	})
}
