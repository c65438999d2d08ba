package bytecode

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The output of Exported.serialize contains mlir_module_serialized.
func TestFind(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "artifact", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	wrapped, plain := read("functions.exported"), read("functions.mlirbc")
	if got := Find(wrapped); !bytes.Equal(got, plain) {
		t.Errorf("found %d bytes of %d", len(got), len(plain))
	}
	if got := Find(plain); !bytes.Equal(got, plain) {
		t.Errorf("found %d bytes of %d", len(got), len(plain))
	}
	for n := range wrapped {
		if got := Find(wrapped[:n]); got != nil && !bytes.Equal(got, plain) {
			t.Fatalf("found %d bytes in the first %d", len(got), n)
		}
	}
	for _, none := range []string{"", "module {}", "\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\x00\x01\x00\x00\x00", "\x04\x00\x00\x00\xff\xff\xff\x00\x00"} {
		if Find([]byte(none)) != nil {
			t.Errorf("%q holds a module", none)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, name := range []string{"functions.exported", "functions.mlirbc"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "artifact", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if b := Find(data); b != nil && !Is(b) {
			t.Errorf("%q is no bytecode", b)
		}
	})
}
