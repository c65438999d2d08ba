package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/yamlfile"
)

func parse(text string) (*Policy, error) {
	v, err := yamlfile.Parse("policy.yaml", "a policy", []byte(text))
	if err != nil {
		return nil, err
	}
	return load(v, "alice")
}

var digest = "sha256:" + strings.Repeat("0a", 32)

var full = `
admins: [alice-admin]
rules:
  - name: credit model
    submitters: [carol]
    programs: ["` + digest + `"]
    inputs: [alice.npz, customers]
    reveal: [alice, bob]
    reveals: 2
    runs: 10
    rate: 5/hour
    approve: true
    owner_local_control: refuse
    fetch: [carol]
  - {name: everything, submitters: [root], inputs: any, reveal: any, reveals: any, ranges: true, keep: [model], kept: any}
  - {name: nothing, submitters: [dave]}
`

func TestRead(t *testing.T) {
	got, err := parse(full)
	if err != nil {
		t.Fatal(err)
	}
	want := &Policy{Party: "alice", Admins: []string{"alice-admin"}, Rules: []Rule{
		{
			Name: "credit model", Submitters: []string{"carol"}, Programs: []string{digest},
			Inputs: Names{List: []string{"alice.npz", "customers"}}, Reveal: Names{List: []string{"alice", "bob"}},
			Reveals: 2, Runs: 10, Rate: Rate{5, time.Hour}, Approve: true, RefuseOwnerLocalControl: true, Fetch: []string{"carol"},
		},
		{
			Name: "everything", Submitters: []string{"root"}, Inputs: Names{Any: true}, Reveal: Names{Any: true}, Reveals: AnyReveals, Ranges: true,
			Keep: Names{List: []string{"model"}}, Kept: Names{Any: true},
		},
		{Name: "nothing", Submitters: []string{"dave"}, Reveal: Names{List: []string{"alice"}}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !got.IsAdmin("alice-admin") || got.IsAdmin("carol") {
		t.Error("who is an admin")
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "rules:\n- {name: r, submitters: [c], "
	for text, want := range map[string]string{
		"":                                    "policy.yaml: is empty: want a policy",
		"admin: [a]":                          `policy.yaml:1: a policy has no key "admin" (it has admins, rules)`,
		"rules: {}":                           "policy.yaml:1: rules: want a list of rules, got a mapping",
		"rules: [{submitters: [c]}]":          "policy.yaml:1: a rule has no name",
		"rules: [{name: r}]":                  `policy.yaml:1: rule "r" has no submitters`,
		"rules: [{name: r, submitters: []}]":  `policy.yaml:1: rule "r" has no submitters`,
		"rules: [{name: r, submitters: any}]": `policy.yaml:1: submitters: want a list of names, got "any"`,
		"rules: [{name: \"r\\n\", submitters: [c]}]":            `policy.yaml:1: name: want one line of text`,
		head + "}\n- {name: r, submitters: [d]}":                `policy.yaml:3: rule "r" is defined twice`,
		head + "program: x}":                                    `policy.yaml:2: a rule has no key "program"`,
		head + "programs: any}":                                 `policy.yaml:2: programs: want a list of digests, got "any"`,
		head + "programs: [abc]}":                               `policy.yaml:2: programs: want sha256: followed by 64 hexadecimal digits, as tacet inspect prints, got "abc"`,
		head + "programs: ['" + digest[:70] + "']}":             "policy.yaml:2: programs: want sha256:",
		head + "programs: ['" + strings.ToUpper(digest) + "']}": "policy.yaml:2: programs: want sha256:",
		head + "inputs: all}":                                   `policy.yaml:2: inputs: want a list of inputs' names, or any, got "all"`,
		head + "reveal: [a b]}":                                 `policy.yaml:2: reveal: "a b": letters`,
		head + "reveals: -1}":                                   "policy.yaml:2: reveals: want a whole number, got -1",
		head + "runs: 0}":                                       "policy.yaml:2: runs: want 1 run or more (to allow none, remove the rule), got 0",
		head + "rate: 5}":                                       "policy.yaml:2: rate: want a rate such as 5/hour (1 to 10000 each second, minute, hour or day), got 5",
		head + "rate: 0/hour}":                                  "policy.yaml:2: rate: want a rate",
		head + "rate: 5/year}":                                  "policy.yaml:2: rate: want a rate",
		head + "rate: -5/hour}":                                 "policy.yaml:2: rate: want a rate",
		head + "rate: 5/hour/2}":                                "policy.yaml:2: rate: want a rate",
		head + "rate: 99999/day}":                               "policy.yaml:2: rate: want a rate",
		head + "approve: 1}":                                    "policy.yaml:2: approve: want true or false, got 1",
		head + "owner_local_control: true}":                     `policy.yaml:2: owner_local_control: want allow or refuse, got true`,
		head + "fetch: carol}":                                  `policy.yaml:2: fetch: want a list of names, got "carol"`,
	} {
		if p, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v, %v, want %q", text, p, err, want)
		}
	}
}

// FuzzRead checks that every policy that is read has only complete rules.
func FuzzRead(f *testing.F) {
	for _, s := range []string{full, "", "rules: []", "rules: [{}]", "admins: any", "rules: [{name: r, submitters: [c], rate: 1/day, inputs: [''] }]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse(text)
		if err != nil {
			return
		}
		for _, r := range p.Rules {
			if r.Name == "" || len(r.Submitters) == 0 || r.Reveals < AnyReveals || r.Runs < 0 || (r.Rate.Runs > 0) != (r.Rate.Per > 0) {
				t.Fatalf("accepted %q as %+v", text, r)
			}
		}
	})
}
