package job

// RestartAlways is the Restart of a job that as a service opens again after each loss of its session.
const RestartAlways = "always"

// AutoRing is the Ring of a job whose ring is chosen by its inputs' values.
const AutoRing = -1

// Job is the content of a job file. Defaults that depend on nothing else are filled in; paths are
// joined to the file's folder.
type Job struct {
	File    string // path of the job file, as given to Load
	Program string // path of the StableHLO text or artifact; "" if there is a Task
	// Task, if not nil, is what the job fits instead of running a program.
	Task    *Task
	Parties []string
	// Protocol is "" for the default (package protocols).
	Protocol string
	Ring     int // bits; 0 for the default, 64; AutoRing
	Fraction int // bits; 0 for the default of the ring
	Inputs   []Input
	// Keep is the name under which nodes keep the results as shares; "" to keep none.
	Keep string
	// Reveal names the parties that learn the results; nil: all parties in the file.
	Reveal []string
	// Dir is the folder for the results; "": none are written.
	Dir string
	// Reveals is the maximum number of tensors that tacet.reveal may reveal.
	Reveals int
	Expect  *Expect // nil: results are not compared
	// Checkpoint is the number of loop iterations between two checkpoints; 0: no checkpoints.
	Checkpoint int
	// Restart says what happens when a service loses its session: RestartAlways, or "": the service ends.
	Restart string
	Set     map[string]string
	Network string // "none", or a link to emulate
	// Computing is the number of computing parties; 0: all of Parties. If it exceeds the number of
	// Parties, parties without inputs are added.
	Computing int

	// at maps each setting to its place for messages: "job.yaml:4", "--ring".
	at map[string]string
}

// Input is a file with values of some of the program's arguments.
type Input struct {
	Owner  string // name of the owner; "" if Public
	Public bool
	// Resident values are shared once for all requests of a service.
	Resident bool
	File     string // "" if only the owner's node knows the path, by Name
	// Name is the file's name in the job file, relative to Folder; if Folder is "",
	// it is the name of an entry in the owner's catalogue.
	Name, Folder string
	// Kept is the name of results that an earlier job has kept at the nodes, and the input is one
	// of them. Such an input has no owner and no file, and provides one argument.
	Kept   string
	Result int
	// Range is the declared range of all arguments that the file provides, nil: none; Ranges holds
	// ranges of single arguments.
	Range  *Range
	Ranges map[int]Range
	// Args lists the arguments that the file provides; nil if the file itself says so (by an
	// .npz's array names).
	Args []int
	// Table, if not nil, says that the file is a table and how the argument, the only one, is made of it.
	Table *Table

	at string
}

// Expect names the expected results and the tolerance: |got − want| ≤ Atol + Rtol·|want|.
type Expect struct {
	File       string // an .npz file with arrays out0, out1, …
	Atol, Rtol float64

	at string
}

// Default tolerances.
const (
	DefaultAtol = 0.001
	DefaultRtol = 0.001
)
