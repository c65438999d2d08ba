package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// banned are words and phrases that readers stumbled over, each with what to write
// instead (glossary.md). They may not stand in comments, in messages, in the pages of
// docs, or in Python, shell, YAML and HTML files.
var banned = []struct{ word, instead string }{
	{`dear(er|est)?`, "expensive, more expensive"},
	{`weightless(ly)?`, "dry run, shape-only"},
	{`order forms?`, "correlation manifest"},
	{`set(s|ting)? aside`, "checkpoint"},
	{`goes on from|go on from|gone on from`, "resume"},
	{`(who|whoever|nobody|somebody) deals`, "the dealer, without a dealer"},
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
	var words []string
	for _, b := range banned {
		all, words = append(all, regexp.MustCompile(`(?i)\b(`+b.word+`)\b`)), append(words, b.word)
	}
	some := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`) // most texts are read by this one alone
	check := func(place, text string) {
		text = strings.Join(strings.Fields(text), " ")
		if !some.MatchString(text) {
			return
		}
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
		case strings.HasSuffix(name, ".go"):
			return checkGo(path, check)
		case slices.Contains([]string{".py", ".sh", ".yaml", ".yml", ".html", ".toml"}, filepath.Ext(name)):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(text), "\n") {
				check(path+":"+strconv.Itoa(i+1), line)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkGo checks all comments of a file and, but for tests, its string literals.
func checkGo(path string, check func(place, text string)) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, g := range file.Comments {
		check(set.Position(g.Pos()).String(), g.Text())
	}
	if strings.HasSuffix(path, "_test.go") {
		return nil // a test may look for a former word
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			check(set.Position(s.Pos()).String(), s.Value)
		}
		return true
	})
	return nil
}
