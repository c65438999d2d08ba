package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated: the files of package ring are what the generator writes.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	text, stubs := filepath.Join(dir, "kernels_amd64.s"), filepath.Join(dir, "stubs_amd64.go")
	if out, err := exec.Command("go", "run", ".", "-out", text, "-stubs", stubs, "-pkg", "ring").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{text, stubs} {
		got, want := body(t, name), body(t, filepath.Join("..", filepath.Base(name)))
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate in package ring", filepath.Base(name))
		}
	}
}

// body is a file without its first line, which names the command.
func body(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	return rest
}
