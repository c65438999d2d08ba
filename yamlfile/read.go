package yamlfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/tacet-mpc/tacet/regular"
)

// MaxSize is the maximum size of a file in bytes. The files are written by hand, so longer ones are mistakes.
const MaxSize = 1 << 18

// maxDepth bounds the nesting of brackets and maxColumn the column of indented structure, above what
// any format needs: the parser's memory grows with the square of the depth.
const maxDepth, maxColumn = 16, 256

// Read reads a file and returns the value of its only document. kind is the name of such a file in errors, with
// its article: "a job file". Errors are *Error, except for a file that cannot be read.
func Read(path, kind string) (Value, error) {
	text, err := Load(path)
	if err != nil {
		return Value{}, err
	}
	return Parse(path, kind, text)
}

// Load reads the text of a file, for Parse. It reads at most MaxSize + 1 bytes, so that Parse can refuse longer
// files. It refuses files that are not regular.
func Load(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, readError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, readError(path, err)
	}
	return text, nil
}

// readError returns the error of a file that cannot be read, with its path once.
func readError(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return Wrong(path, "cannot be read: %w", err)
}

// Parse parses the text of a file as Read does. path is the file's path, for places; kind is its name in errors.
func Parse(path, kind string, text []byte) (Value, error) {
	if len(text) > MaxSize {
		return Value{}, Wrong(path, "%s has at most %d bytes", kind, MaxSize)
	}
	tokens := lexer.Tokenize(string(text))
	if t := tooDeep(tokens); t != nil {
		return Value{}, Wrong(line(path, t), "nested too deeply for %s", kind)
	}
	tree, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return Value{}, syntaxError(path, err)
	}
	var docs []Value
	for _, d := range tree.Docs {
		if d.Body != nil {
			docs = append(docs, Value{path, line(path, d.Body.GetToken()), d.Body})
		}
	}
	switch len(docs) {
	case 0:
		return Value{}, Wrong(path, "is empty: want %s", kind)
	case 1:
		return docs[0], nil
	}
	return Value{}, docs[1].Wrong("a second document: %s holds one", kind)
}

// tooDeep returns the first token beyond maxDepth or maxColumn; nil if there is none.
func tooDeep(tokens token.Tokens) *token.Token {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.AnchorType, token.TagType:
			if depth <= 0 && t.Position.Column > maxColumn {
				return t
			}
		}
		if depth > maxDepth {
			return t
		}
	}
	return nil
}

// syntaxError returns the parser's message without its excerpt of the source.
func syntaxError(path string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		return Wrong(line(path, at.GetToken()), "not YAML: %s", at.GetMessage())
	}
	return Wrong(path, "not YAML: %w", err)
}

// line returns the place of a token: "job.yaml:7".
func line(path string, t *token.Token) string {
	if t != nil && t.Position != nil {
		return fmt.Sprintf("%s:%d", path, t.Position.Line)
	}
	return path
}

// keyText returns the text of a key, without quotes.
func keyText(n ast.MapKeyNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return ""
}
