package fxp

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/fourier"
)

// Options holds the settings of functions that a job may change with `set:` or --set. Take it from DefaultOptions or
// ParseOptions; the zero Options is not valid.
type Options struct {
	// ExpMode selects the exponential: "prime" (a word modulo 2^q − 1, the default), "taylor", (1 +
	// x/2^n)^(2^n), or "pade", a quotient of polynomials times a power of two from its exponent's bits. The
	// last two exist for comparison with systems that have nothing else.
	ExpMode string
	// ExpIterations is the n of ExpMode "taylor".
	ExpIterations int
	// ExpClamp says which ends of the exponential's argument are clamped: "both" (the default), "lower" or
	// "none".
	ExpClamp string
	// Thrifty maps a function's name to true if it takes the form with fewer offline bytes, two rounds and some
	// online bytes more, and to false if it takes the form with fewer rounds. A function that is missing follows
	// the operation's objective.
	Thrifty map[string]bool
	// Tolerance is the largest error, in the function's values, that a table may add; 0 is the smallest
	// possible error. A larger tolerance takes fewer offline bytes.
	Tolerance float64
	// WhileBound is the number of iterations of a loop whose condition is secret; 0 refuses such loops.
	WhileBound int
	// Passes is "all" (the default) or "none": whether the rewrite passes (package hlo/pass) are applied to
	// the program before the run.
	Passes string
	// Sort selects how secrets are sorted: "auto" (few rows by their ranks, in 4 rounds; more by revealed
	// comparisons of shuffled rows), "shuffle" (always the latter), or "network", whose cost is exactly
	// predicted.
	Sort string
	// Optimize is the cost that protocol choices minimise: "online" (the default), bytes and rounds between
	// inputs and results; "rounds" alone; or "total", offline bytes included. "auto" leaves the choice to the
	// plan.
	Optimize string
	// Budget is the limit of the offline phase in bytes; 0 is no limit.
	Budget int64
}

// Objective returns the objective of operations for which the plan chooses none: that of Optimize, and flow.ForOnline
// for "auto".
func (o Options) Objective() flow.Objective {
	aim, _ := flow.ParseObjective(o.Optimize)
	return aim
}

// thrifty reports whether a function of n elements takes the form with the fewest offline bytes: as the job sets it,
// else if n is so large that two rounds are worth it and op's objective is the total cost or, for still more elements, that of
// the online phase. Each party sends to so many others.
func (o Options) thrifty(op *flow.Op, table string, n, others int) bool {
	if t, set := o.Thrifty[table]; set {
		return t
	}
	const saved, sent, rounds = 64, 4, 2 // bytes an element: dealt ones, at least; those sent to a party, at most
	switch op.Objective {
	case flow.ForTotal:
		return int64(n)*saved >= rounds*flow.RoundBytes
	case flow.ForOnline:
		return int64(n)*(saved/flow.DealtPerSent-sent*int64(others)) >= rounds*flow.RoundBytes
	}
	return false
}

// maxTolerance is the upper limit of table.tolerance: with a larger error little is left of a function.
const maxTolerance = 0.125

// DefaultOptions returns the options of a job that sets none.
func DefaultOptions() Options {
	return Options{ExpMode: "prime", ExpIterations: 8, ExpClamp: "both", Passes: "all", Sort: "auto", Thrifty: map[string]bool{}, Optimize: "online"}
}

// ParseOptions returns the options for the settings in set, by key, such as "exp.mode". A missing key keeps its
// default; an unknown key or a value out of range is an error.
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

// CostOnly reports whether the setting key, as ParseOptions takes it, changes costs only and not the errors of
// functions.
func CostOnly(key string) bool {
	return key == "optimize" || key == "offline.budget" || key == "sort" || strings.HasSuffix(key, ".table")
}

func (o *Options) set(key, value string) error {
	choose := func(field *string, choices ...string) error {
		for _, c := range choices {
			if value == c {
				*field = value
				return nil
			}
		}
		return fmt.Errorf("setting %s is %q; it must be one of %s", key, value, strings.Join(choices, ", "))
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
			return fmt.Errorf("setting %s is %q; it must be a number above 0 and at most %g", key, value, maxTolerance)
		}
		o.Tolerance = x
		return nil
	case key == "passes":
		return choose(&o.Passes, "all", "none")
	case key == "exp.iterations":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 16 {
			return fmt.Errorf("setting %s is %q; it must be an integer from 1 to 16", key, value)
		}
		o.ExpIterations = n
		return nil
	case key == "while.bound":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("setting %s is %q; it must be a number of iterations, 1 or more", key, value)
		}
		o.WhileBound = n
		return nil
	case key == "offline.budget":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("setting %s is %q; it must be a number of bytes, 1 or more", key, value)
		}
		o.Budget = n
		return nil
	case key == "sort":
		return choose(&o.Sort, "auto", "shuffle", "network")
	case table:
		if f, _ := fourier.Windowed(name, fourier.Small); f == nil {
			return fmt.Errorf("setting %s: function %q has no table", key, name)
		}
		var kind string
		if err := choose(&kind, "full", "thrifty"); err != nil {
			return err
		}
		o.Thrifty[name] = kind == "thrifty"
		return nil
	}
	return fmt.Errorf("setting %q does not exist; the settings are optimize, offline.budget, exp.mode, exp.clamp, exp.iterations, passes, while.bound, sort, table.tolerance and FUNCTION.table", key)
}
