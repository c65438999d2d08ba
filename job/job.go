package job

import (
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
)

// RestartAlways is the value of Job.Restart for a service that opens again after each loss of its session.
const RestartAlways = "always"

// AutoRing is the value of Job.Ring for a job that chooses its ring by the values of its inputs (ring: auto).
const AutoRing = -1

// Job has the content of a job file. Load sets the defaults that depend on nothing else, and joins paths to the
// file's folder.
type Job struct {
	File    string // path of the job file, as given to Load
	Program string // path of the StableHLO text or artifact, or of the ONNX model; "" if there is a Task
	// Shapes are the shapes of inputs of an ONNX model, by name; nil for none.
	Shapes map[string][]int
	// Values are inputs of an ONNX model that are constants of the program, by name: their elements as onnx.Options.Numbers has them.
	Values map[string]string
	// Task, if not nil, is the model that the job fits, in place of a program.
	Task *Task
	// Chosen says which solver Work or PlanWork has chosen for a task with Auto, and why; "" for other tasks.
	Chosen  string
	Join    Join     // of a task: which rows of the tables belong together
	Parties []string // names in rank order
	// Protocol is the name of the protocol; "" for the default (package protocols).
	Protocol string
	Ring     int     // bits of the ring; 0 for the default, 64; or AutoRing
	Fraction int     // fraction bits; 0 for the default of the ring
	Inputs   []Input // in the order of the job file
	// Keep is the name under which nodes keep the results as shares; "" to keep none.
	Keep string
	// Reveal lists the names of the parties that learn the results; nil means all parties of the file.
	Reveal []string
	// Dir is the folder into which the results are written; "" if they are not written.
	Dir string
	// Reveals is the maximum number of tensors that calls of tacet.reveal and tacet.reveal_to may reveal.
	Reveals int
	Expect  *Expect // nil: results are not compared
	// Checkpoint is the number of loop iterations between two checkpoints; 0: no checkpoints.
	Checkpoint int
	// Restart is RestartAlways if a service opens again after a loss of its session; "" if the service ends
	// then.
	Restart string
	// Programs has the paths of a service's further programs, by name (party.Spec.Programs).
	Programs map[string]string
	// State maps each argument that a service replaces after each request to the number of the result that replaces it.
	State   map[int]int
	Set     map[string]string // options by name, as in set: of the job file
	Network string            // declared network, as in party.Spec; "none" for none
	// Computing is the number of computing parties; 0 for all of Parties. If it is larger than the number of
	// Parties, parties without inputs are added.
	Computing int

	// at maps each setting to its place for messages: "job.yaml:4", "--ring".
	further  []party.NamedProgram // Programs, once ReadProgram has read them
	imported *weights             // of an ONNX model, once ReadProgram has read it

	hidden *hiddenJoin // once the tables of a hidden join have been read or declared
	// beside is the report of the intersections of keys of stacked tables with those of the table beside them, once they are matched or
	// planned.
	beside *profile.Report

	at map[string]string
}

// Input is one input of a job: a file with values of some of the program's arguments, or a kept result.
type Input struct {
	Owner  string // name of the owner; "" if Public or Kept is set
	Public bool   // all parties know the values
	// Resident says that a service shares the values once, for all requests.
	Resident bool
	File     string // path of the file; "" if only the owner's node knows it, by Name
	// Name is the file's name in the job file, relative to Folder. If Folder is "", Name is the name of an entry
	// in the owner's catalogue.
	Name, Folder string
	// Kept is the name of results that an earlier job has kept at the nodes, and Result the number of one of
	// them. Such an input has no owner and no file, and provides one argument. Kept is "" for other inputs.
	Kept   string
	Result int
	// Range is the declared range of all arguments that the file provides; nil if there is none. Ranges has the
	// declared ranges of single arguments, by number.
	Range  *Range
	Ranges map[int]Range
	// Args lists the numbers of the arguments that the file provides. It is nil if the names of the file's
	// arrays say so.
	Args []int
	// Table, if not nil, says that the file is a table, and how the one argument that it provides is made from
	// it.
	Table *Table
	// Fit, if not nil, says that the table provides its owner's arguments of a task's model.
	Fit *Fit

	at string
}

// Expect has the file of a job's expected results and the tolerance: |got − want| ≤ Atol + Rtol·|want|.
type Expect struct {
	File       string // path of an .npz file with arrays out0, out1, …
	Atol, Rtol float64

	at string
}

// The absolute and the relative tolerance of a job's expect without atol and rtol.
const (
	DefaultAtol = 0.001 // absolute tolerance
	DefaultRtol = 0.001 // relative tolerance
)
