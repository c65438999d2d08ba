package job

// AutoRing is the Ring of a job whose ring is to be chosen by its inputs' values.
const AutoRing = -1

// Job is a job file, its defaults filled in where they depend on nothing else,
// its paths joined to the file's folder.
type Job struct {
	File    string // the job file, as Load was given it
	Program string // the StableHLO text or artifact
	Parties []string
	// Protocol is "" for the default: semi2k, or plain for one party.
	Protocol string
	Ring     int // bits; 0 for the default, 64; AutoRing
	Fraction int // bits; 0 for the default of the ring
	Inputs   []Input
	// Keep is the name under which nodes keep the results as shares, "" for not.
	Keep string
	// Reveal names who learns the results; nil for all parties in the file.
	Reveal []string
	// Dir is where results are written, "" for nowhere.
	Dir string
	// Reveals is how many calls of tacet.reveal the program may have.
	Reveals int
	Expect  *Expect // nil where nothing is to be compared
	// Checkpoint is after how many turns of a loop what it carries is set aside, 0
	// for never.
	Checkpoint int
	Set        map[string]string
	Network    string // "none", or a link to keep to
	// Computing is how many parties compute, 0 for all of Parties. Beyond the
	// number of Parties, parties without inputs join.
	Computing int

	// at says where a setting came from, for messages: "job.yaml:4", "--ring".
	at map[string]string
}

// Input is a file with values for some of the program's arguments.
type Input struct {
	Owner  string // the party that holds it, "" where Public
	Public bool
	// Resident values are shared once for all requests of a service.
	Resident bool
	File     string // "" where only nodes know it, by Name
	// Name is the file as the job file has it, in Folder, or, without a Folder,
	// the name of an entry in the owner's catalogue.
	Name, Folder string
	// Kept is the name of what an earlier job has kept at the nodes, of which this
	// is a result: such an input has no owner and no file, and one argument.
	Kept   string
	Result int
	// Range is declared of all arguments that the file gives, nil for none; Ranges
	// of some of them.
	Range  *Range
	Ranges map[int]Range
	// Args are the arguments that the file gives; nil where the file itself
	// must say (an .npz's array names).
	Args []int

	at string
}

// Expect names the results to compare with, and how far off a result may be:
// |got − want| ≤ Atol + Rtol·|want|.
type Expect struct {
	File       string // an .npz with arrays out0, out1, …
	Atol, Rtol float64

	at string
}

// Tolerances where the job file gives none.
const (
	DefaultAtol = 0.001
	DefaultRtol = 0.001
)
