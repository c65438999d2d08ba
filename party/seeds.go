package party

import (
	"crypto/sha256"

	"github.com/tacet-mpc/tacet/ring"
)

// seeds are the secrets of one session in this process: what each party has in
// common with the dealer, and pairs of parties with each other. Each is drawn
// from the operating system, or, for repeatable simulation, from one seed.
type seeds struct {
	fixed  *ring.PRG
	byRank map[int]ring.Seed
}

func newSeeds(fixed []byte) seeds {
	s := seeds{byRank: map[int]ring.Seed{}}
	if fixed != nil {
		sum := sha256.Sum256(fixed)
		s.fixed = ring.NewPRG(ring.Seed(sum[:16]))
	}
	return s
}

// dealer is the seed that a party shares with the dealer.
func (s seeds) dealer(rank int) ring.Seed {
	if s.fixed != nil {
		return s.fixed.Seed(uint64(rank), 0)
	}
	if _, ok := s.byRank[rank]; !ok {
		s.byRank[rank] = ring.NewSeed()
	}
	return s.byRank[rank]
}

// zero draws the seed that party i gives to party j, i < j; or, for i = j = 0,
// the one that the first party gives to all that compute.
func (s seeds) zero(i, j int) ring.Seed {
	if s.fixed != nil {
		return s.fixed.Seed(uint64(i)<<32|uint64(j), 1)
	}
	return ring.NewSeed()
}
