package fxp

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/fourier"
)

// Options are the settings of functions that a job may change.
type Options struct {
	// ExpMode is "prime" (a word modulo 2^q − 1, the default), "taylor",
	// (1 + x/2^n)^(2^n), or "pade", a quotient of polynomials times a power of
	// two from its exponent's bits. The last two are for comparison with
	// systems that have nothing else.
	ExpMode string
	// ExpIterations is the n of taylor.
	ExpIterations int
	// ExpClamp is "both" (the default), "lower" or "none".
	ExpClamp string
	// Thrifty names the functions whose tables take half the dealt bytes for
	// a round and some bytes more.
	Thrifty map[string]bool
	// Tolerance is how far off functions that tables give may be, in their
	// values; 0: as little as can be. More of it takes fewer dealt bytes.
	Tolerance float64
	// WhileBound is how often the body of a loop runs whose condition is
	// secret; 0: such loops are refused.
	WhileBound int
	// Passes is "all" (the default) or "none": whether the program is
	// rewritten before it runs (package hlo/pass).
	Passes string
	// Sort is how secrets are sorted: "auto" (few by their ranks, in 4 rounds;
	// more by revealed comparisons of shuffled rows), "shuffle" (all so), or
	// "network", whose cost is exactly predicted.
	Sort string
	// Optimize is what choices are made for: "online" (the default), bytes and
	// rounds between inputs and results; "rounds" alone; or "total", dealt
	// bytes included. "auto" leaves it to the plan.
	Optimize string
	// Budget is how many bytes may be dealt, 0 for any number.
	Budget int64
}

// Aim is what operations' protocols are chosen for unless a plan says otherwise:
// online for auto.
func (o Options) Aim() flow.Aim {
	aim, _ := flow.ParseAim(o.Optimize)
	return aim
}

// thrifty reports whether a function's table is the one of half the dealt
// bytes: as the job says of it, else if that is what the operation is for.
func (o Options) thrifty(op *flow.Op, table string) bool {
	if t, set := o.Thrifty[table]; set {
		return t
	}
	return op.Aim == flow.ForTotal
}

// maxTolerance bounds table.tolerance: beyond it little is left of a function.
const maxTolerance = 0.125

// DefaultOptions are those of a job that sets none.
func DefaultOptions() Options {
	return Options{ExpMode: "prime", ExpIterations: 8, ExpClamp: "both", Passes: "all", Sort: "auto", Thrifty: map[string]bool{}, Optimize: "online"}
}

// ParseOptions reads settings by key.
func ParseOptions(set map[string]string) (Options, error) {
	o := DefaultOptions()
	keys := make([]string, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if err := o.set(k, set[k]); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (o *Options) set(key, value string) error {
	choose := func(field *string, choices ...string) error {
		for _, c := range choices {
			if value == c {
				*field = value
				return nil
			}
		}
		return fmt.Errorf("setting %s is %q; it is one of %s", key, value, strings.Join(choices, ", "))
	}
	name, table := strings.CutSuffix(key, ".table")
	switch {
	case key == "optimize":
		return choose(&o.Optimize, "online", "total", "rounds", "auto")
	case key == "exp.mode":
		return choose(&o.ExpMode, "prime", "pade", "taylor")
	case key == "exp.clamp":
		return choose(&o.ExpClamp, "none", "lower", "both")
	case key == "table.tolerance":
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x > 0 && x <= maxTolerance) {
			return fmt.Errorf("setting %s is %q; it is an error above 0, %g at most", key, value, maxTolerance)
		}
		o.Tolerance = x
		return nil
	case key == "passes":
		return choose(&o.Passes, "all", "none")
	case key == "exp.iterations":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 16 {
			return fmt.Errorf("setting %s is %q; it is a number from 1 to 16", key, value)
		}
		o.ExpIterations = n
		return nil
	case key == "while.bound":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("setting %s is %q; it is a number of turns, 1 or more", key, value)
		}
		o.WhileBound = n
		return nil
	case key == "offline.budget":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("setting %s is %q; it is a number of bytes, 1 or more", key, value)
		}
		o.Budget = n
		return nil
	case key == "sort":
		return choose(&o.Sort, "auto", "shuffle", "network")
	case table:
		if f, _ := fourier.Windowed(name, fourier.Small); f == nil {
			return fmt.Errorf("setting %s: there is no table of %q", key, name)
		}
		var kind string
		if err := choose(&kind, "full", "thrifty"); err != nil {
			return err
		}
		o.Thrifty[name] = kind == "thrifty"
		return nil
	}
	return fmt.Errorf("setting %s is not known; there are optimize, offline.budget, exp.mode, exp.clamp, exp.iterations, passes, while.bound, sort, table.tolerance and FUNCTION.table", key)
}
