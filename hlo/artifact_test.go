package hlo

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// artifacts are the names of the artifacts in testdata.
func artifacts(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "artifact", "*.mlirbc"))
	if err != nil || len(files) < 10 {
		t.Fatalf("artifacts %v, %v", files, err)
	}
	return files
}

// eachOp calls f for all operations of a program.
func eachOp(p *Program, f func(*Op)) {
	var visit func(b *Block)
	visit = func(b *Block) {
		for _, o := range b.Ops {
			f(o)
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	for _, fn := range p.Funcs {
		visit(fn.Body)
	}
}

// readOpaque parses what the text form skips: attributes with a dialect prefix. Neither form keeps
// attributes of dialect sdy.
func readOpaque(o *Op) {
	for name, v := range o.Attrs {
		switch text, ok := v.(Opaque); {
		case ok && strings.HasPrefix(name, "sdy."):
			o.Attrs[name] = Opaque("#sdy")
		case ok && strings.Contains(name, "."):
			p := &parser{}
			p.lexer = newLexer("", []byte(text))
			o.Attrs[name] = p.attr()
		}
	}
}

// Bytecode and text written by JAX contain the same program.
func TestArtifacts(t *testing.T) {
	for _, file := range append(artifacts(t), filepath.Join("testdata", "artifact", "functions.exported")) {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(filepath.Base(file), func(t *testing.T) {
			got, err := ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "old.") {
				name = "old.0.9.0"
			}
			want, err := ReadFile(filepath.Join("testdata", "artifact", name+".mlir"))
			if err != nil {
				t.Fatal(err)
			}
			eachOp(want, readOpaque)
			if diff := cmp.Diff(want, got, sameProgram); diff != "" {
				t.Errorf("(-text +artifact):\n%s", diff)
			}
		})
	}
}

// Operations have the source positions of the artifact's locations and the names that JAX gave
// them.
func TestArtifactPositions(t *testing.T) {
	p, err := ReadFile(filepath.Join("testdata", "artifact", "dot_general.mlirbc"))
	if err != nil {
		t.Fatal(err)
	}
	o := p.Main.Body.Ops[0]
	if o.Name != "stablehlo.dot_general" || !strings.Contains(o.Loc, "dot_general") {
		t.Errorf("%s at %v is called %q", o.Name, o.Pos, o.Loc)
	}
	if got, want := o.Pos.String(), "dot_general.mlirbc:op 3 (make.py:40:11)"; got != want {
		t.Errorf("position %s, want %s", got, want)
	}
	if got := p.Main.Body.Params[1].Name; got != "arg1" {
		t.Errorf("parameter %s", got)
	}
	if p, err = ReadFile(filepath.Join("testdata", "artifact", "old.1.0.0.mlirbc")); err != nil {
		t.Fatal(err)
	}
	if got, want := p.Main.Body.Ops[0].Pos.Place(), "op 3 (-:4:10)"; got != want {
		t.Errorf("position %s, want %s", got, want)
	}
}

// Unsupported parts of an artifact are reported with the name of the producer.
func TestArtifactErrors(t *testing.T) {
	data := contents(t, []string{filepath.Join("testdata", "artifact", "dot_general.mlirbc")})[0]
	swap := func(old, new string) []byte {
		if len(old) != len(new) || !bytes.Contains(data, []byte(old)) {
			t.Fatalf("cannot put %q for %q", new, old)
		}
		return bytes.Replace(data, []byte(old), []byte(new), 1)
	}
	plain := contents(t, []string{filepath.Join("testdata", "artifact", "plain.bytecode")})[0]
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", data[:4], "p: byte 4: 1 bytes should stand here, but 0 are left"},
		{"format", swap("R\x0dStableHLO", "R\x0fStableHLO"), "p: version 7 of MLIR bytecode is not supported"},
		{"operation", swap("dot_general_v2", "dot_genexal_v2"), "p:op 3 (make.py:40:11): vhlo.dot_genexal_v2 (StableHLO_v1.15.0): unknown operation (Tacet knows"},
		{"version", swap("dot_general_v2", "dot_general_v7"), "p:op 3 (make.py:40:11): vhlo.dot_general_v7: version 7 of the operation is not known (written by StableHLO_v1.15.0)"},
		{"other properties", swap("dot_general_v2", "dot_general_v1"), "p:op 3 (make.py:40:11): stablehlo.dot_general: vhlo.dot_general_v1 has properties that do not fit it (written by"},
		{"refused", swap("transpose_v1", "after_all_v1"), "p:op 8 (make.py:40:67): vhlo.after_all_v1 (StableHLO_v1.15.0): not supported (a program's inputs"},
		{"no version", swap("transpose_v1", "transpose_x1"), "p:op 8 (make.py:40:67): vhlo.transpose_x1: the operation's name has no version"},
		{"no VHLO", plain, "p:op 2 (-:2:2): the bytecode holds StableHLO itself"},
		{"function", swap("func_v1", "fund_v1"), "p:op 2: a module holds functions only, not vhlo.fund_v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("p", c.data)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
