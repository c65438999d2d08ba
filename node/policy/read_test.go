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
    protocols: [semi2k]
    parties: [alice, bob]
    computing: 2
    arguments: {0: alice, 1: [bob, carol]}
    outputs: ["tensor<10xf32>", tensor<2x3xi8>]
    inputs: [alice.npz, customers]
    reveal: [alice, bob]
    reveals: 2
    runs: 10
    rate: 5/hour
    approve: true
    owner_local_control: refuse
    fetch: [carol]
  - {name: everything, submitters: [root], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, reveals: any, ranges: true, keep: [model], kept: any}
  - {name: nothing, submitters: [dave], programs: any}
`

func TestRead(t *testing.T) {
	got, err := parse(full)
	if err != nil {
		t.Fatal(err)
	}
	want := &Policy{Party: "alice", Admins: []string{"alice-admin"}, Rules: []Rule{
		{
			Name: "credit model", Submitters: []string{"carol"}, Programs: Names{List: []string{digest}}, Protocols: Names{List: []string{"semi2k"}},
			Parties: []string{"alice", "bob"}, Computing: 2, Arguments: Arguments{Owners: map[int][]string{0: {"alice"}, 1: {"bob", "carol"}}},
			Outputs: Names{List: []string{"tensor<10xf32>", "tensor<2x3xi8>"}},
			Inputs:  Names{List: []string{"alice.npz", "customers"}}, Reveal: Names{List: []string{"alice", "bob"}},
			Reveals: 2, Runs: 10, Rate: Rate{5, time.Hour}, Approve: true, RefuseOwnerLocalControl: true, Fetch: []string{"carol"},
		},
		{
			Name: "everything", Submitters: []string{"root"}, Programs: Names{Any: true}, Protocols: Names{Any: true}, Outputs: Names{Any: true},
			Arguments: Arguments{Any: true}, Inputs: Names{Any: true}, Reveal: Names{Any: true}, Reveals: AnyReveals, Ranges: true,
			Arithmetic: anyArithmetic, Keep: Names{List: []string{"model"}}, Kept: Names{Any: true},
		},
		{
			Name:       "nothing",
			Submitters: []string{"dave"},
			Programs:   Names{Any: true},
			Arithmetic: anyArithmetic,
			Protocols:  Names{List: []string{"semi2k"}},
			Outputs:    Names{Any: true},
			Reveal:     Names{List: []string{"alice"}},
		},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !got.IsAdmin("alice-admin") || got.IsAdmin("carol") {
		t.Error("who is an admin")
	}
}

// TestIdentities reads identities with organisations, which are other identities than the names alone.
func TestIdentities(t *testing.T) {
	p, err := parse(
		"admins: [alice-admin@hospital]\nrules: [{name: r, submitters: [carol@clinic, dave], programs: any, fetch: [carol@clinic]}]",
	)
	if err != nil {
		t.Fatal(err)
	}
	if !p.IsAdmin("alice-admin@hospital") || p.IsAdmin("alice-admin") || p.IsAdmin("alice-admin@clinic") ||
		!p.NamesSubmitter("carol@clinic") ||
		p.NamesSubmitter("carol") {
		t.Errorf("%+v", p)
	}
	if d := cmp.Diff([]string{"alice-admin@hospital", "carol@clinic", "dave"}, p.Identities()); d != "" {
		t.Error(d)
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "rules:\n- {name: r, submitters: [c], programs: any, "
	const bare = "rules:\n- {name: r, submitters: [c], "
	for text, want := range map[string]string{
		"":                                           "policy.yaml: is empty: want a policy",
		"admin: [a]":                                 `policy.yaml:1: a policy has no key "admin" (it has admins, admins_may_add_rules, rules)`,
		"rules: {}":                                  "policy.yaml:1: rules: want a list of rules, got a mapping",
		"rules: [{submitters: [c]}]":                 "policy.yaml:1: a rule has no name",
		head + "ring: 65}":                           "policy.yaml:2: ring: want 32, 64 or 128, a list of these, or any, got",
		head + "ring: []}":                           "policy.yaml:2: ring: want 32, 64 or 128, a list of these, or any, got",
		head + "fraction: [18, 0]}":                  "policy.yaml:2: fraction: want a number of fraction bits from 1 to 61, a list of these, or any, got",
		head + "set: {exp.mode: tailor}}":            `policy.yaml:2: set: setting exp.mode is "tailor"; it must be one of prime, pade, taylor`,
		head + "set: {exp.mood: taylor}}":            `policy.yaml:2: set: setting "exp.mood" does not exist`,
		head + "set: 3}":                             "policy.yaml:2: set: want",
		"rules: [{name: r}]":                         `policy.yaml:1: rule "r" has no submitters`,
		"rules: [{name: r, submitters: []}]":         `policy.yaml:1: rule "r" has no submitters`,
		"rules: [{name: r, submitters: any}]":        `policy.yaml:1: submitters: want a list of names, got "any"`,
		"rules: [{name: \"r\\n\", submitters: [c]}]": `policy.yaml:1: name: want one line of text`,
		bare + "}":                                   `policy.yaml:2: rule "r" has no programs: list their digests, or write any`,
		head + "protocols: [sem 2k]}":                `policy.yaml:2: protocols:`,
		head + "parties: [alice]}":                   "policy.yaml:2: parties: want two names or more in rank order, or any",
		head + "computing: 0}":                       "policy.yaml:2: computing: want 1 party or more",
		head + "arguments: [alice]}":                 "policy.yaml:2: arguments: want a mapping",
		head + "arguments: {x: alice}}":              "policy.yaml:2: arguments: want numbers of arguments with their owners, such as {0: alice, 1: public}, or any; got \"x\"",
		head + "arguments: {1: alice, 01: bob}}":     "policy.yaml:2: arguments: argument 1 is given twice",
		head + "arguments: {1: {a: b}}}":             "policy.yaml:2: arguments: want a list of names",
		head + "outputs: [f32]}":                     "policy.yaml:2: outputs: want a type such as tensor<10xf32>, got \"f32\"",
		head + "outputs: ['tensor<3xf32>) -> tensor<3xf32> {']}": "policy.yaml:2: outputs: want a type",
		head + "}\n- {name: r, submitters: [d], programs: any}":  `policy.yaml:3: rule "r" is defined twice`,
		head + "program: x}":                                    `policy.yaml:2: a rule has no key "program"`,
		bare + "programs: all}":                                 `policy.yaml:2: programs: want a list of digests, got "all"`,
		bare + "programs: [abc]}":                               `policy.yaml:2: programs: want sha256: followed by 64 hexadecimal digits, as tacet inspect prints, got "abc"`,
		bare + "programs: ['" + digest[:70] + "']}":             "policy.yaml:2: programs: want sha256:",
		bare + "programs: ['" + strings.ToUpper(digest) + "']}": "policy.yaml:2: programs: want sha256:",
		head + "inputs: all}":                                   `policy.yaml:2: inputs: want a list of inputs' names, or any, got "all"`,
		head + "inputs: {a: x}}":                                `policy.yaml:2: inputs: a: want a whole number, got "x"`,
		head + "inputs: {a: {b: 1}}}":                           `policy.yaml:2: inputs: a: want a list of numbers of arguments, got a mapping`,
		head + "inputs: {'': 1}}":                               `policy.yaml:2: inputs: want inputs' names with the arguments`,
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
		"admins: [a@]":                                          `policy.yaml:1: admins: organisation "": letters, digits`,
		"admins: [a@b@c]":                                       `policy.yaml:1: admins: organisation "b@c": letters, digits`,
		"admins: [a@b, a@b]":                                    `policy.yaml:1: admins: a@b is named twice`,
		"rules: [{name: r, submitters: [c], programs: any, reveal: [a@b]}]": `policy.yaml:1: reveal: "a@b": letters, digits`,
	} {
		if p, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v, %v, want %q", text, p, err, want)
		}
	}
}

// FuzzRead checks that every policy that is read has only complete rules.
func FuzzRead(f *testing.F) {
	for _, s := range []string{full, "", "rules: []", "rules: [{}]", "admins: any", "rules: [{name: r, submitters: [c], programs: any, arguments: {0: public}, outputs: [tensor<f32>], rate: 1/day, inputs: [''] }]"} {
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
