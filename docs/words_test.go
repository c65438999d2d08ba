package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// banned are words and phrases that readers stumbled over, each with what to write
// instead (glossary.md). They may not stand in documentation of exported names, in
// messages, or in the pages of docs.
var banned = []struct{ word, instead string }{
	{`dear(er|est)?`, "expensive, more expensive"},
	{`weightless(ly)?`, "dry run, shape-only"},
	{`order forms?`, "correlation manifest"},
	{`set(s|ting)? aside`, "checkpoint"},
	{`goes on from|go on from|gone on from`, "resume"},
	{`who deals|whoever deals`, "the dealer"},
	{`heed(s|ed|ing)?`, "peer abort"},
	{`knocks?`, "dial request"},
	{`crowd`, "guard bits"},
	{`puts the light out`, "frees the session"},
	{`dealt material`, "correlations"},
	{`has not the`, "lacks the"},
	{`do(es)? not go (with|together)`, "incompatible"},
}

// TestWords looks for banned words.
func TestWords(t *testing.T) {
	var all []*regexp.Regexp
	for _, b := range banned {
		all = append(all, regexp.MustCompile(`(?i)\b(`+b.word+`)\b`))
	}
	check := func(place, text string) {
		text = strings.Join(strings.Fields(text), " ")
		for i, re := range all {
			if found := re.FindString(text); found != "" {
				t.Errorf("%s: %q (write: %s)", place, found, banned[i].instead)
			}
		}
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && len(name) > 2 && (name[0] == '.' || name == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".md") && name != "glossary.md":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, paragraph := range strings.Split(string(text), "\n\n") {
				check(path+" paragraph "+strconv.Itoa(i+1), paragraph)
			}
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			return checkGo(path, check)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkGo checks a file's package comment, the comments of its exported declarations
// and its string literals.
func checkGo(path string, check func(place, text string)) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	doc := func(g *ast.CommentGroup) {
		if g != nil {
			check(set.Position(g.Pos()).String(), g.Text())
		}
	}
	doc(file.Doc)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				doc(d.Doc)
			}
		case *ast.GenDecl:
			doc(d.Doc)
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						doc(s.Doc)
						ast.Inspect(s.Type, func(n ast.Node) bool {
							if f, ok := n.(*ast.Field); ok && (len(f.Names) == 0 || f.Names[0].IsExported()) {
								doc(f.Doc)
								doc(f.Comment)
							}
							return true
						})
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() {
						doc(s.Doc)
						doc(s.Comment)
					}
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			check(set.Position(s.Pos()).String(), s.Value)
		}
		return true
	})
	return nil
}
