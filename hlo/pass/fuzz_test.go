package pass

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// FuzzRewrite: every program that Parse accepts can be rewritten, and Verify accepts the result.
func FuzzRewrite(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("..", "testdata", "*.mlir"))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && len(text) < 1<<14 {
			f.Add(text, uint8(0b1001))
		}
	}
	for _, list := range samples {
		for _, c := range list {
			p, _ := c.parsed(f)
			f.Add(p.Text, uint8(0b1001))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, who uint8) {
		p, err := hlo.Parse("fuzz.mlir", text)
		if err != nil {
			return
		}
		o := Options{Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28}
		for i := range 4 {
			o.Args = append(o.Args, []hlo.Visibility{hlo.Secret, hlo.OwnerLocal(0), hlo.OwnerLocal(1), hlo.Public}[who>>(2*i)&3])
		}
		if err := Rewrite(p, o).Verify(); err != nil {
			t.Fatal(err)
		}
	})
}
