package profile

import "slices"

// Report has the costs of a run or a plan by phase and by operation. Its JSON form is a stable interface: keys
// are only added. Lists by party are in rank order.
type Report struct {
	Tacet           string     `json:"tacet,omitempty"`        // the build that made the report, as version.Info.String returns it
	Program         string     `json:"program"`                // file name of the program
	Protocol        string     `json:"protocol"`               // name of the protocol
	Ring            int        `json:"ring"`                   // bits of the ring
	Fraction        int        `json:"fraction"`               // fraction bits
	Parties         []string   `json:"parties"`                // names in rank order
	Network         string     `json:"network"`                // the declared network
	ResumedFrom     string     `json:"resumed_from,omitempty"` // the checkpoint from which the run resumed; "" if it started at the beginning
	Setup           Phase      `json:"setup"`
	Input           Phase      `json:"input"`
	Online          Online     `json:"online"`
	Output          Phase      `json:"output"`
	Offline         Offline    `json:"offline"`
	Predicted       Prediction `json:"predicted"`         // costs that the dry run predicted
	PeakMemoryBytes int64      `json:"peak_memory_bytes"` // peak memory of this process, in bytes
	Frames          []Frame    `json:"frames"`            // the call tree, to whose nodes Op.Sites refer
	Ops             []Op       `json:"ops"`               // costs by operation
	Expect          *Expect    `json:"expect,omitempty"`  // errors of the results; nil if they were not compared
	Plan            *Plan      `json:"plan,omitempty"`    // predictions of a plan; nil in the report of a run
	// Join is the report of the intersection of keys by which rows were matched before; nil without one.
	Join *Report `json:"join,omitempty"`
	// Solver says which solver was chosen for a model with solver: auto, and why; "" for other models.
	Solver string `json:"solver,omitempty"`
}

// Phase has the cost of the setup, input or output phase. In the setup phase the parties plan, and compare what
// they are about to run.
type Phase struct {
	Seconds   float64 `json:"seconds"`    // duration
	BytesSent []int64 `json:"bytes_sent"` // by party
	Rounds    int     `json:"rounds"`     // communication rounds
}

// Online has the cost of the online phase: from shared inputs to shared results.
type Online struct {
	Seconds   float64 `json:"seconds"`    // duration
	BytesSent []int64 `json:"bytes_sent"` // by party
	Messages  []int64 `json:"messages"`   // by party
	Rounds    int     `json:"rounds"`     // communication rounds: the longest chain of dependent messages
}

// Offline has the cost of the offline phase: correlated randomness, which does not depend on inputs.
type Offline struct {
	Seconds   float64 `json:"seconds"`    // duration
	BytesSent int64   `json:"bytes_sent"` // bytes sent by the dealer or, between parties, by all parties
	// BySender has the bytes that each party sends, if the parties make the correlations themselves; nil if a
	// dealer sends all of them.
	BySender []int64 `json:"bytes_by_sender,omitempty"`
	Rounds   int     `json:"rounds"` // communication rounds
	// BesideOnline is how many of Seconds passed while the online phase ran, which then waits for
	// corrections; 0 if the offline phase was finished before.
	BesideOnline float64 `json:"beside_online_seconds,omitempty"`
	// BesideInput is how many of the other Seconds passed while inputs were shared.
	BesideInput float64 `json:"beside_input_seconds,omitempty"`
	// Session is the id of the stored session that the run took; "" if the correlations were made for the run.
	Session string `json:"session,omitempty"`
	// PairState says, where two parties without a dealer keep keys and oblivious transfers from one session to the next,
	// whether the session began with some: "cold", or "warm: " and what they were; "" where nothing is kept.
	PairState string `json:"pair_state,omitempty"`
}

// Prediction has the costs that the dry run predicted; lists are by party.
type Prediction struct {
	Online struct {
		BytesSent []int64 `json:"bytes_sent"`
		Messages  []int64 `json:"messages"`
		Rounds    int     `json:"rounds"`
	} `json:"online"`
	Offline struct {
		BytesSent int64 `json:"bytes_sent"`
	} `json:"offline"`
}

// Frame is a node of the call tree: main (index 0 in Report.Frames), a function that an operation calls, or the
// regions of a loop or branch.
type Frame struct {
	Outer int    `json:"outer"` // index of the frame that contains the calling operation; −1 for main
	Op    int    `json:"op"`    // id of the calling operation; −1 for main
	Func  string `json:"func"`  // the function's name; "" for the regions of a loop or branch
}

// Op has the cost of one operation of the program, summed over all its calls. BytesSent and Messages are by
// party. Seconds is local computation time, summed over the parties in this process. In a plan's report the
// costs are the predicted ones.
type Op struct {
	ID           int     `json:"id"`                      // number of the operation in the program
	Op           string  `json:"op"`                      // name of the operation
	Loc          string  `json:"loc"`                     // place of the operation in the program text
	Name         string  `json:"name,omitempty"`          // the operation's name in the program text: JAX's name stack
	Pattern      string  `json:"pattern,omitempty"`       // name of the pattern, such as softmax, that was computed in place of it and its operands; "" if none
	Calls        int     `json:"calls"`                   // number of executions
	Seconds      float64 `json:"seconds"`                 // local computation
	BytesSent    []int64 `json:"bytes_sent"`              // online, by party
	Messages     []int64 `json:"messages"`                // online, by party
	Rounds       int     `json:"rounds"`                  // rounds of all its calls, also if they overlap with those of other operations
	OfflineBytes int64   `json:"offline_bytes"`           // bytes of the corrections that it uses
	Predicted    OpCost  `json:"predicted"`               // the costs that the dry run predicted
	MultiplyAdds int64   `json:"multiply_adds,omitempty"` // multiplications with addition of 64-bit words, of all parties; only in plans
	// Expected says that the online cost depends on a random order (sorting by revealed comparisons). The
	// predicted online cost is then an expected value.
	Expected bool `json:"expected,omitempty"`
	// PathRounds is the number of the operation's rounds that lie on the longest chain of dependent messages.
	// Those of all operations add up to the online phase's rounds.
	PathRounds int   `json:"path_rounds"`
	Inputs     []int `json:"inputs,omitempty"` // ids of the operations whose results it reads
	// Sites has the operation's cost at each node of the call tree at which it runs.
	Sites []Site `json:"sites"`
}

// Expected reports whether the online cost of some operation, and so the total, is an expected value
// (Op.Expected).
func (r *Report) Expected() bool {
	return slices.ContainsFunc(r.Ops, func(o Op) bool { return o.Expected })
}

// Site has the cost of an operation at one node of the call tree. BytesSent and Messages are by party.
type Site struct {
	Frame        int     `json:"frame"`   // index of the node in Report.Frames
	Calls        int     `json:"calls"`   // number of executions at this node
	Seconds      float64 `json:"seconds"` // local computation
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`        // rounds of all executions at this node
	OfflineBytes int64   `json:"offline_bytes"` // bytes of the corrections that it uses
	PathRounds   int     `json:"path_rounds"`   // as Op.PathRounds
	// Depth is [first, last]: the operation's messages are sent after the first of these numbers of rounds of
	// the online phase and until the second. It is empty if the operation sends none.
	Depth []int `json:"depth,omitempty"`
}

// OpCost has the costs of an operation that the dry run predicted. BytesSent and Messages are by party.
type OpCost struct {
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`        // online rounds
	OfflineBytes int64   `json:"offline_bytes"` // bytes of corrections
}

// Expect has the errors of results, compared with expected ones.
type Expect struct {
	MaxAbsError []float64 `json:"max_abs_error"` // by result: the largest |got − want|
	MaxRelError []float64 `json:"max_rel_error"` // by result: the largest |got − want| / max(|want|, 1)
	OK          bool      `json:"ok"`            // all elements are within the tolerance
}
