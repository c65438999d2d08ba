package profile

import "slices"

// Untimed returns a copy of the report without times and memory, for readers other than the party that measured
// it. A party's times and memory can depend on its own inputs, because it computes on them in cleartext. Other
// fields do not depend on them.
func (r *Report) Untimed() *Report {
	out := *r
	out.Setup.Seconds, out.Input.Seconds, out.Online.Seconds, out.Output.Seconds, out.Offline.Seconds = 0, 0, 0, 0, 0
	out.Offline.BesideOnline, out.Offline.BesideInput = 0, 0
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
