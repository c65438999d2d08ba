// Package docs has no code: it checks the pages that lie beside it.
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
	"strings"
	"testing"
	"unicode"
)

// root is the repository's root.
const root = ".."

// golden is the folder of the golden files that cost tables repeat.
const golden = "../mpc/semi2k/testdata"

// protocolPages are the pages that TestProtocolPages checks.
func protocolPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("protocols/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("there are no pages: %v", err)
	}
	return append(pages, "glossary.md")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// anchors returns the anchors of a page's headings, as GitHub forms them.
func anchors(text string) map[string]bool {
	out, code := map[string]bool{}, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if title := strings.TrimLeft(line, "#"); !code && title != line && strings.HasPrefix(title, " ") {
			out[anchor(title)] = true
		}
	}
	return out
}

// anchor returns the anchor of one heading.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}

// missing says why a link from a folder leads nowhere; "" if it leads to a file and,
// if it names one, to a heading.
func missing(folder, link string) string {
	file, heading, named := strings.Cut(link, "#")
	path := filepath.Join(folder, file)
	if _, err := os.Stat(path); err != nil {
		return "there is no such file"
	}
	if !named {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if !anchors(string(text))[heading] {
		return "the page has no such heading"
	}
	return ""
}

// tests returns the names of the test functions of each package folder, as "folder.Name".
func tests(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	sources(t, func(path string, f *ast.File) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && testName.MatchString(fn.Name.Name) {
				out[filepath.ToSlash(filepath.Dir(path))+"."+fn.Name.Name] = true
			}
		}
	})
	return out
}

// sources calls f for each Go file of the repository, with its path from the root.
func sources(t *testing.T, f func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		f(rel, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)
	quoted   = regexp.MustCompile("`([^`]+)`")
	linked   = regexp.MustCompile(`\]\(([^)]+)\)`)
	unnamed  = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`)
	cited    = regexp.MustCompile(`^[\w./-]+\.(Test|Fuzz)[A-Z]\w*$`)
	filePath = regexp.MustCompile(`^[\w-]+(/[\w.-]+)+$`)
	tableRow = regexp.MustCompile("^\\| `(\\w+\\.txt)` \\|")
	// page is a page that a comment cites. A name in quotation marks is an example.
	page = regexp.MustCompile(`(^|[\s(])([\w./-]+\.md(#[\w-]+)?)`)
)

// TestProtocolPages checks what the pages about protocols cite: each test by its
// folder and name, each file, each link and heading, and each line of a golden file
// that a cost table repeats.
func TestProtocolPages(t *testing.T) {
	known := tests(t)
	if !known["docs.TestProtocolPages"] {
		t.Fatal("the list of tests is not what it should be")
	}
	files := map[string]string{}
	cites, rows := 0, 0
	for _, p := range protocolPages(t) {
		text := read(t, p)
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			link := m[1]
			if strings.HasPrefix(link, "#") {
				link = filepath.Base(p) + link
			}
			if why := missing(filepath.Dir(p), link); why != "" {
				t.Errorf("%s: link %s: %s", p, m[1], why)
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			switch name := m[1]; {
			case cited.MatchString(name):
				if cites++; !known[name] {
					t.Errorf("%s: there is no test %s", p, name)
				}
			case filePath.MatchString(name):
				if why := missing(root, name); why != "" {
					t.Errorf("%s: %s: %s", p, name, why)
				}
			}
		}
		if name := unnamed.FindString(quoted.ReplaceAllString(text, "")); name != "" {
			t.Errorf("%s: %s is not cited as `folder.%s`", p, name, name)
		}
		for line := range strings.Lines(text) {
			m := tableRow.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if rows++; files[m[1]] == "" {
				files[m[1]] = read(t, filepath.Join(golden, m[1]))
			}
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if !holds(files[m[1]], strings.Fields(strings.Join(cells[1:], " "))) {
				t.Errorf("%s: %s has no line as %s", p, m[1], strings.TrimSpace(line))
			}
		}
	}
	if cites < 50 || rows < 30 {
		t.Errorf("only %d tests and %d golden lines are cited: are they still recognised?", cites, rows)
	}
}

// holds reports whether a golden file has a line of the given fields, the number of
// messages, its last but one, left out.
func holds(text string, want []string) bool {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if n := len(f); n == len(want)+1 && strings.Join(append(f[:n-2:n-2], f[n-1]), " ") == strings.Join(want, " ") {
			return true
		}
	}
	return false
}

// TestCitations checks that each page that a Go comment cites exists, from the root
// or beside the file, and has the heading that the comment names.
func TestCitations(t *testing.T) {
	cites := 0
	sources(t, func(path string, f *ast.File) {
		for _, group := range f.Comments {
			for _, m := range page.FindAllStringSubmatch(group.Text(), -1) {
				link := strings.TrimPrefix(m[2], "./")
				if !strings.Contains(link, "/") && strings.HasSuffix(path, "_test.go") {
					continue // names of files that a test writes
				}
				cites++
				if why := missing(root, link); why != "" && missing(filepath.Join(root, filepath.Dir(path)), link) != "" {
					t.Errorf("%s: a comment cites %s: %s", path, link, why)
				}
			}
		}
	})
	if cites == 0 {
		t.Error("no comment cites a page: are citations still recognised?")
	}
}

// TestPackageTable checks that CONTRIBUTING.md names each folder with a package that other packages can import.
func TestPackageTable(t *testing.T) {
	text := read(t, filepath.Join(root, "CONTRIBUTING.md"))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil || !d.IsDir():
			return err
		case path != root && (name[0] == '.' || name == "testdata" || name == "examples" || name == "internal"):
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		folder, err := filepath.Rel(root, path)
		if err != nil || len(files) == 0 || folder == "." {
			return err
		}
		if folder = filepath.ToSlash(folder); !strings.Contains(text, "]("+folder+")") && folder != "cluster/kit/kittest" {
			t.Errorf("CONTRIBUTING.md does not name the package in %s", folder)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
