package mpc

// stays is the bit that Staying sets in a rank.
const stays = 1 << 30

// Staying returns the owner that stands for a party's rank and says that the vector is the same in all requests of a
// session, so that it is shared only once. It is an argument of Core.Input and Additions.AddLocal.
func Staying(owner int) int { return owner | stays }

// argumentShift is the place of an argument's number in an owner, above the bit of Staying.
const argumentShift = 31

// StayingArgument returns Staying(owner) for the vector that Core.Input makes of the program's argument of a number, from 1; 0 stands for
// a vector of no argument. All programs of a session encode the argument alike, so that a vector which one of them has shared serves the
// others.
func StayingArgument(owner, number int) int { return Staying(owner) | number<<argumentShift }

// Owner splits an owner, the argument of Core.Input and Additions.AddLocal, into the rank and whether Staying marked
// it. Negative numbers are no ranks and are returned unchanged.
func Owner(who int) (rank int, staying bool) {
	if who < 0 {
		return who, false
	}
	return who & (stays - 1), who&stays != 0
}

// Argument returns the number of the argument that StayingArgument has put into an owner, 0 if there is none.
func Argument(who int) int { return max(who, 0) >> argumentShift }
