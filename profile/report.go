package profile

import "slices"

// Report is the cost of a run by phase and by operation. Its JSON form is a stable interface (keys
// are only added). Lists per party are in rank order.
type Report struct {
	Tacet           string     `json:"tacet,omitempty"` // the build that made the report: version.Info's String
	Program         string     `json:"program"`
	Protocol        string     `json:"protocol"`
	Ring            int        `json:"ring"`
	Fraction        int        `json:"fraction"`
	Parties         []string   `json:"parties"`
	Network         string     `json:"network"`
	ResumedFrom     string     `json:"resumed_from,omitempty"` // the checkpoint from which the run resumed, "" if it started at the beginning
	Setup           Phase      `json:"setup"`
	Input           Phase      `json:"input"`
	Online          Online     `json:"online"`
	Output          Phase      `json:"output"`
	Offline         Offline    `json:"offline"`
	Predicted       Prediction `json:"predicted"`
	PeakMemoryBytes int64      `json:"peak_memory_bytes"`
	Frames          []Frame    `json:"frames"`
	Ops             []Op       `json:"ops"`
	Expect          *Expect    `json:"expect,omitempty"`
	Plan            *Plan      `json:"plan,omitempty"`
}

// Phase is the cost of the setup, input or output phase. Setup is the planning and the messages in
// which the parties compare what they are about to run.
type Phase struct {
	Seconds   float64 `json:"seconds"`
	BytesSent []int64 `json:"bytes_sent"`
	Rounds    int     `json:"rounds"`
}

// Online is the cost of the online phase: between shared inputs and shared results.
type Online struct {
	Seconds   float64 `json:"seconds"`
	BytesSent []int64 `json:"bytes_sent"`
	Messages  []int64 `json:"messages"`
	Rounds    int     `json:"rounds"`
}

// Offline is the cost of the work that does not depend on inputs: correlated randomness and its
// distribution.
type Offline struct {
	Seconds   float64 `json:"seconds"`
	BytesSent int64   `json:"bytes_sent"`
	// BySender is the bytes of each party, where the parties make the correlations between them;
	// nil where a dealer sends all of them.
	BySender []int64 `json:"bytes_by_sender,omitempty"`
	Rounds   int     `json:"rounds"`
	// Session is the id of the prepared session that the run took from a store, "" if its offline
	// phase was part of the run.
	Session string `json:"session,omitempty"`
}

// Prediction holds the costs that the dry run predicted.
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

// Frame is a node of the call tree: main (index 0), a function called by an operation, or the
// regions of a loop or branch.
type Frame struct {
	Outer int    `json:"outer"` // index of the frame that contains the calling operation; -1 for main
	Op    int    `json:"op"`    // id of the calling operation; -1 for main
	Func  string `json:"func"`  // the function's name; "" for the regions of a loop or branch
}

// Op is the cost of one operation of the program, summed over all its calls. Seconds is local
// computation time, summed over all parties that run in the process.
type Op struct {
	ID           int     `json:"id"`
	Op           string  `json:"op"`
	Loc          string  `json:"loc"`
	Name         string  `json:"name,omitempty"`    // the operation's name in the program text: JAX's name stack
	Pattern      string  `json:"pattern,omitempty"` // pattern computed in place of it and its operands: "softmax"
	Calls        int     `json:"calls"`
	Seconds      float64 `json:"seconds"`
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
	Predicted    OpCost  `json:"predicted"`
	MultiplyAdds int64   `json:"multiply_adds,omitempty"` // over all parties, on words of 64 bits; only in plans
	// Expected is true if the online cost depends on a random order (sorting by revealed
	// comparisons). The predicted online cost is then an expected value.
	Expected bool `json:"expected,omitempty"`
	// PathRounds is the number of the operation's rounds that lie on the longest path. Summed over
	// all operations they equal the online phase's rounds.
	PathRounds int   `json:"path_rounds"`
	Inputs     []int `json:"inputs,omitempty"` // ids of the operations whose results it reads
	// Sites are the nodes of the call tree at which the operation runs.
	Sites []Site `json:"sites"`
}

// Expected reports whether any operation's cost, and with it the total, is an expected value.
func (r *Report) Expected() bool {
	return slices.ContainsFunc(r.Ops, func(o Op) bool { return o.Expected })
}

// Site is the cost of an operation at one node of the call tree.
type Site struct {
	Frame        int     `json:"frame"`
	Calls        int     `json:"calls"`
	Seconds      float64 `json:"seconds"`
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
	PathRounds   int     `json:"path_rounds"`
	// Depth is [first, last]: the rounds since the start of the online phase between which the
	// operation's messages lie. It is empty if the operation sends none.
	Depth []int `json:"depth,omitempty"`
}

// OpCost is the dry run's prediction for an operation.
type OpCost struct {
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
}

// Expect compares results with expected ones: for each result the largest |got − want| and the
// largest |got − want| / max(|want|, 1).
type Expect struct {
	MaxAbsError []float64 `json:"max_abs_error"`
	MaxRelError []float64 `json:"max_rel_error"`
	OK          bool      `json:"ok"`
}
