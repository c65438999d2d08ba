package exp

// scale is how much is run.
type scale struct {
	points      int    // of a scan
	elements    []int  // of timed runs
	repeats     int    // of timed runs
	rings       []int  // of timed runs and models
	modes       []mode // of timed runs and models
	rows, steps int    // of models
}

func (s *findings) scale() scale {
	if s.lab.Quick {
		return scale{points: 4000, elements: []int{1000, 4000}, repeats: 1, rings: rings[:1], modes: modes[:3], rows: 200, steps: 1}
	}
	return scale{points: 20_000, elements: []int{1000, 10_000, 100_000, 1_000_000}, repeats: 3, rings: rings, modes: modes, rows: 2000, steps: 10}
}
