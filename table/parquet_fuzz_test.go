//go:build !noparquet

package table

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// FuzzReadParquet reads files of any bytes: there is an error or a table whose columns have its rows, and no panic.
func FuzzReadParquet(f *testing.F) {
	for _, options := range [][]parquet.WriterOption{nil, {parquet.Compression(&parquet.Snappy)}, {parquet.DataPageVersion(1)}} {
		text, err := os.ReadFile(write(f, rowsOf(7), options...))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, uint32(0), uint64(0))
		for at := 0; at < len(text); at += 151 {
			f.Add(text, uint32(at), uint64(0xff55)<<(8*(at%7)))
		}
	}
	f.Add([]byte("PAR1\x00\x00\x00\x00PAR1"), uint32(0), uint64(0))
	path := filepath.Join(f.TempDir(), "t.parquet")
	f.Fuzz(func(t *testing.T, text []byte, at uint32, change uint64) {
		for i := range 8 {
			if n := uint64(at) + uint64(i); n < uint64(len(text)) {
				text[n] ^= byte(change >> (8 * i))
			}
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, Options{})
		if err != nil {
			return
		}
		for _, c := range got.Columns {
			if n := len(c.Ints) + len(c.Floats) + len(c.Texts); n != got.Rows || c.Missing != nil && len(c.Missing) != n {
				t.Fatalf("column %q has %d values of %d rows", c.Name, n, got.Rows)
			}
			for _, x := range c.Floats {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("column %q holds %v", c.Name, x)
				}
			}
		}
	})
}
