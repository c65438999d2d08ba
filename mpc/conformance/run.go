package conformance

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

var rewrite = flag.Bool("conformance.rewrite", false, "write the golden files of package conformance anew")

const (
	// elements is the length of operands whose costs are measured.
	elements = 64
	// integers are the widths of rings of integers, beside a protocol's.
	narrowest, narrow = 8, 16
	costs             = "testdata/conformance.txt"
)

// Run runs the suite as subtests of t against the protocol that d describes.
func Run(t *testing.T, d *protocol.Descriptor) { RunPart(t, d, nil) }

// RunPart is Run without the cases for which skip returns true: an operation in a ring of so many bits, or in the test
// of uniform messages. The golden file keeps its costs of skipped cases. It is for protocols whose whole suite takes
// long.
func RunPart(t *testing.T, d *protocol.Descriptor, skip func(operation string, bits int, uniform bool) bool) {
	if skip == nil {
		skip = func(string, int, bool) bool { return false }
	}
	t.Run("Operations", func(t *testing.T) {
		testOperations(t, d, func(o string, bits int) bool { return skip(o, bits, false) })
	})
	t.Run("Owners", func(t *testing.T) { testOwners(t, d) })
	t.Run("Uniform", func(t *testing.T) { testUniform(t, d, func(o string, bits int) bool { return skip(o, bits, true) }) })
	t.Run("Refusals", func(t *testing.T) { testRefusals(t, d) })
}

// kept returns the lines of the golden file that begin like line.
func kept(t *testing.T, line string) string {
	t.Helper()
	text, err := os.ReadFile(costs)
	if err != nil {
		t.Fatalf("%v (a run of the whole suite writes it)", err)
	}
	for l := range strings.Lines(string(text)) {
		if strings.HasPrefix(l, line) {
			return l
		}
	}
	t.Fatalf("%s has no line %q (a run of the whole suite writes it)", costs, line)
	return ""
}

// among are the numbers of computing parties that the suite runs.
func among(d *protocol.Descriptor) []int {
	if d.Clear {
		return []int{1}
	}
	var out []int
	for _, n := range []int{d.Least, 3, 5} {
		if d.Least <= n && n <= d.Most && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// widths are the rings that an operation is run in.
func widths(d *protocol.Descriptor, o operation) []int {
	if o.rings == nil {
		return append([]int{narrowest, narrow}, d.Rings...)
	}
	var out []int
	for _, k := range o.rings {
		if k <= narrow || slices.Contains(d.Rings, k) {
			out = append(out, k)
		}
	}
	return out
}

// reference is what package plain makes of a computation.
func reference(t *testing.T, s session) []ring.Vec {
	t.Helper()
	s.d, s.computing, s.parties, s.sent = plain.Protocol, 1, 1, nil
	m, err := s.run(t.Context())
	if err != nil {
		t.Fatalf("in cleartext: %v", err)
	}
	return m.out
}

// differ compares a session's results with the reference; n parties compute.
func (o operation) differ(got, want []ring.Vec, n int) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d results, want %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i].Ring() != w.Ring() || got[i].Len() != w.Len() {
			return fmt.Errorf("result %d has %d elements of %d bits, want %d of %d", i, got[i].Len(), got[i].Ring().Bits, w.Len(), w.Ring().Bits)
		}
		for j := range w.Len() {
			a, b := got[i].Int(j), w.Int(j)
			off, _ := new(big.Float).SetInt(new(big.Int).Sub(a, b)).Float64()
			size, _ := new(big.Float).SetInt(b).Float64()
			if math.Abs(off) > o.units+o.each*float64(n)+o.relative*math.Abs(size) {
				return fmt.Errorf("result %d is %v at %d, want %v", i, a, j, b)
			}
		}
	}
	return nil
}

// testOperations runs all operations among all numbers of parties in all rings: results,
// and costs as predicted and as in the golden file.
func testOperations(t *testing.T, d *protocol.Descriptor, skip func(string, int) bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %2s %4s %7s %9s %9s %7s %9s\n", "operation", "n", "k", "rounds", "online", "messages", "offrnd", "offline")
	for _, o := range operations {
		for _, k := range widths(d, o) {
			if skip(o.name, k) {
				for _, n := range among(d) {
					b.WriteString(kept(t, fmt.Sprintf("%-28s %2d %4d ", o.name, n, k)))
				}
				continue
			}
			r := ring.Z(k)
			in := o.in(r, elements)
			want := reference(t, session{in: in, build: o.build})
			for _, n := range among(d) {
				s := session{d: d, computing: n, parties: n, seed: byte(n), in: in, build: o.build}
				m, err := s.run(t.Context())
				if err == nil {
					err = o.differ(m.out, want, n)
				}
				if err != nil {
					t.Errorf("%s, %d parties, %d bits: %v", o.name, n, k, err)
					continue
				}
				sent, messages := fmt.Sprint(slices.Max(m.online)), fmt.Sprint(slices.Max(m.messages))
				if m.expected { // what a random order takes is not for a golden file
					sent, messages = "expected", "expected"
				}
				fmt.Fprintf(&b, "%-28s %2d %4d %7d %9s %9s %7d %9d\n", o.name, n, k, m.rounds, sent, messages, m.offline.Rounds(), s.offline(m))
			}
		}
	}
	if !t.Failed() {
		golden(t, costs, b.String())
	}
}

// offline is the bytes of the offline phase.
func (s *session) offline(m *measured) int64 {
	if s.d.Supply == protocol.OutsideDealer {
		return m.offline[len(m.offline)-1].Dealt
	}
	return m.offline.Bytes()
}

// golden compares a text with a file of the protocol's folder.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -run %s -conformance.rewrite writes it)", err, strings.Split(t.Name(), "/")[0])
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf(
			"%s changed (-want +got); if that is meant, run go test -run %s -conformance.rewrite:\n%s",
			file,
			strings.Split(t.Name(), "/")[0],
			diff,
		)
	}
}

// testOwners shares inputs of every party, of one beyond the computing ones too.
func testOwners(t *testing.T, d *protocol.Descriptor) {
	if d.Clear {
		t.Skip("one process has all inputs")
	}
	o := operations[slices.IndexFunc(operations, func(o operation) bool { return o.name == "product" })]
	r := ring.Z(d.Rings[len(d.Rings)-1])
	for _, n := range among(d) {
		for owner := range n + 1 {
			in := o.in(r, elements)
			in[0].owner, in[1].owner = owner, n
			s := session{d: d, computing: n, parties: n + 1, seed: 3, in: in, build: o.build}
			want := reference(t, s)
			m, err := s.run(t.Context())
			if err == nil {
				err = o.differ(m.out, want, n)
			}
			if err != nil {
				t.Errorf("owner %d of %d computing parties: %v", owner, n, err)
			}
		}
	}
}

// testUniform runs all operations on fixed secrets and looks at what each party sends
// each other one online: bits that are balanced, bytes that are equally frequent.
func testUniform(t *testing.T, d *protocol.Descriptor, skip func(string, int) bool) {
	if d.Clear {
		t.Skip("nothing is sent")
	}
	const sigma = 6.
	n := d.Least
	for _, o := range operations {
		k := 64
		if !slices.Contains(widths(d, o), k) || skip(o.name, k) {
			continue
		}
		for _, constant := range []bool{true, false} {
			many := 512
			if o.relative > 0 { // functions send much
				if many = elements; !constant {
					break
				}
			}
			in := o.in(ring.Z(k), many)
			if constant { // all elements are alike
				for _, x := range in {
					for i := 1; i < x.v.Len(); i++ {
						ring.Low(x.v.Slice(i, i+1), x.v.Slice(0, 1))
					}
				}
			}
			seen := newCounter(n)
			s := session{d: d, computing: n, parties: n, seed: 7, in: in, build: o.build, sent: seen.add}
			if _, err := s.run(t.Context()); err != nil {
				t.Errorf("%s: %v", o.name, err)
				continue
			}
			if z, what := seen.worst(); z > sigma {
				t.Errorf("%s: %s are %.1f standard deviations from uniform", o.name, what, z)
			}
		}
	}
}

// testRefusals wants an error of what cannot be computed, and not a result.
func testRefusals(t *testing.T, d *protocol.Descriptor) {
	for _, n := range []int{0, d.Least - 1, d.Most + 1} {
		if d.Check(n) == nil {
			t.Errorf("%d computing parties are not refused", n)
		}
	}
	for name, build := range refused {
		r := ring.Z(d.Rings[len(d.Rings)-1])
		n := among(d)[0]
		s := session{
			d:         d,
			computing: n,
			parties:   n,
			in:        []operand{{v: Extremes(r, 8, elements, 1), bound: 8}, {v: Extremes(r, 8, elements, 2), bound: 8}},
			build:     build,
		}
		if _, err := guarded(t.Context(), &s); err == nil {
			t.Errorf("%s is computed", name)
		}
	}
}

// guarded runs a session whose dry run may panic.
func guarded(ctx context.Context, s *session) (m *measured, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return s.run(ctx)
}
