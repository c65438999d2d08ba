package job

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tacet-mpc/tacet/party"
)

// settled loads a job without inputs, applies an override and returns its settings.
func settled(t *testing.T, text string, o Override) (party.Spec, error) {
	t.Helper()
	j, err := parse("job.yaml", []byte("program: p.mlir\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	j.Apply(o)
	return j.RunSpec(program(nil, nil))
}

func ptr(i int) *int { return &i }

func TestSettings(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    Override
		want party.Spec
	}{
		"file": {"parties: [a, b]\nprotocol: plain\nring: 32\nfraction: 5\nset: {sort: network}", Override{},
			party.Spec{Protocol: "plain", Ring: 32, Fraction: 5, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{0, 1},
				Set: map[string]string{"sort": "network"}}},
		"flags": {"parties: [a, b]\nprotocol: aby3\nring: 32\nfraction: 5\nset: {sort: network, passes: none}",
			Override{Protocol: "plain", Ring: ptr(128), Fraction: ptr(30), Set: map[string]string{"sort": "network"}},
			party.Spec{Protocol: "plain", Ring: 128, Fraction: 30, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{0, 1},
				Set: map[string]string{"sort": "network", "passes": "none"}}},
		"fraction of 32": {"parties: [a, b]\nring: 32", Override{}, party.Spec{Protocol: "semi2k", Ring: 32, Fraction: 8, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{0, 1}}},
		"fraction of 128": {"parties: [a, b]", Override{Ring: ptr(128)},
			party.Spec{Protocol: "semi2k", Ring: 128, Fraction: 26, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{0, 1}}},
		"alone": {"parties: [a]", Override{}, party.Spec{Protocol: "plain", Ring: 64, Fraction: 18, Parties: []string{"a"}, Computing: 1, Reveal: []int{0}}},
		"more compute": {"parties: [a, party4]\noutputs: {reveal: [party4]}", Override{Parties: ptr(4)},
			party.Spec{Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "party4", "party3", "party4x"}, Computing: 4, Reveal: []int{1}}},
		"more compute, all learn": {"parties: [a, b]", Override{Parties: ptr(3)},
			party.Spec{Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "b", "party3"}, Computing: 3, Reveal: []int{0, 1}}},
		"fewer compute": {"parties: [a, b, c]\noutputs: {reveal: [c, a]}", Override{Parties: ptr(2)},
			party.Spec{Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "b", "c"}, Computing: 2, Reveal: []int{0, 2}}},
		"aby3 takes three": {"parties: [a, b]\nprotocol: aby3", Override{},
			party.Spec{Protocol: "aby3", Ring: 64, Fraction: 18, Parties: []string{"a", "b", "party3"}, Computing: 3, Reveal: []int{0, 1}}},
		"aby3 of five": {"parties: [a, b, c, d, e]", Override{Protocol: "aby3", Parties: ptr(3)},
			party.Spec{Protocol: "aby3", Ring: 64, Fraction: 18, Parties: []string{"a", "b", "c", "d", "e"}, Computing: 3, Reveal: []int{0, 1, 2, 3, 4}}},
		"nobody learns": {"parties: [a, b]\noutputs: {reveal: []}", Override{}, party.Spec{Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{}}},
	} {
		got, err := settled(t, c.text, c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c.want.Network, c.want.Args, c.want.Program = "none", []party.Arg{}, got.Program
		if d := cmp.Diff(c.want, got, cmpopts.IgnoreFields(party.Spec{}, "Program"), cmpopts.IgnoreUnexported(party.Spec{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    Override
		want string
	}{
		"unknown protocol":   {"parties: [a, b]\nprotocol: spdz", Override{}, `job.yaml:3: no protocol "spdz" (there are plain, semi2k, aby3, cheetah)`},
		"aby3 among five":    {"parties: [a, b, c]", Override{Protocol: "aby3", Parties: ptr(5)}, "--parties: aby3 has 3 computing parties, the first ones, not 5"},
		"aby3 among two":     {"parties: [a, b]\nprotocol: aby3", Override{Parties: ptr(2)}, "--parties: aby3 has 3"},
		"cheetah among one":  {"parties: [a, b]\nprotocol: cheetah", Override{Parties: ptr(1)}, "--parties: cheetah has 2 computing parties"},
		"semi2k alone":       {"parties: [a]\nprotocol: semi2k", Override{}, "job.yaml:3: semi2k needs two or more computing parties, not 1"},
		"no secrecy unasked": {"parties: [a, b]", Override{Parties: ptr(1)}, "job.yaml: semi2k needs two or more computing parties, not 1"},
		"semi2k among one":   {"parties: [a, b]\nprotocol: semi2k", Override{Parties: ptr(1)}, "job.yaml:3: semi2k needs two or more"},
		"no party":           {"parties: [a, b]", Override{Parties: ptr(0)}, "--parties: want 1 to 64 computing parties, got 0"},
		"too many":           {"parties: [a, b]", Override{Parties: ptr(65)}, "--parties: want 1 to 64"},
		"ring":               {"parties: [a, b]\nring: 48", Override{}, "job.yaml:3: want a ring of 32, 64 or 128 bits, or auto, got 48"},
		"ring 0":             {"parties: [a, b]\nring: 0", Override{}, "job.yaml:3: want a ring of 32, 64 or 128 bits, or auto, got 0"},
		"fraction 0":         {"parties: [a, b]\nfraction: 0", Override{}, "job.yaml:3: want 1 to 29 fraction bits in a ring of 64, got 0 (the default is 18)"},
		"fraction of ring":   {"parties: [a, b]\nfraction: 18", Override{Ring: ptr(32)}, "job.yaml:3: want 1 to 13 fraction bits in a ring of 32, got 18 (the default is 8)"},
		"negative":           {"parties: [a, b]", Override{Fraction: ptr(-1)}, "--fraction: want 1 to 29"},
		"no such network":    {"parties: [a, b]", Override{Network: "dsl"}, `--network: unknown network "dsl" (want none, lan, wan, slow, or BITS_PER_S/RTT`},
		"no such rate":       {"parties: [a, b]", Override{Network: "0/1ms"}, `--network: unknown network "0/1ms"`},
		"no such setting":    {"parties: [a, b]\nset: {speed: high}", Override{}, "job.yaml:3: setting \"speed\" does not exist; the settings are "},
		"no such choice":     {"parties: [a, b]", Override{Set: map[string]string{"exp.mode": "euler"}}, `--set: setting exp.mode is "euler"; it must be one of prime`},
		"no round-trip time": {"parties: [a, b]", Override{Network: "1000/5"}, `--network: unknown network "1000/5"`},
	} {
		_, err := settled(t, c.text, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
