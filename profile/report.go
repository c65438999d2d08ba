package profile

import "slices"

// Report is what a run cost, phase by phase and op by op. Its JSON form is a
// fixed interface; lists per party are in rank order.
type Report struct {
	Program         string   `json:"program"`
	Protocol        string   `json:"protocol"`
	Ring            int      `json:"ring"`
	Fraction        int      `json:"fraction"`
	Parties         []string `json:"parties"`
	Network         string   `json:"network"`
	From            string   `json:"from,omitempty"` // where the run has begun, if it has gone on from an earlier one
	Setup           Phase    `json:"setup"`
	Input           Phase    `json:"input"`
	Online          Online   `json:"online"`
	Output          Phase    `json:"output"`
	Offline         Offline  `json:"offline"`
	Predicted       Forecast `json:"predicted"`
	PeakMemoryBytes int64    `json:"peak_memory_bytes"`
	Frames          []Frame  `json:"frames"`
	Ops             []Op     `json:"ops"`
	Expect          *Expect  `json:"expect,omitempty"`
	Plan            *Plan    `json:"plan,omitempty"`
}

// Phase is the cost of the setup, input or output phase. Setup is the planning
// and the greetings in which parties compare what they are about to run.
type Phase struct {
	Seconds   float64 `json:"seconds"`
	BytesSent []int64 `json:"bytes_sent"`
	Rounds    int     `json:"rounds"`
}

// Online is the cost between shared inputs and shared results.
type Online struct {
	Seconds   float64 `json:"seconds"`
	BytesSent []int64 `json:"bytes_sent"`
	Messages  []int64 `json:"messages"`
	Rounds    int     `json:"rounds"`
}

// Offline is the cost of all that could be done before inputs were known.
type Offline struct {
	Seconds   float64 `json:"seconds"`
	BytesSent int64   `json:"bytes_sent"`
	Rounds    int     `json:"rounds"`
	// Session is the one that the run took from a store, where all this was
	// done before.
	Session string `json:"session,omitempty"`
}

// Forecast is what the weightless run predicted.
type Forecast struct {
	Online struct {
		BytesSent []int64 `json:"bytes_sent"`
		Messages  []int64 `json:"messages"`
		Rounds    int     `json:"rounds"`
	} `json:"online"`
	Offline struct {
		BytesSent int64 `json:"bytes_sent"`
	} `json:"offline"`
}

// Frame is a place in the tree of calls: main (the first one), a function that
// an operation calls, or what a loop or a branch holds.
type Frame struct {
	Outer int    `json:"outer"` // the frame that the operation stands in; -1: main
	Op    int    `json:"op"`    // the operation's id; -1: main
	Func  string `json:"func"`  // the function's name; "": regions of a loop or branch
}

// Op is the cost of one operation of the program, all its calls together.
// Seconds are of local work, of all parties that run in one process together.
type Op struct {
	ID           int     `json:"id"`
	Op           string  `json:"op"`
	Loc          string  `json:"loc"`
	Name         string  `json:"name,omitempty"`  // what the program's text calls it: JAX's name stack
	Whole        string  `json:"whole,omitempty"` // the function that it and what leads to it are computed as
	Calls        int     `json:"calls"`
	Seconds      float64 `json:"seconds"`
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
	Predicted    OpCost  `json:"predicted"`
	MultiplyAdds int64   `json:"multiply_adds,omitempty"` // of all parties, in words of 64 bits; of a plan only
	// Expected says that what it costs depends on a random order (sorting by
	// revealed comparisons): what is predicted online is an expectation.
	Expected bool `json:"expected,omitempty"`
	// PathRounds are its rounds on the longest path: those of all operations
	// add up to the online phase's.
	PathRounds int   `json:"path_rounds"`
	Inputs     []int `json:"inputs,omitempty"` // ids of the operations whose results it reads
	// Sites are the operation's places in the tree of calls.
	Sites []Site `json:"sites"`
}

// Expected reports whether the cost of any op, and so that of all, depends on a
// random order.
func (r *Report) Expected() bool {
	return slices.ContainsFunc(r.Ops, func(o Op) bool { return o.Expected })
}

// Site is what an operation costs at one place in the tree of calls.
type Site struct {
	Frame        int     `json:"frame"`
	Calls        int     `json:"calls"`
	Seconds      float64 `json:"seconds"`
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
	PathRounds   int     `json:"path_rounds"`
	// Depth is between how many rounds from the online phase's begin its
	// exchanges lie: two numbers, none if it has none.
	Depth []int `json:"depth,omitempty"`
}

// OpCost is what the weightless run predicted for an op.
type OpCost struct {
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
}

// Expect compares results with expected ones: for each result the largest
// |got − want| and the largest |got − want| / max(|want|, 1).
type Expect struct {
	MaxAbsError []float64 `json:"max_abs_error"`
	MaxRelError []float64 `json:"max_rel_error"`
	OK          bool      `json:"ok"`
}
