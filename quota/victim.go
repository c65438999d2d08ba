package quota

// Victim returns the index of the place that is taken away when there is one holder too many. holders has the
// holder of each place, the oldest place first and the new one last; it must not be empty. The holder with the
// most places loses its oldest place; of several such holders, the one whose oldest place is the oldest. So the
// new place itself is lost only if it is the only place.
func Victim[K comparable](holders []K) int {
	count := map[K]int{}
	for _, h := range holders {
		count[h]++
	}
	victim := 0
	for i, h := range holders {
		if count[h] > count[holders[victim]] {
			victim = i
		}
	}
	return victim
}
