package hlo

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// fixtures returns the programs of the fixtures.
func fixtures(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("TACET_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "fixtures")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "program.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no fixtures in %s: set TACET_FIXTURES", dir)
	}
	return files
}

// Every fixture parses, verifies and can be inspected.
func TestFixtures(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			p, err := ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if p.Main == nil || p.Main.Name != "main" || len(p.Main.Body.Params) == 0 {
				t.Errorf("main is %+v", p.Main)
			}
			if err := p.Inspect(io.Discard, nil); err != nil {
				t.Error(err)
			}
		})
	}
}
