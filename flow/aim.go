package flow

// Aim is what an operation's protocols are chosen for, where there are several.
type Aim uint8

// The aims.
const (
	ForOnline Aim = iota // bytes and rounds between inputs and results
	ForRounds            // rounds first
	ForTotal             // all bytes, those of corrections included
)

var aims = [...]string{"online", "rounds", "total"}

func (a Aim) String() string { return aims[a] }

// ParseAim reads an aim's name.
func ParseAim(text string) (a Aim, ok bool) {
	for i, name := range aims {
		if name == text {
			return Aim(i), true
		}
	}
	return ForOnline, false
}
