package party

import (
	"math"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// Public stands for a rank in Arg.Owner: everybody knows the argument.
const Public = -1

// Spec says what is to be run, by whom, and how. It is what a job file and
// the command line come down to.
type Spec struct {
	Program  *hlo.Program
	Protocol string   // "plain", "semi2k", "aby3"
	Ring     int      // bits of the ring for floats: 32, 64 or 128
	Fraction int      // fraction bits of a float
	Parties  []string // names in rank order
	// Computing is how many of Parties compute, the first ones; the others
	// only share inputs and learn outputs. Of aby3's three the last deals.
	Computing int
	Args      []Arg  // one for every argument of the program's main function
	Reveal    []int  // ranks that learn the results, ascending
	Keep      bool   // the results stay with the computing parties, as shares (Outcome.Held)
	Reveals   int    // how many tensors the program may reveal on its way
	Network   string // the declared network, "none" for none
	// Seed fixes all randomness, for repeatable simulation only; nil draws it
	// from crypto/rand.
	Seed []byte
	Set  map[string]string
	// Store is a folder with the parties' stores of correlated randomness, from
	// which a run takes a session. Without one, a dealer in this process makes
	// what is needed.
	Store string
	// Facts are the program's as it is. If nil it is rewritten first, unless
	// Set has passes "none", and studied then.
	Facts *exec.Facts
	// Checkpoints, if not nil, has the run set aside what its loops carry.
	Checkpoints *Checkpoints
	course      *course // nil without
	// aims are what the plan chose for operations, by id, where that is not what
	// Set says of all.
	aims    map[int]flow.Aim
	choices []profile.Choice // what there was to choose from
	// watch is exec's Watch of a run in protocol plain.
	watch func(o *hlo.Op, results []*fxp.Value, op *flow.Op)
	// survey, if not nil, is filled by the weightless walk.
	survey *Survey
	// Note, if not nil, is told by protocol plain where other protocols would
	// give wrong or saturated values: where in the program, and what. It may
	// be called from several goroutines.
	Note func(where, what string)
	// Machine, if not nil, is what plans say times for.
	Machine *timing.Machine
	// Networks are what a plan says times for beside Network.
	Networks []string
	// Notice, if not nil, is told in one line what whoever runs this should
	// know, the same by several parties perhaps. It may be called from several
	// goroutines.
	Notice func(text string)
	// Unproved, if not nil, is told by a plan of every contraction that nothing proves to
	// be below the limit that contractions have to be below: a line for each operation,
	// the same several times perhaps, from several goroutines.
	Unproved func(where string, limit float64)
	// Trace, if not nil, records what Run does when.
	Trace *profile.Trace
	// Progress, if not nil, is called now and then from any goroutine.
	Progress func(Progress)
}

// Arg is one argument: who owns it, and its value in clear. In a plan Data may
// be nil for owned arguments.
type Arg struct {
	Owner int
	Data  *tensor.Array
	// Stays says of an owned argument that it is the same in all turns of a
	// Service. Others do not regard it.
	Stays bool
	// Range, if not nil, is where all elements lie, as the argument's owner has
	// checked. The parties agree on it before they start, and bounds of what is
	// computed of the argument follow from it.
	Range *pattern.Interval
	// Held are the parts that parties in this process have of an argument whose
	// owner is Kept; in a plan they may be without words.
	Held []*Held
}

// Progress says how far a run is.
type Progress struct {
	Phase     string // "plan", "offline", "input", "online", "output"
	Done, All int    // how much is done, and in all (0 where not known)
	Unit      string // of what, operations if empty
}

// Outcome is what a run gives.
type Outcome struct {
	Results []*tensor.Array // in the order and types of the program's results
	Report  *profile.Report
	Held    []*Held // of parties in this process, where results are kept
}

// scatter is from how many bytes of a message on an opening takes one round
// more and, of n parties' bytes, a share of 2/n instead of all (semi2k's
// Config.Scatter). On a declared network it is where the time that bytes save
// on a line exceeds its latency; without one, where at least four parties each
// save 2 KiB and half of all.
func (s *Spec) scatter() int {
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
