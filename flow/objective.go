package flow

// Objective is the cost that is minimised where an operation has several protocols.
type Objective uint8

// The objectives. ForOnline, the zero value, minimises the bytes and rounds of the online phase, but takes a few more of these
// where that saves many dealt bytes (DealtPerSent); ForRounds minimises the online rounds first and then the bytes; ForTotal
// minimises all bytes, those of the offline phase included.
const (
	ForOnline Objective = iota // bytes and rounds of the online phase
	ForRounds                  // rounds of the online phase, then bytes
	ForTotal                   // bytes of the online and of the offline phase
)

// RoundBytes is the number of bytes that weigh as much as one round when a protocol is chosen by ForTotal: 512 KiB,
// which a line of 10^8 bit/s carries in 42 ms. Bytes are those of all elements of an operation, online and offline.
// If a protocol with one more round saves fewer bytes than RoundBytes, the one with fewer rounds is chosen.
const RoundBytes = 1 << 19

// DealtPerSent is the number of dealt bytes that weigh as much as one byte that a party sends online, when a protocol is chosen
// by ForOnline. Dealt bytes weigh less because they may arrive ahead of time. A round weighs as much as RoundBytes sent bytes.
const DealtPerSent = 2

var objectiveNames = [...]string{"online", "rounds", "total"}

// String returns the objective's name in job files: "online", "rounds" or "total".
func (a Objective) String() string { return objectiveNames[a] }

// ParseObjective returns the objective with the name text, as String writes it; ok is false if there is none.
func ParseObjective(text string) (a Objective, ok bool) {
	for i, name := range objectiveNames {
		if name == text {
			return Objective(i), true
		}
	}
	return ForOnline, false
}
