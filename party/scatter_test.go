package party

import "testing"

// TestScatterThreshold: on a network with latency many parties send at most twice the bytes of three for an opening whose bytes
// matter, and few parties save the round.
func TestScatterThreshold(t *testing.T) {
	for n, want := range map[int]int{2: 0, 3: 1481251, 7: 691251, 8: 4682, 16: 1873} {
		s := Spec{Protocol: "semi2k", Computing: n, Parties: make([]string, n), Network: "1e9/7.9ms"}
		if got := s.scatterThreshold(); got != want {
			t.Errorf("%d parties: openings of %d bytes or more take two rounds, not of %d", n, got, want)
		}
		s.Set = map[string]string{"optimize": "rounds"}
		if got := s.scatterThreshold(); got != 0 {
			t.Errorf("%d parties, fewest rounds: openings of %d bytes take two", n, got)
		}
	}
}
