package semi2k

// Bytes returns the memory in bytes that the vectors of the input phase take at the party of the given rank: shared
// for the masked values of all vectors, own for the party's own vectors in cleartext, or their masks.
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
