package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/joins"
	"github.com/tacet-mpc/tacet/mpc/protocols"
	"github.com/tacet-mpc/tacet/tasks"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// maxRate bounds the number of a rate, since that many start times are stored per rule.
const maxRate = 10000

// periods lists the units of time of a rate.
var periods = []struct {
	name string
	per  time.Duration
}{{"second", time.Second}, {"minute", time.Minute}, {"hour", time.Hour}, {"day", 24 * time.Hour}}

// perName returns a period in words: "a minute".
func perName(d time.Duration) string {
	for _, p := range periods {
		if p.per == d && p.name == "hour" {
			return "an hour"
		} else if p.per == d {
			return "a " + p.name
		}
	}
	return d.String()
}

// Read reads and checks the policy file of the party with this name. Errors name the file and line.
func Read(path, party string) (*Policy, error) {
	text, err := yamlfile.Load(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, party, text)
}

// Parse is Read for the text of a policy file that the caller has read. path names the file in errors.
func Parse(path, party string, text []byte) (*Policy, error) {
	v, err := yamlfile.Parse(path, "a policy", text)
	if err != nil {
		return nil, err
	}
	p, err := load(v, party)
	if err == nil {
		p.SHA256 = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	return p, err
}

func load(v yamlfile.Value, party string) (*Policy, error) {
	p := &Policy{Party: party}
	err := v.Mapping("a policy", yamlfile.Fields{
		"admins": yamlfile.Identities(&p.Admins),

		"admins_may_add_rules": yamlfile.Bool(&p.AdminsMayAddRules),
		"rules": func(key string, v yamlfile.Value) error {
			return v.List(key, "rules", p.rule)
		},
	})
	return p, err
}

func (p *Policy) rule(v yamlfile.Value) error {
	r := Rule{Protocols: Names{List: []string{protocols.Default}}, Outputs: Names{Any: true}, Reveal: Names{List: []string{p.Party}}}
	programs, tasks, given := false, false, map[string]bool{}
	note := func(f yamlfile.Field) yamlfile.Field {
		return func(key string, v yamlfile.Value) error {
			given[key] = true
			return f(key, v)
		}
	}
	err := v.Mapping("a rule", yamlfile.Fields{
		"name":       ruleName(&r.Name),
		"submitters": yamlfile.Identities(&r.Submitters),
		"programs": func(key string, v yamlfile.Value) error {
			programs = true
			return anyOr(&r.Programs, digests)(key, v)
		},
		"tasks": func(key string, v yamlfile.Value) error {
			tasks = true
			return anyOr(&r.Tasks, taskNames)(key, v)
		},
		"columns":   note(anyOr(&r.Columns, columnNames)),
		"exactly":   note(digests(&r.Exactly)),
		"joins":     note(anyOr(&r.Joins, joinNames)),
		"keys":      note(anyOr(&r.Keys, keyNames)),
		"protocols": anyOr(&r.Protocols, yamlfile.Names),
		"parties":   anyParties(&r.Parties),
		"computing": atLeastOne(&r.Computing, "1 party or more"),
		"ring":      note(rings(&r.Arithmetic.Rings)),
		"fraction":  note(fractions(&r.Arithmetic.Fractions)),
		"set":       note(r.Arithmetic.Set.read),
		"arguments": r.Arguments.read,
		"state":     state(&r.State),
		"outputs":   anyOr(&r.Outputs, types),
		"inputs":    r.readInputs,
		"keep":      anyOr(&r.Keep, yamlfile.Names),
		"kept":      anyOr(&r.Kept, yamlfile.Names),
		"reveal":    anyOr(&r.Reveal, yamlfile.Names),
		"reveals":   reveals(&r.Reveals),
		"ranges":    yamlfile.Bool(&r.Ranges),
		"describe":  yamlfile.Bool(&r.Describe),
		"runs":      atLeastOne(&r.Runs, "1 run or more (to allow none, remove the rule)"),
		"rate":      rate(&r.Rate),
		"approve":   yamlfile.Bool(&r.Approve),

		"owner_local_control": allowOrRefuse(&r.RefuseOwnerLocalControl),

		"fetch": yamlfile.Identities(&r.Fetch),
	}, yamlfile.Renamed{"own_control": "owner_local_control"})
	if err != nil {
		return err
	}
	if r.Name == "" {
		return v.Wrong("a rule has no name; messages and counts need it")
	}
	if len(r.Submitters) == 0 {
		return v.Wrong("rule %q has no submitters: list the names that may submit", r.Name)
	}
	switch {
	case tasks && programs:
		return v.Wrong("rule %q has programs and tasks: make a rule for each", r.Name)
	case tasks && !given["columns"]:
		return v.Wrong("rule %q has tasks but no columns: list columns of tables as ENTRY.COLUMN or ENTRY.*, or write any", r.Name)
	case !tasks && given["columns"]:
		return v.Wrong("rule %q has columns but no tasks", r.Name)
	case !tasks && given["exactly"]:
		return v.Wrong("rule %q has exactly, which is for tasks (programs are listed by their digests)", r.Name)
	case !programs && !tasks:
		return v.Wrong("rule %q has no programs: list their digests, or write any to allow every program (or allow tasks)", r.Name)
	}
	keyless := !r.Joins.Any && !slices.ContainsFunc(r.Joins.List, joins.Keyed)
	if given["keys"] == keyless {
		return v.Wrong("rule %q has only one of joins and keys: list methods (%s) and the columns ENTRY.COLUMN that may make keys "+
			"(joins: [stacked] alone has no keys)", r.Name, strings.Join(joins.WithKeys(), ", "))
	}
	if given["joins"] && !tasks && !r.Programs.Any {
		return v.Wrong("rule %q has joins but no tasks", r.Name)
	}
	if tasks { // the task fixes both
		r.Arithmetic.Rings, r.Arithmetic.Fractions = anyArithmetic.Rings, anyArithmetic.Fractions
	}
	if r.Programs.Any {
		if !given["ring"] {
			r.Arithmetic.Rings = anyArithmetic.Rings
		}
		if !given["fraction"] {
			r.Arithmetic.Fractions = anyArithmetic.Fractions
		}
		if !given["set"] {
			r.Arithmetic.Set = anyArithmetic.Set
		}
	}
	if slices.ContainsFunc(p.Rules, func(o Rule) bool { return o.Name == r.Name }) {
		return v.Wrong("rule %q is defined twice (runs are counted by name)", r.Name)
	}
	p.Rules = append(p.Rules, r)
	return nil
}

// readInputs reads the word any, a list of inputs' names, or a mapping from these to the arguments that they may provide: a
// number, a list of numbers, or any.
func (r *Rule) readInputs(key string, v yamlfile.Value) error {
	r.Inputs, r.Provides = Names{}, nil
	if !v.IsMapping() {
		return anyOr(&r.Inputs, func(to *[]string) yamlfile.Field { return yamlfile.Texts(to, "inputs' names, or any") })(key, v)
	}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		if name == "" {
			return yamlfile.Wrong(v.Key, "%s: want inputs' names with the arguments that they may provide; one has no name", key)
		}
		r.Inputs.List = append(r.Inputs.List, name)
		text, scalar := v.Scalar()
		if scalar && text == "any" {
			return nil
		}
		if r.Provides == nil {
			r.Provides = map[string][]int{}
		}
		args, err := []int{}, error(nil)
		if scalar {
			args = []int{0}
			err = yamlfile.Int(&args[0])(key+": "+name, v)
		} else {
			err = yamlfile.Ints(&args, "numbers of arguments")(key+": "+name, v)
		}
		r.Provides[name] = args
		return err
	})
}

// taskNames reads a list of kinds of tasks.
func taskNames(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if err := yamlfile.Names(to)(key, v); err != nil {
			return err
		}
		for _, name := range *to {
			if !slices.Contains(tasks.Kinds, tasks.Kind(name)) {
				return v.Wrong("%s: %q is no task (%s)", key, name, strings.Join(tasks.Names(), ", "))
			}
		}
		return nil
	}
}

// joinNames reads a list of methods of joins.
func joinNames(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if err := yamlfile.Names(to)(key, v); err != nil {
			return err
		}
		for _, name := range *to {
			if !slices.Contains(joins.Allowed(), name) {
				return v.Wrong("%s: %q is no method of a join (%s)", key, name, strings.Join(joins.Allowed(), ", "))
			}
		}
		return nil
	}
}

// keyNames reads a list of key columns, each by its own name.
func keyNames(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if err := columnNames(to)(key, v); err != nil {
			return err
		}
		for _, name := range *to {
			if strings.HasSuffix(name, ".*") {
				return v.Wrong("%s: %q: name each column that may make keys", key, name)
			}
		}
		return nil
	}
}

// columnNames reads a list of columns of tables.
func columnNames(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if err := yamlfile.Texts(to, "columns as ENTRY.COLUMN or ENTRY.*, or any")(key, v); err != nil {
			return err
		}
		for _, name := range *to {
			if entry, column, ok := strings.Cut(name, "."); !ok || entry == "" || column == "" {
				return v.Wrong("%s: %q: want ENTRY.COLUMN or ENTRY.*, with an entry of the catalogue", key, name)
			}
		}
		return nil
	}
}

// ruleName reads a name of one line without control characters, of at most 100 bytes.
func ruleName(to *string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		err := yamlfile.Text(to)(key, v)
		if err == nil && (len(*to) > 100 || strings.ContainsFunc(*to, unicode.IsControl)) {
			return v.Mismatch(key, "one line of text, at most 100 bytes")
		}
		return err
	}
}

// anyParties reads the word any, or names in rank order.
func anyParties(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if s, ok := v.Scalar(); ok && s == "any" {
			*to = nil
			return nil
		}
		if err := yamlfile.Names(to)(key, v); err != nil {
			return err
		}
		if len(*to) < 2 {
			return v.Mismatch(key, "two names or more in rank order, or any")
		}
		return nil
	}
}

// read reads the word any, or a mapping from arguments' numbers to owners: a name, public, kept, or a
// list of these.
func (a *Arguments) read(key string, v yamlfile.Value) error {
	*a = Arguments{Owners: map[int][]string{}}
	if s, ok := v.Scalar(); ok && s == "any" {
		*a = Arguments{Any: true}
		return nil
	}
	return v.Each(key, func(number string, v yamlfile.Value) error {
		arg, err := strconv.ParseUint(number, 10, 31)
		if err != nil {
			return yamlfile.Wrong(v.Key, "%s: want numbers of arguments with their owners, such as {0: alice, 1: public}, or any; got %q", key, number)
		}
		var owners []string
		if _, ok := v.Scalar(); ok {
			var name string
			err = yamlfile.Name(&name)(key, v)
			owners = []string{name}
		} else {
			err = yamlfile.Names(&owners)(key, v)
		}
		if _, twice := a.Owners[int(arg)]; twice && err == nil {
			err = yamlfile.Wrong(v.Key, "%s: argument %d is given twice", key, arg)
		}
		a.Owners[int(arg)] = owners
		return err
	})
}

// state reads a mapping from arguments' numbers to results' numbers.
func state(to *map[int]int) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = map[int]int{}
		return v.Each(key, func(number string, v yamlfile.Value) error {
			text, _ := v.Scalar()
			arg, err := strconv.ParseUint(number, 10, 31)
			result, bad := strconv.ParseUint(text, 10, 31)
			if err != nil || bad != nil {
				return yamlfile.Wrong(v.Key, "%s: want numbers of arguments with the results that replace them, such as {3: 1}; got {%.20s: %.20s}", key, number, text)
			}
			if _, twice := (*to)[int(arg)]; twice {
				return yamlfile.Wrong(v.Key, "%s: argument %d is given twice", key, arg)
			}
			(*to)[int(arg)] = int(result)
			return nil
		})
	}
}

// types reads a list of tensor types.
func types(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = []string{}
		return v.List(key, "types", func(v yamlfile.Value) error {
			var s string
			if err := yamlfile.Text(&s)(key, v); err != nil {
				return err
			}
			t, ok := parseType(s)
			if !ok {
				return v.Mismatch(key, "a type such as tensor<10xf32>")
			}
			*to = append(*to, t)
			return nil
		})
	}
}

// parseType returns the spelling of a type that programs have.
func parseType(s string) (string, bool) {
	if strings.ContainsAny(s, "(){}%\n") {
		return "", false
	}
	p, err := hlo.Parse("type", fmt.Appendf(nil, "func.func public @main(%%a: %s) -> %s {\n return %%a : %s\n}", s, s, s))
	if err != nil || len(p.Main.Results) != 1 {
		return "", false
	}
	return p.Main.Results[0].String(), true
}

// digests reads a list of program digests.
func digests(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = []string{}
		return v.List(key, "digests", func(v yamlfile.Value) error {
			var s string
			if err := yamlfile.Text(&s)(key, v); err != nil {
				return err
			}
			sum, ok := strings.CutPrefix(s, "sha256:")
			if b, err := hex.DecodeString(sum); !ok || err != nil || len(b) != 32 || sum != strings.ToLower(sum) {
				return v.Mismatch(key, "sha256: followed by 64 hexadecimal digits, as tacet inspect prints")
			}
			*to = append(*to, s)
			return nil
		})
	}
}

// anyOr reads the word any, or a list.
func anyOr(to *Names, list func(*[]string) yamlfile.Field) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = Names{}
		if s, ok := v.Scalar(); ok && s == "any" {
			to.Any = true
			return nil
		}
		return list(&to.List)(key, v)
	}
}

func reveals(to *int) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if s, ok := v.Scalar(); ok && s == "any" {
			*to = AnyReveals
			return nil
		}
		return yamlfile.Int(to)(key, v)
	}
}

// allowOrRefuse reads the word allow or refuse.
func allowOrRefuse(refuse *bool) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		s, _ := v.Scalar()
		if s != "allow" && s != "refuse" {
			return v.Mismatch(key, "allow or refuse")
		}
		*refuse = s == "refuse"
		return nil
	}
}

func atLeastOne(to *int, want string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		err := yamlfile.Int(to)(key, v)
		if err == nil && *to == 0 {
			return v.Mismatch(key, want)
		}
		return err
	}
}

// rate reads a rate such as "5/hour".
func rate(to *Rate) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		s, _ := v.Scalar()
		number, per, _ := strings.Cut(s, "/")
		n, err := strconv.ParseUint(number, 10, 31)
		for _, p := range periods {
			if err == nil && n > 0 && n <= maxRate && per == p.name {
				*to = Rate{int(n), p.per}
				return nil
			}
		}
		return v.Mismatch(key, "a rate such as 5/hour (1 to 10000 each second, minute, hour or day)")
	}
}
