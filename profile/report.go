package profile

// Report is what a run cost, phase by phase and op by op. Its JSON form is a
// fixed interface; lists per party are in rank order.
type Report struct {
	Program         string   `json:"program"`
	Protocol        string   `json:"protocol"`
	Ring            int      `json:"ring"`
	Fraction        int      `json:"fraction"`
	Parties         []string `json:"parties"`
	Network         string   `json:"network"`
	Input           Phase    `json:"input"`
	Online          Online   `json:"online"`
	Output          Phase    `json:"output"`
	Offline         Offline  `json:"offline"`
	Predicted       Forecast `json:"predicted"`
	PeakMemoryBytes int64    `json:"peak_memory_bytes"`
	Ops             []Op     `json:"ops"`
	Expect          *Expect  `json:"expect,omitempty"`
}

// Phase is the cost of the input or output phase.
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

// Op is the cost of one operation of the program, all its calls together.
type Op struct {
	ID           int     `json:"id"`
	Op           string  `json:"op"`
	Loc          string  `json:"loc"`
	Calls        int     `json:"calls"`
	Seconds      float64 `json:"seconds"`
	BytesSent    []int64 `json:"bytes_sent"`
	Messages     []int64 `json:"messages"`
	Rounds       int     `json:"rounds"`
	OfflineBytes int64   `json:"offline_bytes"`
	Predicted    OpCost  `json:"predicted"`
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
