package party

import (
	"crypto/sha256"

	"github.com/tacet-mpc/tacet/ring"
)

// seeds are the secret seeds of one session in this process: each party's with the dealer, and each
// pair of parties'. They are drawn from the operating system or, for repeatable simulation, derived
// from one seed.
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

// dealer is the seed that a party has in common with the dealer.
func (s seeds) dealer(rank int) ring.Seed {
	if s.fixed != nil {
		return s.fixed.Seed(uint64(rank), 0)
	}
	if _, ok := s.byRank[rank]; !ok {
		s.byRank[rank] = ring.NewSeed()
	}
	return s.byRank[rank]
}

// zero draws the seed that party i gives to party j, i < j; for i = j = 0, the seed that the first
// party gives to all online parties.
func (s seeds) zero(i, j int) ring.Seed {
	if s.fixed != nil {
		return s.fixed.Seed(uint64(i)<<32|uint64(j), 1)
	}
	return ring.NewSeed()
}
