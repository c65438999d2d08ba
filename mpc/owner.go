package mpc

// stays is the bit that Staying sets in a rank.
const stays = 1 << 30

// Staying marks an owner's rank, for Input and AddLocal: the vector is the same in all requests of
// a session and is shared only once.
func Staying(owner int) int { return owner | stays }

// Owner splits the owner argument of Input and AddLocal into the rank and whether Staying marked
// it. Negative numbers are not ranks and are returned unchanged.
func Owner(who int) (rank int, staying bool) {
	if who < 0 {
		return who, false
	}
	return who &^ stays, who&stays != 0
}
