package party

import (
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// Public is the Owner of an argument that all parties know.
const Public = -1

// Spec says which program to run, among which parties and with which settings. Job files and the
// command line are converted to a Spec.
type Spec struct {
	Program  *hlo.Program
	Protocol string   // a name of package protocol's registry
	Ring     int      // bits of the ring for floats: 32, 64 or 128
	Fraction int      // fraction bits of a float
	Parties  []string // names in rank order
	// Computing is the number of computing parties, the first of Parties; the others only share
	// inputs and learn outputs. A dealing party is a computing party.
	Computing int
	Args      []Arg  // one for every argument of the program's main function
	Reveal    []int  // ranks that learn the results, ascending
	Keep      bool   // the computing parties keep the results as shares (Outcome.Shares)
	Reveals   int    // how many tensors the program may reveal while it runs
	Network   string // the declared network, "none" for none
	// Seed fixes all randomness, for repeatable simulation only. If nil, randomness comes from
	// crypto/rand.
	Seed []byte
	Set  map[string]string
	// Store is a folder with the parties' stores of correlated randomness, from which a run takes a
	// session. If empty, a dealer in this process makes the correlations.
	Store string
	// StoreMemory remembers how far this party's Store and those of the other parties have been used. It
	// is not restored together with Store. If nil, only what the files of Store say of themselves shows
	// that it was copied.
	StoreMemory *store.Memory
	// Facts are the analysis of Program as it is. If nil, the program is rewritten, unless Set has
	// passes "none", and then analysed.
	Facts *exec.Facts
	// Checkpoints, if not nil, has the run write the live-in values of its loops.
	Checkpoints *resume.Checkpoints
	resume      *resume.Plan // nil without Checkpoints
	// objectives are the objectives that the plan chose for single operations, by operation id, where
	// they differ from the objective of Set.
	objectives map[int]flow.Objective
	choices    []profile.Choice // the alternatives that the plan compared
	// watch is exec.Config.Watch of a run in cleartext.
	watch func(o *hlo.Op, results []*fxp.Value, op *flow.Op)
	// inspection, if not nil, is filled by the dry run.
	inspection *Inspection
	// Note, if not nil, is called by a protocol in cleartext where other protocols would give wrong
	// or saturated values, with the place in the program and the reason. It may be called from
	// several goroutines.
	Note func(where, what string)
	// Machine, if not nil, is the machine for which plans predict times.
	Machine *timing.Machine
	// Networks are networks beside Network for which plans predict times.
	Networks []string
	// Notice, if not nil, is called with one-line messages for the user. Several parties may send
	// the same message, from several goroutines.
	Notice func(text string)
	// Unproved, if not nil, is called by a plan for each contraction whose values are not proved to
	// be below the limit of contractions: one line for each operation, possibly several times, from
	// several goroutines.
	Unproved func(where string, limit float64)
	// Trace, if not nil, records when Run does what.
	Trace *profile.Trace
	// Progress, if not nil, is called from time to time, from any goroutine.
	Progress func(Progress)
}

// Arg is one argument: its owner and its value in cleartext. In a plan Data may be nil for owned
// arguments.
type Arg struct {
	Owner int
	Data  *tensor.Array
	// Resident says that an owned argument is resident: the same in all requests of a Service. Run and
	// Join ignore it.
	Resident bool
	// Range, if not nil, contains all elements of Data, as the argument's owner has checked. The
	// parties agree on it before they share inputs; bounds of values that depend on the argument
	// follow from it.
	Range *pattern.Interval
	// Checked says that the elements of Data are known to fit the ring and Range, so package tacet
	// does not check them again.
	Checked bool
	// Shares are the shares of an argument with owner Kept that parties in this
	// process hold; in a plan their Words may be nil.
	Shares []*StoredShare
}

// Progress is the progress of a run.
type Progress struct {
	Phase     string // "plan", "offline", "input", "online", "output"
	Done, All int    // done units, and their total (0 if unknown)
	Unit      string // of Done and All; operations if empty
	// Round is the number of rounds of the online phase so far, of Rounds.
	Round, Rounds int
	Iteration     int // of the outermost loop that is running, from 1; 0 outside of loops
}

// Outcome is the result of a run.
type Outcome struct {
	Results []*tensor.Array // in the order and types of the program's results
	Report  *profile.Report
	Shares  []*StoredShare // kept results of the parties in this process
}

// scatterThreshold is the message size in bytes above which openings use reduce-scatter and
// all-gather: one more round, 2/n of the bytes (semi2k's Config.Scatter). 0 means never. On a
// declared network it is the size from which the saved transfer time exceeds one latency. Without a
// declared network it is the size from which each of at least four parties saves 2 KiB and half of
// the bytes.
func (s *Spec) scatterThreshold() int {
	n := s.online()
	if n < 3 || s.options().Optimize == "rounds" {
		return 0
	}
	if shape := s.shape(); !shape.Zero() {
		return int(math.Ceil(shape.Bits / 8 * shape.RoundTrip.Seconds() / 2 * float64(n) / float64(n-2)))
	}
	if n == 3 {
		return 0
	}
	const saved = 2 << 10
	return (saved*n + (n-1)*(n-2) - 1) / ((n - 1) * (n - 2))
}
