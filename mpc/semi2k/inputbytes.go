package semi2k

// Bytes implements protocol.Inputs. A computing party's own vectors become masked values in place; of those that stay it
// keeps the masks too. An input party has its own vectors in cleartext only.
func (in Inputs) Bytes(rank int) (shared, own int64) {
	for _, x := range in {
		if !x.masked {
			continue
		}
		n := bytes(x.mask.Ring, x.mask.N)
		shared += n
		if x.owner == rank && (x.stays || !x.computes) {
			own += n
		}
	}
	return shared, own
}
