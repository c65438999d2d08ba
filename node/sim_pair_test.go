package node

// runPair runs jobs without a dealer, each of which leaves keys and transfers for the next one: no two jobs may begin with the same ones
// (world.spent), whatever is restored from backups.
func (w *world) runPair(order []string) {
	for range 3 {
		s := w.submission(order...)
		s.Protocol, s.Computing = "cheetah", 2
		w.submitted(s)
		w.ended(s, gives(of(order[0], "x.npy"), of(order[1], "x.npy")))
	}
}
