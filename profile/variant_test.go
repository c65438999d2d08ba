package profile

import (
	"bytes"
	"strings"
	"testing"
)

func TestVariants(t *testing.T) {
	plan := func(online, offline float64) *Report {
		r := sample()
		r.Plan = &Plan{Networks: []Network{{Name: "lan", Online: online, Offline: offline}, {Name: "wan", Online: 10 * online, Offline: offline}}}
		return r
	}
	variants := []Variant{
		{Settings: []string{"ring=64"}, Plan: plan(1, 30)},
		{Settings: []string{"ring=65"}, Refused: "no such ring"},
		{Settings: []string{"ring=128"}, Plan: plan(2, 15)},
	}
	got := printed(t, func(b *bytes.Buffer) error { return Variants(b, variants) })
	for _, want := range []string{
		"online bytes rounds dealt bytes MiB lan online all wan online all settings\n610 5 1000 0 1.0000 31.0000 10.0000 40.0000 ring=64\n610 5 1000 0 2.0000 17.0000 20.0000 35.0000 ring=128\n",
		"ring=65 cannot run: no such ring\n",
		"lan: online fastest with ring=64 (1 s), all phases with ring=128 (17 s)\n",
		"wan: online fastest with ring=64 (10 s), all phases with ring=128 (35 s)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	b, err := VariantsJSON(variants)
	if err != nil || !strings.Contains(string(b), `"refused": "no such ring"`) {
		t.Errorf("%s, %v", b, err)
	}
}
