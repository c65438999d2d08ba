package exp

// scale is the extent of the study.
type scale struct {
	points      int    // arguments of a scan
	elements    []int  // sizes of timed runs
	repeats     int    // repetitions of a timed run
	rings       []int  // rings of timed runs and models
	modes       []mode // modes of timed runs and models
	rows, steps int    // rows and gradient steps of models
}

func (s *findings) scale() scale {
	if s.lab.Quick {
		return scale{points: 4000, elements: []int{1000, 4000}, repeats: 1, rings: rings[:1], modes: modes[:3], rows: 200, steps: 1}
	}
	return scale{
		points:   20_000,
		elements: []int{1000, 10_000, 100_000, 1_000_000},
		repeats:  3,
		rings:    rings,
		modes:    modes,
		rows:     2000,
		steps:    10,
	}
}
