package flow

// Objective is the cost that is minimised where there are several protocols for an operation.
type Objective uint8

// The objectives.
const (
	ForOnline Objective = iota // bytes and rounds between inputs and results
	ForRounds                  // rounds, then bytes
	ForTotal                   // all bytes, corrections included
)

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
