package quota

// Victim returns the index of the place that its holder loses when there is one holder too many: the
// oldest place of the holder of most places. holders lists the holders of all places, the oldest place
// first and the new one last; it must not be empty. Among holders of equally many places the one with
// the oldest place gives way, so the new place is lost only if it is the only one.
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
