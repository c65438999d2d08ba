package party

import (
	"fmt"
	"math"
	"time"

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

// Spec says which program to run, among which parties, with which arguments and settings. Job files and the
// command line are converted to a Spec. Resolve says what zero fields mean.
type Spec struct {
	Program  *hlo.Program
	Protocol string   // name of a registered protocol (package protocols)
	Ring     int      // bits of the ring for floats: 32, 64 or 128
	Fraction int      // fraction bits of a float's fixed-point form
	Parties  []string // names in rank order
	// Computing is the number of computing parties, the first of Parties; the others only share
	// inputs and learn outputs. A dealing party is a computing party.
	Computing int
	Args      []Arg // one for every argument of the program's main function
	Reveal    []int // ranks that learn the results, ascending
	Keep      bool  // the computing parties keep the results as shares (Outcome.Shares)
	// State lists the arguments that each request of a service replaces by the program's last results. They and these
	// results stay as shares. Run evaluates one request.
	State []State
	first []firstState // of State, once the first values are shares among Args
	// sameForm says that the shares of states have the form that a service's first program gives them, and that this
	// program must return it.
	sameForm bool
	served   []NamedProgram // of a service's opening: Programs, which all parties compare before any is opened
	// Programs are further programs of a service, of which each request names one (Request.Program): a decoder's prompt
	// and its step, for instance. They take Program's arguments: as many, by the same owners, and those that are public,
	// resident or State have the same types. They return the same states, as their last results. Run and Plan evaluate
	// Program; WithProgram makes a spec of another one.
	Programs []NamedProgram
	// Reveals is the largest number of tensors that calls of tacet.reveal and tacet.reveal_to in the program may reveal.
	Reveals int
	// Network is the declared network, which slows links down: "none", "lan", "wan", "slow" or
	// BITS_PER_SECOND/ROUND_TRIP.
	Network string
	// Seed, if not nil, fixes all randomness, so that every party could compute it: for repeatable simulation
	// only. If it is nil, randomness comes from crypto/rand.
	Seed []byte
	Set  map[string]string // options of fixed-point arithmetic by name, such as "exp.mode": "prime"
	// Store is a folder with the parties' stores of correlated randomness. A run takes one session from there.
	// If it is "", the correlations are made for the run.
	Store string
	// StoreMemory records how many sessions of this party's Store and of the other parties' stores have been
	// used. It detects that an older copy of Store was restored, so it must not be restored together with Store.
	// If it is nil, only the files of Store themselves can show that they were copied.
	StoreMemory *store.Memory
	// PairState is a folder in which each pair of computing parties of a protocol without a dealer keeps what later
	// sessions begin with: keys, and oblivious transfers. Each party has a folder of its name in it. Who reads a party's
	// part and has recorded the messages of sessions can read the other party's inputs of all of these, so nothing is kept
	// for longer than PairAge; 0 is DefaultPairAge. If PairState is "", nothing is kept. StoreMemory detects an older copy
	// of it, too. A Service keeps nothing.
	PairState string
	PairAge   time.Duration
	// Facts are the analysis of Program without rewriting. If nil, the run rewrites the program (unless Set has
	// "passes": "none") and then analyses it.
	Facts *exec.Facts
	// Checkpoints, if not nil, makes the run write the live-in values of its loops, or resume from such values.
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
	// Note, if not nil, is called by a protocol in cleartext for each value that other protocols would compute
	// wrongly or saturate, with the place in the program and the reason. It may be called from several
	// goroutines.
	Note func(where, what string)
	// Machine, if not nil, is the machine for which plans predict times. If it is nil, plans have no times.
	Machine *timing.Machine
	// Networks are further networks for which plans predict times, spelled as Network.
	Networks []string
	// Notice, if not nil, is called with messages for the user, of one line each. Several parties may send the
	// same message, from several goroutines.
	Notice func(text string)
	// Unproved, if not nil, is called by a plan for each contraction whose values are not proved to be below
	// limit, the bound above which a contraction overflows. where names the operation; one operation may be
	// reported several times, from several goroutines.
	Unproved func(where string, limit float64)
	// Trace, if not nil, records the times at which Run sends, receives and computes.
	Trace *profile.Trace
	// Progress, if not nil, is called from time to time with the run's progress, from any goroutine.
	Progress func(Progress)
}

// NamedProgram is a further program of a service.
type NamedProgram struct {
	Name    string // not empty, and no other program's
	Program *hlo.Program
}

// Arg is one argument of a program: its owner and its value in cleartext.
type Arg struct {
	Owner int // rank of the party that provides the argument, or Public, or Kept
	// Data is the argument's value. It may be nil if another process holds the owner, if the owner is Kept, and,
	// unless the owner is Public, in a plan.
	Data *tensor.Array
	// Resident says that a Service shares the argument once, and that all requests use the same value. Run and
	// Join ignore it.
	Resident bool
	// Range, if not nil, is an interval that contains all elements of Data; the owner has checked that. The
	// parties compare their Ranges before they share inputs, and bounds of values that depend on the argument
	// follow from it.
	Range *pattern.Interval
	// Checked says that the caller has checked that the elements of Data fit the ring and Range, so that package
	// tacet does not check them again.
	Checked bool
	// Shares has, for an argument with owner Kept, the shares of the parties in this process; in a plan their
	// Words may be nil.
	Shares []*StoredShare
}

// Progress says how much of a run's current phase is done.
type Progress struct {
	Phase     string // "plan", "offline", "input", "online" or "output"; in Offline "session 1 of 3"
	Done, All int    // numbers of units that are done and of all units of the phase; All is 0 if it is unknown
	Unit      string // the unit of Done and All: "bytes", or "" for operations
	// Round is the number of rounds of the online phase that are done, and Rounds the predicted number of all.
	// Both are 0 in other phases.
	Round, Rounds int
	Iteration     int // iteration of the outermost loop that is running, from 1; 0 outside of loops
}

// Outcome is the result of a run: what the parties in this process learned and hold, and the costs.
type Outcome struct {
	// Results has the results in the order and types of the program's results, but for the last ones, which Spec.State
	// names. It is nil if no party of this process learns them.
	Results []*tensor.Array
	Report  *profile.Report // the measured and predicted costs
	Shares  []*StoredShare  // shares of the results, if Spec.Keep is set: one for each result and each party in this process
}

// scatterThreshold is the message size in bytes above which openings use reduce-scatter and
// all-gather: one more round, 2/n of the bytes (semi2k's Config.Scatter). 0 means never. On a
// declared network it is the size from which the saved transfer time exceeds one latency, and for manyParties or more
// at most the size from which each saves 24 KiB: else the bytes that a party sends would grow with their number. Without a
// declared network it is the size from which each of at least four parties saves 2 KiB and half of
// the bytes.
func (s *Spec) scatterThreshold() int {
	n := s.online()
	if n < 3 || s.options().Optimize == "rounds" {
		return 0
	}
	if shape := s.shape(); !shape.Zero() {
		size := int(math.Ceil(shape.Bits / 8 * shape.RoundTrip.Seconds() / 2 * float64(n) / float64(n-2)))
		if n >= manyParties {
			size = min(size, scatterSaving(n, 24<<10))
		}
		return size
	}
	if n == 3 {
		return 0
	}
	return scatterSaving(n, 2<<10)
}

// manyParties is the number of parties from which on reduce-scatter and all-gather send at most a quarter of the bytes.
const manyParties = 8

// scatterSaving returns the size of an opening from which each of n parties sends that many bytes less by reduce-scatter and
// all-gather.
func scatterSaving(n, bytes int) int { return (bytes*n + (n-1)*(n-2) - 1) / ((n - 1) * (n - 2)) }

// SetData sets the data of the spec's arguments. For the rank of each party, args returns an array for each argument that the party
// provides and nil for each other one, in the order of the arguments. SetData returns the first error of args, after the party's name.
func (s *Spec) SetData(args func(rank int) ([]*tensor.Array, error)) error {
	for rank, name := range s.Parties {
		data, err := args(rank)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, a := range data {
			if a != nil {
				s.Args[i].Data = a
			}
		}
	}
	return nil
}
