package docs

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the maximum length of a line of code in characters, its texts not counted.
const maxColumns = 140

// TestLineLength checks that lines are short. A string literal counts as two characters: a text is not
// easier to read in pieces.
func TestLineLength(t *testing.T) {
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(text), "// Code generated") {
			return nil
		}
		lines := strings.Split(string(withoutTexts(file, text)), "\n")
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > maxColumns {
				t.Errorf("%s:%d: %d columns without texts; %d are allowed", file, i+1, n, maxColumns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutTexts returns Go code whose string literals are empty; those of several lines keep their line
// breaks.
func withoutTexts(file string, text []byte) []byte {
	files := token.NewFileSet()
	at := files.AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(at, text, nil, scanner.ScanComments)
	var out []byte
	end := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return append(out, text[end:]...)
		}
		if tok != token.STRING {
			continue
		}
		start := at.Offset(pos)
		out = append(out, text[end:start]...)
		out = append(out, `"`+strings.Repeat("\n", strings.Count(literal, "\n"))+`"`...)
		end = start + len(literal)
	}
}
