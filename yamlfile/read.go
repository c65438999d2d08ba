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
)

// MaxSize bounds a file, in bytes: people write these by hand.
const MaxSize = 1 << 18

// Nesting beyond what any format here has, on which the parser would spend
// memory that grows with the depth's square: brackets within brackets, and
// indented structure, which needs a column a level.
const maxDepth, maxColumn = 16, 256

// Read reads a file's one document. The kind is what messages call such a
// file, with its article: "a job file".
func Read(path, kind string) (Value, error) {
	text, err := Load(path)
	if err != nil {
		return Value{}, err
	}
	return Parse(path, kind, text)
}

// Load is a file's text, for Parse: a little more of it than Parse takes, at most.
func Load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unread(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, unread(path, err)
	}
	return text, nil
}

// unread says why a file cannot be read, naming it once.
func unread(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return Wrong(path, "cannot be read: %w", err)
}

// Parse reads the text of a file, as Read does.
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

// tooDeep is the token at which the nesting is beyond bounds, if any.
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

// syntaxError gives the parser's message without its drawing of the source.
func syntaxError(path string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		return Wrong(line(path, at.GetToken()), "not YAML: %s", at.GetMessage())
	}
	return Wrong(path, "not YAML: %w", err)
}

// line is a token's place: "job.yaml:7".
func line(path string, t *token.Token) string {
	if t != nil && t.Position != nil {
		return fmt.Sprintf("%s:%d", path, t.Position.Line)
	}
	return path
}

// keyText is a key as it was meant: quotes make no difference.
func keyText(n ast.MapKeyNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return ""
}
