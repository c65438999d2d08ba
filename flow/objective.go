package flow

// Objective is the cost that is minimised where there are several protocols for an operation.
type Objective uint8

// The objectives.
const (
	ForOnline Objective = iota // bytes and rounds between inputs and results
	ForRounds                  // rounds, then bytes
	ForTotal                   // all bytes, corrections included
)

// RoundBytes is how many bytes, online and offline of all elements of an operation, weigh as much as a round where the
// total cost is minimised: what a line of 10^8 bit/s carries in 42 ms. With fewer elements than that the form of fewer
// rounds is the better one.
const RoundBytes = 1 << 19

var objectiveNames = [...]string{"online", "rounds", "total"}

func (a Objective) String() string { return objectiveNames[a] }

// ParseObjective returns the objective that String calls text; ok is false if there is none.
func ParseObjective(text string) (a Objective, ok bool) {
	for i, name := range objectiveNames {
		if name == text {
			return Objective(i), true
		}
	}
	return ForOnline, false
}
