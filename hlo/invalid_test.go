package hlo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// invalid.txt holds pairs of lines: a line that replaces a line of every_op.generic.mlir and makes
// it invalid, and the resulting error. The changes are random ones of a number, type or name that
// MLIR's own verifier refuses too; each causes a different kind of error. Run with -rewrite to
// write the errors again.
func TestInvalid(t *testing.T) {
	golden := filepath.Join("testdata", "invalid.txt")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "every_op.generic.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	valid := strings.Split(string(text), "\n")
	var got bytes.Buffer
	for pair := strings.Split(string(want), "\n"); len(pair) > 1; pair = pair[2:] {
		var n int
		if _, err := fmt.Sscanf(pair[0], "%d:", &n); err != nil {
			t.Fatalf("%q: %v", pair[0], err)
		}
		_, line, _ := strings.Cut(pair[0], ": ")
		old := valid[n-1]
		valid[n-1] = old[:len(old)-len(strings.TrimLeft(old, " "))] + line
		_, err := Parse("p", []byte(strings.Join(valid, "\n")))
		valid[n-1] = old
		if err == nil {
			t.Errorf("line %d is accepted as %s", n, line)
			continue
		}
		fmt.Fprintf(&got, "%s\n  %s\n", pair[0], strings.TrimPrefix(err.Error(), "p:"))
	}
	if *rewrite {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
