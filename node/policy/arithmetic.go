package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Arithmetic says in which rings, with how many fraction bits and with which settings a rule's programs may run.
// The zero value allows what jobs have by default, and settings that choose costs only; a rule that names
// programs by digest has it where it says nothing else. A digest fixes what a program computes only together
// with these: a submitter who chooses a small ring, for instance, makes products wrap around, and then low bits
// of intermediate values are revealed in place of the program's result.
type Arithmetic struct {
	Rings     Numbers  // allowed numbers of bits of the ring
	Fractions Numbers  // allowed numbers of fraction bits
	Set       Settings // allowed settings
}

// anyArithmetic allows everything. Rules that allow every program have it by default: their submitters
// may compute anything anyway.
var anyArithmetic = Arithmetic{Numbers{Any: true}, Numbers{Any: true}, Settings{Any: true}}

// Numbers is a set of allowed numbers. If Any is set, all are allowed, otherwise those in List. If List is nil,
// the job's default is allowed.
type Numbers struct {
	Any  bool  // all numbers are allowed
	List []int // the allowed numbers, if Any is not set; nil: the job's default
}

// allows reports whether a number is in the set.
func (n Numbers) allows(number, usual int) bool {
	return n.Any || n.List == nil && number == usual || slices.Contains(n.List, number)
}

func (n Numbers) text(usual int) string {
	if n.List == nil {
		return fmt.Sprintf("%d, the default", usual)
	}
	var out []string
	for _, k := range n.List {
		out = append(out, strconv.Itoa(k))
	}
	return strings.Join(out, ", ")
}

// Settings is a set of allowed settings of programs (set in job files). If Any is set, all are allowed.
// Otherwise Values has the allowed values by the setting's name; a nil list allows any value. Settings that
// choose costs only are always allowed.
type Settings struct {
	Any    bool                // all settings are allowed
	Values map[string][]string // the allowed values by the setting's name, if Any is not set; nil values: any value
}

// usualRing is the ring of jobs that name none.
const usualRing = 64

// mismatch says in which way a job's arithmetic is not allowed; "" if it is.
func (a Arithmetic) mismatch(s Submission) string {
	if !a.Rings.allows(s.Ring, usualRing) {
		return fmt.Sprintf("ring: the job's has %d bits, and the rule allows %s", s.Ring, a.Rings.text(usualRing))
	}
	usual, _ := fxp.UsualFraction(s.Ring)
	if !a.Fractions.allows(s.Fraction, usual) {
		return fmt.Sprintf("fraction: the job has %d bits, and the rule allows %s", s.Fraction, a.Fractions.text(usual))
	}
	if a.Set.Any {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		values, listed := a.Set.Values[key]
		switch {
		case fxp.CostOnly(key):
		case !listed:
			return fmt.Sprintf("set: the job sets %s, which the rule does not allow (a rule that does has set: {%s: %s})", key, key, s.Set[key])
		case values != nil && !slices.Contains(values, s.Set[key]):
			return fmt.Sprintf("set: the job sets %s to %s, and the rule allows %s", key, s.Set[key], strings.Join(values, ", "))
		}
	}
	return ""
}

// numbers reads the word any, a number, or a list of numbers, each of which check accepts.
func numbers(to *Numbers, want string, check func(int) bool) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = Numbers{}
		s, scalar := v.Scalar()
		var err error
		switch {
		case scalar && s == "any":
			to.Any = true
			return nil
		case scalar:
			to.List = []int{0}
			err = yamlfile.Int(&to.List[0])(key, v)
		default:
			err = yamlfile.Ints(&to.List, "numbers of bits")(key, v)
		}
		if err == nil && (len(to.List) == 0 || slices.ContainsFunc(to.List, func(n int) bool { return !check(n) })) {
			return v.Mismatch(key, want)
		}
		return err
	}
}

// read reads the word any, or a mapping from settings to a value, a list of values, or any.
func (s *Settings) read(key string, v yamlfile.Value) error {
	*s = Settings{Values: map[string][]string{}}
	if text, ok := v.Scalar(); ok && text == "any" {
		*s = Settings{Any: true}
		return nil
	}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		place := key + ": " + name
		one := func(v yamlfile.Value) error {
			value, ok := v.Scalar()
			if !ok {
				return v.Mismatch(place, "a value, a list of values, or any")
			}
			if _, err := fxp.ParseOptions(map[string]string{name: value}); err != nil {
				return v.Wrong("%s: %w", key, err)
			}
			s.Values[name] = append(s.Values[name], value)
			return nil
		}
		text, scalar := v.Scalar()
		switch {
		case scalar && text == "any":
			s.Values[name] = nil
			return nil
		case scalar:
			return one(v)
		}
		s.Values[name] = []string{}
		return v.List(place, "values", one)
	})
}

// rings and fractions are the values of the keys ring and fraction.
func rings(to *Numbers) yamlfile.Field {
	return numbers(to, "32, 64 or 128, a list of these, or any", func(n int) bool { _, ok := fxp.UsualFraction(n); return ok })
}

func fractions(to *Numbers) yamlfile.Field {
	return numbers(to, "a number of fraction bits from 1 to 61, a list of these, or any", func(n int) bool { return n >= 1 && n <= 61 })
}
