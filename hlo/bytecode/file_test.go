package bytecode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func open(t *testing.T, name string) *File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "artifact", name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Files written by JAX in all versions of the format that StableHLO has used.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name     string
		version  int
		producer string
	}{
		{"old.0.9.0.mlirbc", 0, "StableHLO_v0.9.0"},
		{"old.0.12.0.mlirbc", 3, "StableHLO_v0.12.0"},
		{"old.0.14.0.mlirbc", 4, "StableHLO_v0.14.0"},
		{"old.0.15.0.mlirbc", 6, "StableHLO_v0.15.0"},
		{"sort.mlirbc", 6, "StableHLO_v1.15.0"},
	} {
		f := open(t, c.name)
		if f.Version != c.version || f.Producer != c.producer || len(f.Attrs) == 0 || len(f.Types) == 0 {
			t.Errorf("%s: version %d by %s", c.name, f.Version, f.Producer)
		}
		b, err := f.IR()
		if err != nil || len(b.Ops) != 1 || b.Ops[0].Name != "builtin.module" || !b.Ops[0].Isolated {
			t.Errorf("%s: %v, %+v", c.name, err, b)
		}
	}
}

// Values of a region are counted, and operations are in file order.
func TestIR(t *testing.T) {
	b, err := open(t, "sort.mlirbc").IR()
	if err != nil {
		t.Fatal(err)
	}
	r := b.Ops[0].Regions[0].Blocks[0].Ops[0].Regions[0]
	var names []string
	for _, o := range r.Blocks[0].Ops {
		names = append(names, o.Name)
	}
	if !slices.Contains(names, "vhlo.sort_v1") || names[len(names)-1] != "vhlo.return_v1" {
		t.Errorf("operations %s", strings.Join(names, " "))
	}
	if len(r.Blocks[0].Args) != 2 || r.Values < 4 {
		t.Errorf("%d values, arguments %v", r.Values, r.Blocks[0].Args)
	}
}

func TestIs(t *testing.T) {
	if !Is([]byte("ML\xefR\x01")) || Is([]byte("module {}")) || Is(nil) {
		t.Error("the magic number is not what counts")
	}
}
