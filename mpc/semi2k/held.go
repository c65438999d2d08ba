package semi2k

// Bytes is what the vectors that are shared in the input phase take at a
// party: all of them, masked, and its own, in clear or their masks.
func (in Inputs) Bytes(rank int) (shared, own int64) {
	for _, x := range in {
		if !x.masked {
			continue
		}
		n := bytes(x.mask.Ring, x.mask.N)
		shared += n
		if x.owner == rank {
			own += n
		}
	}
	return shared, own
}
