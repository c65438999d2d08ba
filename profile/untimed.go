package profile

import "slices"

// Untimed is a copy of the report without times and memory, for readers outside
// the party that ran: how long a party works in cleartext on its own inputs, and
// with how much memory, can depend on these inputs. Nothing else in a measured
// report does.
func (r *Report) Untimed() *Report {
	out := *r
	out.Setup.Seconds, out.Input.Seconds, out.Online.Seconds, out.Output.Seconds, out.Offline.Seconds = 0, 0, 0, 0, 0
	out.PeakMemoryBytes = 0
	out.Ops = slices.Clone(r.Ops)
	for i := range out.Ops {
		o := &out.Ops[i]
		o.Seconds = 0
		o.Sites = slices.Clone(o.Sites)
		for j := range o.Sites {
			o.Sites[j].Seconds = 0
		}
	}
	return &out
}
