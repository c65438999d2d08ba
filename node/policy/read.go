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

// Read reads the policy file of a party.
func Read(path, party string) (*Policy, error) {
	text, err := yamlfile.Load(path)
	if err != nil {
		return nil, err
	}
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
		"admins": yamlfile.Names(&p.Admins),
		"rules": func(key string, v yamlfile.Value) error {
			return v.List(key, "rules", p.rule)
		},
	})
	return p, err
}

func (p *Policy) rule(v yamlfile.Value) error {
	r := Rule{Reveal: Names{List: []string{p.Party}}}
	err := v.Mapping("a rule", yamlfile.Fields{
		"name":       ruleName(&r.Name),
		"submitters": yamlfile.Names(&r.Submitters),
		"programs":   digests(&r.Programs),
		"inputs":     anyOr(&r.Inputs, func(to *[]string) yamlfile.Field { return yamlfile.Texts(to, "inputs' names, or any") }),
		"keep":       anyOr(&r.Keep, yamlfile.Names),
		"kept":       anyOr(&r.Kept, yamlfile.Names),
		"reveal":     anyOr(&r.Reveal, yamlfile.Names),
		"reveals":    reveals(&r.Reveals),
		"ranges":     yamlfile.Bool(&r.Ranges),
		"runs":       atLeastOne(&r.Runs, "1 run or more (to allow none, remove the rule)"),
		"rate":       rate(&r.Rate),
		"approve":    yamlfile.Bool(&r.Approve),

		"owner_local_control": allowOrRefuse(&r.RefuseOwnerLocalControl),

		"fetch": yamlfile.Names(&r.Fetch),
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
	if slices.ContainsFunc(p.Rules, func(o Rule) bool { return o.Name == r.Name }) {
		return v.Wrong("rule %q is defined twice (runs are counted by name)", r.Name)
	}
	p.Rules = append(p.Rules, r)
	return nil
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
