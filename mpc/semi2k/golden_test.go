package semi2k

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

const costFile, oracleFile = "testdata/costs.txt", "testdata/oracle.txt"

// goldenFiles are what the golden files of costs hold: among whom.
var goldenFiles = []struct {
	suffix string
	among  []trial
}{
	{"", []trial{{n: 2}, {n: 3}, {n: 5}}},
	{"_aby3", []trial{{n: 2, inside: true}}},
}

// suffixed is the name of a golden file with a suffix.
func suffixed(file, suffix string) string { return strings.TrimSuffix(file, ".txt") + suffix + ".txt" }

// TestCosts holds what every operation costs against golden files, among
// parties of every protocol that has these gates and in every ring: bits sent to
// each other computing party, rounds, messages and dealt bits, per element. The
// measured costs equal the shape-only ones, which run checks.
func TestCosts(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	const elements = 64
	for _, file := range goldenFiles {
		var b strings.Builder
		fmt.Fprintf(&b, "%-30s %2s %4s %7s %7s %9s %6s\n", "operation", "n", "k", "rounds", "online", "messages", "dealt")
		for _, o := range operations {
			rings := o.rings
			if rings == nil {
				rings = []int{32, 64, 128}
			}
			for _, k := range rings {
				for _, tr := range file.among {
					tr.k, tr.seed, tr.in, tr.build = ring.Z(k), byte(tr.n), o.in(ring.Z(k), elements), o.build
					res := o.checkTrial(t, tr, elements)
					fmt.Fprintf(&b, "%-30s %2d %4d %7d %7s %9d %6s\n", o.name, tr.parties(), k, res.rounds, per(res.online, elements), res.messages, per(res.dealt, elements))
				}
			}
		}
		golden(t, suffixed(costFile, file.suffix), b.String())
	}
}

// per is bits an element.
func per(bytes, elements int64) string {
	if bytes*8%elements != 0 {
		return fmt.Sprintf("%.2f", float64(bytes*8)/float64(elements))
	}
	return fmt.Sprint(bytes * 8 / elements)
}

// TestOracle compares the golden costs with those in testdata/oracle.txt, which a
// simulation counted that shares no code with this package (the simulation is not in
// the repository): the same operation, number of parties and ring cost the same
// rounds, online and dealt bits. One operation costs more: the simulation gives a truncated number no bit for being rounded
// up, which loses the largest numbers (mpc.RoundedBound).
func TestOracle(t *testing.T) {
	const rounded = "relu+trunc+open c f=18 w=32"
	costs := readCosts(t, costFile)
	n := 0
	for key, want := range readCosts(t, oracleFile) {
		got, ok := costs[key]
		if !ok {
			t.Errorf("%s: the oracle's operation is not in the golden file", key)
			continue
		}
		n++
		if strings.HasPrefix(key, rounded) {
			want.online, want.dealt = "111", "399"
		}
		if got.rounds != want.rounds || got.online != want.online || got.dealt != want.dealt {
			t.Errorf("%s: %+v, the oracle has %+v", key, got, want)
		}
	}
	if n < 20 {
		t.Errorf("only %d operations compared", n)
	}
}

type cost struct{ rounds, online, dealt string }

// readCosts reads a table with columns operation (may hold spaces), n, k,
// rounds, online, messages, dealt.
func readCosts(t *testing.T, file string) map[string]cost {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]cost{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		w := strings.Fields(sc.Text())
		if len(w) < 7 || w[0] == "operation" || w[0] == "#" {
			continue
		}
		c := w[len(w)-6:]
		out[strings.Join(w[:len(w)-6], " ")+" n="+c[0]+" k="+c[1]] = cost{c[2], c[3], c[5]}
	}
	return out
}
