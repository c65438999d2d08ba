package semi2k

// Bytes implements protocol.Inputs. A computing party's own vectors become masked values in place; those that stay it
// keeps in cleartext too. It adds others to its share (AddLocal). An input party has its own vectors in cleartext only.
func (in Inputs) Bytes(rank int) (shared, own int64) {
	for _, x := range in {
		n := bytes(x.mask.Ring, x.mask.N)
		if !x.masked {
			if x.owner == rank {
				own += n
			}
			continue
		}
		shared += n
		if x.owner == rank && (x.stays || !x.computes) {
			own += n
		}
	}
	return shared, own
}
