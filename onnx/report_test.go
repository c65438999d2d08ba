package onnx_test

import (
	"archive/zip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the tables of docs/onnx.md")

// page is the page whose tables TestCases makes.
const page = "../docs/onnx.md"

// marks stand around the tables of the page.
const begin, end = "<!-- cases: begin -->\n", "<!-- cases: end -->\n"

// report writes or compares the tables, and fails if less than 95 in 100 cases are right.
func report(t *testing.T, clear, private map[string]*tally, reasons map[string]int, failures, refusals []string) {
	t.Helper()
	if log := os.Getenv("TACET_TEST_ONNX_LOG"); log != "" {
		text := strings.Join(slices.Concat([]string{"FAILURES"}, failures, []string{"REFUSALS"}, refusals), "\n")
		if err := os.WriteFile(log, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var ops []string
	for op := range clear {
		ops = append(ops, op)
	}
	slices.Sort(ops)
	var b strings.Builder
	b.WriteString("| operation | in clear: right | wrong | refused | skipped | privately: right | wrong | refused | skipped |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	var c, p tally
	for _, op := range ops {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", op, clear[op], private[op])
		c.add(*clear[op])
		p.add(*private[op])
	}
	fmt.Fprintf(&b, "| all | %s | %s |\n", c, p)
	b.WriteString("\nCases that are skipped, by what Tacet does not have:\n\n")
	var why []string
	for reason, n := range reasons {
		why = append(why, fmt.Sprintf("- %s: %d", reason, n))
	}
	slices.Sort(why)
	b.WriteString(strings.Join(why, "\n") + "\n")
	share := func(t tally) float64 { return float64(t.right) / float64(max(1, t.right+t.wrong)) }
	t.Logf("in clear %+v, privately %+v: %.4f and %.4f right", c, p, share(c), share(p))
	if share(c) < 0.95 || share(p) < 0.95 {
		t.Errorf("less than 95 in 100 are right")
	}
	if c.right < 500 || os.Getenv("TACET_TEST_ONNX_PRIVATE") == "skip" || os.Getenv("TACET_TEST_ONNX_CASE") != "" {
		return
	}
	text, err := os.ReadFile(filepath.FromSlash(page))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the tables", page)
	}
	now := "\n" + b.String() + "\n"
	if *rewrite {
		if err := os.WriteFile(page, []byte(before+begin+now+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != now {
		t.Errorf("the tables of %s are not those of this run: run it with -rewrite", page)
	}
}

func (t *tally) add(o tally) {
	t.right, t.wrong, t.refused, t.skipped = t.right+o.right, t.wrong+o.wrong, t.refused+o.refused, t.skipped+o.skipped
}

// String is four cells of a table.
func (t tally) String() string {
	return fmt.Sprintf("%d | %d | %d | %d", t.right, t.wrong, t.refused, t.skipped)
}

// unpacked is a folder with the cases of testdata/cases.zip.
func unpacked(t *testing.T) string {
	t.Helper()
	z, err := zip.OpenReader(filepath.Join("testdata", "cases.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	return dir
}
