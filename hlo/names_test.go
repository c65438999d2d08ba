package hlo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// attributeFiles hold names of attributes that are names of operations as well (#stablehlo.dot<…>).
var attributeFiles = []string{"dialect.go", "print_attr.go"}

// Code names operations by this package's constants, so that a misspelt name does not compile.
func TestNamesAreConstants(t *testing.T) {
	full, short := map[string]bool{}, map[string]bool{}
	for _, name := range hlo.Operations() {
		_, base, _ := strings.Cut(name, ".")
		full[name], short[base] = true, true
	}
	takesName := []string{"named", "unary", "binary", "reduce", "of", "calc", "emit", "emitLike", "Has"}
	for _, root := range []string{".", "../eval", "../exec", "../fxp", "../flow", "../party", "../profile"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				slices.Contains(attributeFiles, path) {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GenDecl:
					return n.Tok != token.CONST
				case *ast.CallExpr:
					f, _ := n.Fun.(*ast.SelectorExpr)
					for _, arg := range n.Args {
						if s := literal(arg); f != nil && slices.Contains(takesName, f.Sel.Name) && short[s] {
							t.Errorf("%v: %s is given %q, not a constant of package hlo", set.Position(arg.Pos()), f.Sel.Name, s)
						}
					}
				case *ast.BasicLit:
					if s := literal(n); full[s] {
						t.Errorf("%v: %q is no constant of package hlo", set.Position(n.Pos()), s)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// literal returns the string of a literal, "" for any other expression.
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}
