package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/hostile"
	"github.com/tacet-mpc/tacet/printable"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestHostileFiles gives each hostile file to the commands that read such files. A malformed one is refused by its name in one line
// of printable text, for memory in proportion to its size; nothing panics.
func TestHostileFiles(t *testing.T) {
	const program = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.multiply %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
	refused := 0
	for _, f := range hostile.Files() {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name) }
		name := "model" + f.Ext
		content := f.Write()
		x := tensor.FromFloats(tensor.F32, tensor.Shape{4}, []float64{1, 2, 3, 4})
		if err := npy.WriteFile(path("x.npy"), x); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			name: string(content), "program.mlir": program,
			"arrays.yaml": "program: program.mlir\nparties: [alice, bob]\ninputs: [{owner: alice, file: " + name + "}]\n",
			"model.yaml": "program: " + name + "\nparties: [alice, bob]\ninputs: [{owner: alice, file: x.npy, arg: 0}, {owner: bob, file: " + name +
				"}]\n",
		} {
			if err := os.WriteFile(path(file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		commands := [][]string{{"run", path("arrays.yaml"), "--out", path("out")}}
		if f.Ext == ".onnx" {
			commands = [][]string{
				{"import", path(name), "--owner", "bob", "--out", path("out")}, {"inspect", path(name)}, {"plan", path("model.yaml")},
			}
		}
		if f.Large {
			commands = commands[:1]
		}
		for _, args := range commands {
			var before, after runtime.MemStats
			var out, errs bytes.Buffer
			runtime.ReadMemStats(&before)
			begin := time.Now()
			var attached *attachment
			err := execute(app{ctx: t.Context(), stdout: &out, stderr: &errs}, args, &attached)
			runtime.ReadMemStats(&after)
			used := int(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%s, %s: %d KiB of file, %d MiB allocated, %.1f s: %.200v", f.Name, args[0], len(content)>>10, used>>20, time.Since(begin).Seconds(), err)
			if f.Accepted {
				continue
			}
			if most := 64<<20 + 160*len(content); used > most {
				t.Errorf("%s, %s: %d MiB allocated, more than %d", f.Name, args[0], used>>20, most>>20)
			}
			if err == nil {
				t.Errorf("%s, %s: it is accepted: %s", f.Name, args[0], out.String())
				continue
			}
			refused++
			printError(&errs, err, args)
			text := strings.TrimSuffix(errs.String(), "\n")
			if printable.Text(text, 1000) != text || strings.Contains(text, "panic") {
				t.Errorf("%s, %s: %.2000q", f.Name, args[0], text)
			}
			if !strings.Contains(text, name) && !strings.Contains(text, "yaml") {
				t.Errorf("%s, %s: the error does not name the file: %s", f.Name, args[0], text)
			}
		}
	}
	t.Log(fmt.Sprint(refused, " refusals"))
}
