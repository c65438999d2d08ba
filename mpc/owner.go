package mpc

// stays marks a rank: see Staying.
const stays = 1 << 30

// Staying is how Input and AddKnown are told of an owner whose vector is the
// same in every turn of a session, so that it need not be shared again.
func Staying(owner int) int { return owner | stays }

// Owner is the rank of whom Input and AddKnown are told, and whether the vector
// stays. Negative numbers, which are no ranks, are left as they are.
func Owner(who int) (rank int, staying bool) {
	if who < 0 {
		return who, false
	}
	return who &^ stays, who&stays != 0
}
