package mpc

// stays is the bit that Staying sets in a rank.
const stays = 1 << 30

// Staying returns the owner that stands for a party's rank and says that the vector is the same in all requests of a
// session, so that it is shared only once. It is an argument of Core.Input and Additions.AddLocal.
func Staying(owner int) int { return owner | stays }

// Owner splits an owner, the argument of Core.Input and Additions.AddLocal, into the rank and whether Staying marked
// it. Negative numbers are no ranks and are returned unchanged.
func Owner(who int) (rank int, staying bool) {
	if who < 0 {
		return who, false
	}
	return who &^ stays, who&stays != 0
}
