package ring

import (
	"slices"
	"testing"
)

// Every kernel's rows of products equal the portable ones and write nothing outside.
func TestSumTapsKernels(t *testing.T) {
	const room = 200
	_, x := guarded(room, 1)
	_, y := guarded(room, 2)
	for _, m := range []uint64{1, 1<<46 - 1, 1<<64 - 1} {
		for _, n := range []int{0, 1, 7, 8, 9, 31, 32, 33, 40, 75, 100} {
			for count := range 5 {
				var taps []tap
				for i := range count {
					taps = append(taps, tap{(i * 37) % (room - n + 1), room - n - (i*11)%(room-n+1)})
				}
				_, want := guarded(n, 3)
				sumTaps(want, x, y, taps, m)
				for _, k := range available() {
					all, got := guarded(n, 3)
					k.sumTaps(got, x, y, taps, m)
					if !slices.Equal(got, want) {
						t.Fatalf("%s: %d taps of %d elements are\n%x, want\n%x", k.name, count, n, got, want)
					}
					outside := slices.Concat(all[:64], all[len(all)-64:])
					if slices.ContainsFunc(outside, func(w uint64) bool { return w != guard }) {
						t.Fatalf("%s: %d taps of %d elements write outside", k.name, count, n)
					}
				}
			}
		}
	}
}
