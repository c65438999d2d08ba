package semi2k

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// overlayVariable names the overlay that TestPublicIsNotOpened reads sources from.
const overlayVariable = "TACET_OVERLAY"

// mutation is a change of the source that breaks a rule of composition, and the test
// that must see it.
type mutation struct {
	rule          int
	name, file    string
	before, after string
	test          string
}

// mutations are one or more for each rule. What is broken is chosen as the program
// runs, so that all of them are built at once.
var mutations = []mutation{
	{
		1, "opened", "poly.go",
		"case t.c.isConst(0):\n\t\t\tcontinue\n",
		"case t.c.isConst(0):\n\t\t\tcontinue\n" +
			"\t\tcase mutated(\"opened\") && t.c.vec != nil && t.c.vec.Get().Len() == 0:\n\t\t\tcontinue\n",
		"TestPublicIsNotOpened",
	},
	{
		2, "spent", "../correlation/source.go",
		"if *given&bit != 0 {",
		"if *given&bit != 0 && !mutated(\"spent\") {",
		"TestMaskOpensOneValue",
	},
	{
		3, "once", "image.go",
		"= s.masked != nil ||",
		"= s.masked != nil && !mutated(\"once\") ||",
		"TestOpenOnce",
	},
	{
		3, "once", "open.go",
		"if s.masked != nil {\n\t\t\tcontinue",
		"if s.masked != nil && !mutated(\"once\") {\n\t\t\tcontinue",
		"TestOpenOnce",
	},
	{
		4, "raw", "reveal.go",
		"w.Vec(mine.Get().share)",
		"if mutated(\"raw\") {\n\t\t\t\tw.Vec(s.additive.Get())\n\t\t\t\treturn w.Payload()\n\t\t\t}\n" +
			"\t\t\tw.Vec(mine.Get().share)",
		"TestOnlyOutgoingLeaves",
	},
	{
		4, "revealed", "reveal.go",
		"eachBlock(v.Len(), func(lo, hi int) {",
		"eachBlock(v.Len(), func(lo, hi int) {\n\t\tif mutated(\"revealed\") {\n\t\t\treturn\n\t\t}\n",
		"TestRevealIsRerandomised",
	},
	{
		4, "coins", "coin.go",
		"|| p.bare {",
		"|| p.bare || mutated(\"coins\") {",
		"TestCoinsAreNotTheDealers/drop_of_shares/inside=true",
	},
	{
		5, "centred", "truncate.go",
		"bias() int64 {\n\tif p.first() {",
		"bias() int64 {\n\tif p.first() || mutated(\"centred\") {",
		"TestMultiplesStayExact",
	},
	{
		6, "rounded", "coin.go",
		"[by]; ok {",
		"[by]; ok && !mutated(\"rounded\") {",
		"TestRoundedOnce",
	},
	{
		7, "modulus", "../../ring/truncate.go",
		"|| a.ring.Bits < dst.ring.Bits+t {",
		"|| a.ring.Bits < dst.ring.Bits+t && !mutated(\"modulus\") {",
		"TestModulusBelongsToShares",
	},
	{
		8, "bound", "share.go",
		"int { return min(bound, r.Bits-2) }",
		"int {\n\tif mutated(\"bound\") {\n\t\treturn bound\n\t}\n\treturn min(bound, r.Bits-2)\n}",
		"TestMagnitudesFit",
	},
	{
		8, "slack", "poly.go",
		"if bound > w-2 {",
		"if bound > w-2 && !mutated(\"slack\") {",
		"TestMagnitudesFit",
	},
	{
		8, "width", "less.go",
		"c.width < min(c.x.bound+1, c.x.ring.Bits) {",
		"c.width < min(c.x.bound+1, c.x.ring.Bits) && !mutated(\"width\") {",
		"TestMagnitudesFit",
	},
	{
		8, "excess", "selection.go",
		"d.bound <= w-2 {",
		"d.bound <= w-2 || mutated(\"excess\") {\n\t\td.bound = min(d.bound, w-2)",
		"TestMaximaUseTheirRing",
	},
	{
		9, "dealer", "total.go",
		"To: p.others, From: p.others, Size: size,\n\t\tPack: func",
		"To: hearers(p), From: p.others, Size: size,\n\t\tPack: func",
		"TestDealerHearsNothing",
	},
}

// switches is what mutated sources call, by directory.
var switches = map[string]string{
	".":              "package semi2k\n\nimport \"os\"\n" + switchFunc + hearersFunc,
	"../correlation": "package correlation\n\nimport \"os\"\n" + switchFunc,
	"../../ring":     "package ring\n\nimport \"os\"\n" + switchFunc,
}

const hearersFunc = `
func hearers(p *Party) []int {
	if mutated("dealer") && p.dealer > 0 {
		return append(p.others[:len(p.others):len(p.others)], p.dealer)
	}
	return p.others
}
`

const switchFunc = `
var wanted = os.Getenv("TACET_MUTATION")

func mutated(name string) bool { return wanted == name }
`

// TestMutations breaks each rule of composition (doc.go) in turn and expects the test
// that holds it to fail. Sources are changed in an overlay, in one build for all.
func TestMutations(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("builds the tests anew")
	}
	dir := t.TempDir()
	replace, text := map[string]string{}, map[string]string{}
	absolute := func(file string) string {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, m := range mutations {
		path := absolute(m.file)
		if text[path] == "" {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text[path] = string(data)
		}
		if n := strings.Count(text[path], m.before); n != 1 {
			t.Fatalf("mutation %s: %q is %d times in %s", m.name, m.before, n, m.file)
		}
		text[path] = strings.Replace(text[path], m.before, m.after, 1)
	}
	for at, source := range switches {
		text[filepath.Join(absolute(at), "mutated.go")] = source
	}
	for path, source := range text {
		name := filepath.Join(dir, strings.ReplaceAll(path, string(filepath.Separator), "_"))
		if err := os.WriteFile(name, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[path] = name
	}
	overlay, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutated.test")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c -overlay: %v\n%s", err, out)
	}
	run := func(test string, env ...string) (string, error) {
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		defer stop()
		parts := strings.Split(test, "/")
		for i, p := range parts {
			parts[i] = "^" + p + "$"
		}
		c := exec.CommandContext(ctx, binary, "-test.run", strings.Join(parts, "/"), "-test.v")
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	seen, passes, rules := map[string]bool{}, map[string]bool{}, map[int]bool{}
	for _, m := range mutations {
		rules[m.rule] = true
		if seen[m.name] {
			continue
		}
		seen[m.name] = true
		if !passes[m.test] { // one run serves all mutations that the test must see
			passes[m.test] = true
			if out, err := run(m.test); err != nil || !strings.Contains(out, "--- PASS: "+m.test) {
				t.Errorf("rule %d: %s fails without a mutation: %v\n%s", m.rule, m.test, err, out)
			}
		}
		env := []string{"TACET_MUTATION=" + m.name}
		if m.name == "opened" || m.name == "raw" { // which sources show
			env = append(env, overlayVariable+"="+overlay)
		}
		if out, err := run(m.test, env...); err == nil || !strings.Contains(out, "--- FAIL: "+m.test) {
			t.Errorf("rule %d: %s does not see mutation %q of %s: %v\n%s", m.rule, m.test, m.name, m.file, err, out)
		}
	}
	for rule := 1; rule <= 9; rule++ {
		if !rules[rule] {
			t.Errorf("rule %d has no mutation", rule)
		}
	}
}
