package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated checks that the packages' files are what the generator writes.
func TestGenerated(t *testing.T) {
	for _, x := range []struct{ pkg, dir, text string }{
		{"ring", "..", "kernels_amd64.s"},
		{"eval", filepath.Join("..", "..", "eval"), "kernels_amd64.s"},
		{"fixed", filepath.Join("..", "..", "mpc", "fixed"), "waves_amd64.s"},
		{"ot", filepath.Join("..", "..", "ot"), "kernels_amd64.s"},
		{"he", filepath.Join("..", "..", "he"), "kernels_amd64.s"},
	} {
		dir := t.TempDir()
		text, stubs := filepath.Join(dir, x.text), filepath.Join(dir, "stubs_amd64.go")
		if out, err := exec.Command("go", "run", ".", "-out", text, "-stubs", stubs, "-pkg", x.pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, name := range []string{text, stubs} {
			have := filepath.Join(x.dir, filepath.Base(name))
			if !bytes.Equal(body(t, name), body(t, have)) {
				t.Errorf("%s is not what the generator writes: run go generate in package %s", have, x.pkg)
			}
		}
	}
}

// body is a file without its first line, which contains the command.
func body(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	return rest
}
