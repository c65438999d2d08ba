package policy

import (
	"strings"
	"testing"
)

// TestArithmetic checks the keys ring, fraction and set of rules by digest and of rules for any program.
func TestArithmetic(t *testing.T) {
	for _, c := range []struct {
		rule     string // keys of a rule by digest
		ring     int
		fraction int
		set      string // KEY=VALUE, or ""
		want     string // beginning of the reason; "" if the job is allowed
	}{
		{"", 64, 18, "", ""},
		{"", 128, 26, "", "ring: the job's has 128 bits, and the rule allows 64, the default"},
		{"ring: 128", 128, 26, "", ""},
		{"ring: 128", 64, 18, "", "ring: the job's has 64 bits, and the rule allows 128"},
		{"ring: [64, 128]", 64, 18, "", ""},
		{"ring: [64, 128]", 128, 18, "", "fraction: the job has 18 bits, and the rule allows 26, the default"},
		{"ring: any, fraction: any", 32, 3, "", ""},
		{"fraction: [16, 20]", 64, 20, "", ""},
		{"fraction: [16, 20]", 64, 18, "", "fraction: the job has 18 bits, and the rule allows 16, 20"},
		{"set: {exp.mode: taylor}", 64, 18, "exp.mode=taylor", ""},
		{"set: {exp.mode: taylor}", 64, 18, "exp.mode=pade", "set: the job sets exp.mode to pade, and the rule allows taylor"},
		{"set: {exp.mode: [taylor, pade]}", 64, 18, "exp.mode=pade", ""},
		{"set: {while.bound: any}", 64, 18, "while.bound=7", ""},
		{"set: {while.bound: 7}", 64, 18, "while.bound=8", "set: the job sets while.bound to 8, and the rule allows 7"},
		{"set: {exp.mode: taylor}", 64, 18, "exp.clamp=none", "set: the job sets exp.clamp, which the rule does not allow"},
		{"set: {}", 64, 18, "optimize=rounds", ""},
		{"set: any", 64, 18, "table.tolerance=0.1", ""},
		{"programs: any, ring: 64", 32, 8, "", "ring: the job's has 32 bits, and the rule allows 64"},
		{"programs: any, ring: 64", 64, 4, "exp.clamp=none", ""},
	} {
		keys := c.rule
		if !strings.Contains(keys, "programs") {
			keys = strings.Trim(`programs: ["`+digest+`"], `+keys, ", ")
		}
		p, err := parse("rules: [{name: r, submitters: [carol], inputs: any, reveal: any, arguments: any, " + keys + "}]")
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		s := credit()
		s.Ring, s.Fraction, s.Reveals = c.ring, c.fraction, 0
		if key, value, ok := strings.Cut(c.set, "="); ok {
			s.Set = map[string]string{key: value}
		}
		d := p.judge(s, &counts{})
		if allowed := d.Verdict == Allowed; allowed != (c.want == "") || !allowed && !strings.Contains(d.Reason, `rule "r": `+c.want) {
			t.Errorf("%s: ring %d, fraction %d, set %q: %v %s, want %q", c.rule, c.ring, c.fraction, c.set, d.Verdict, d.Reason, c.want)
		}
	}
}
