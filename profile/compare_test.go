package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func compared(t *testing.T, a, b *Report, by Order, most int) string {
	t.Helper()
	return printed(t, func(w *bytes.Buffer) error { return Compare(a, b, by).Print(w, most) })
}

func TestCompare(t *testing.T) {
	a, b := sample(), sample()
	got := compared(t, a, b, ByBytes, 10)
	if !strings.Contains(got, "online bytes 610 610 =") || !strings.HasSuffix(got, "every operation costs the same in both") {
		t.Error(got)
	}
	b.Online.BytesSent = []int64{600, 620}
	b.Ops[0].BytesSent = []int64{200, 220}
	b.Ops[2].Op = "stablehlo.minimum"
	const onlyA, onlyB = "×0 400 0 4 0 300 0 0.2000 - stablehlo.maximum program.mlir:5:5 (only in A)", "new 0 400 0 4 0 300 - 0.2000 stablehlo.minimum program.mlir:5:5 (only in B)"
	for by, first := range map[Order]string{
		ByBytes:   onlyA + "\n" + onlyB + "\n×2 210 420",
		ByRounds:  onlyA + "\n" + onlyB + "\n= 210 420",
		ByOffline: onlyA,
		BySeconds: onlyA,
	} {
		got = compared(t, a, b, by, 10)
		if !strings.Contains(got, "online bytes 610 1220 ×2\n") || !strings.Contains(got, string(by)+": B/A bytes A") ||
			!strings.Contains(got, "operation\n"+first) {
			t.Errorf("by %s: %s", by, got)
		}
	}
	if got = compared(t, a, b, ByBytes, 1); !strings.HasSuffix(got, "and 2 more") {
		t.Error(got)
	}
	if got = compared(t, a, plan(), ByBytes, 1); strings.Contains(got, "seconds 0") || !strings.Contains(got, "offline bytes 1000 1000 =") {
		t.Error(got) // a plan without a machine's profile has no times
	}
	timed := plan()
	timed.Plan = &Plan{}
	timed.Network, timed.Online.Seconds, timed.PeakMemoryBytes = a.Network, a.Online.Seconds/2, 1<<20
	if got = compared(t, timed, a, ByBytes, 1); !strings.Contains(got, "online seconds") || !strings.Contains(got, "peak memory bytes") {
		t.Error(got)
	}
	timed.Network = "another"
	if got = compared(t, timed, a, ByBytes, 1); strings.Contains(got, "online seconds") {
		t.Error(got) // times on another network say nothing
	}
}

func TestComparisonJSON(t *testing.T) {
	a, b := sample(), sample()
	b.Ops[0].BytesSent = []int64{0, 105}
	b.Ops = b.Ops[:2]
	text, err := Compare(a, b, ByBytes).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var c Comparison
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Ops) != 2 || c.Ops[0].B != nil || c.Ops[0].A.BytesSent != 400 || *c.Ops[0].Ratio != 0 || *c.Ops[1].Ratio != 0.5 ||
		c.Ops[1].B.Loc != "program.mlir:3:5" {
		t.Errorf("%s", text)
	}
}

// list returns a report of operations given as "name@location" or "name@location=pattern".
func list(file string, ops ...string) *Report {
	r := &Report{Program: file}
	for i, text := range ops {
		text, whole, _ := strings.Cut(text, "=")
		name, at, _ := strings.Cut(text, "@")
		r.Ops = append(r.Ops, Op{ID: i, Op: name, Loc: file + ":" + at, Pattern: whole})
	}
	return r
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []string
		want string
	}{
		{"the same", []string{"mul@1", "add@2"}, []string{"mul@1", "add@2"}, "[[0 0] [1 1]]"},
		{"one line added", []string{"mul@1", "add@2", "mul@3"}, []string{"mul@1", "neg@2", "add@3", "mul@4"}, "[[0 0] [-1 1] [1 2] [2 3]]"},
		{"one line removed", []string{"mul@1", "add@2", "mul@3"}, []string{"add@1", "mul@2"}, "[[0 -1] [1 0] [2 1]]"},
		{"equal location wins", []string{"mul@1", "mul@2"}, []string{"mul@2"}, "[[0 -1] [1 0]]"},
		{"different patterns are not paired", []string{"mul@1=gelu"}, []string{"mul@7"}, "[[0 -1] [-1 0]]"},
		{"empty", nil, []string{"mul@2"}, "[[-1 0]]"},
	} {
		if got := fmt.Sprint(match(list("a.mlir", c.a...), list("b.mlir", c.b...))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestMatchIsAMatching checks for both pairing methods that every operation is in exactly one pair
// and that pairs have equal names.
func TestMatchIsAMatching(t *testing.T) {
	ops := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
		return fmt.Sprintf("%s@%d", rapid.SampledFrom([]string{"mul", "add", "neg"}).Draw(rt, "op"), rapid.IntRange(1, 9).Draw(rt, "line"))
	}), 0, 12)
	rapid.Check(t, func(rt *rapid.T) {
		a, b := list("p.mlir", ops.Draw(rt, "a")...), list("p.mlir", ops.Draw(rt, "b")...)
		m := matcher{a: a, b: b}
		m.greedy(0, len(a.Ops), 0, len(b.Ops))
		for _, pairs := range [][][2]int{match(a, b), m.out} {
			var as, bs []int
			for _, p := range pairs {
				if p[0] >= 0 {
					as = append(as, p[0])
				}
				if p[1] >= 0 {
					bs = append(bs, p[1])
				}
				if p[0] >= 0 && p[1] >= 0 && a.Ops[p[0]].Op != b.Ops[p[1]].Op {
					rt.Fatalf("%v pairs %s with %s", p, a.Ops[p[0]].Op, b.Ops[p[1]].Op)
				}
			}
			for _, c := range []struct {
				got []int
				n   int
			}{{as, len(a.Ops)}, {bs, len(b.Ops)}} {
				seen := map[int]bool{}
				for _, i := range c.got {
					seen[i] = true
				}
				if len(c.got) != c.n || len(seen) != c.n {
					rt.Fatalf("%d operations, in pairs %v", c.n, pairs)
				}
			}
		}
		if d := cmp.Diff(len(match(a, a)), len(a.Ops)); d != "" {
			rt.Fatal(d)
		}
	})
}
