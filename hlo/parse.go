package hlo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
	"github.com/tacet-mpc/tacet/regular"
)

// Limits of a program.
const (
	maxNesting = 64 // nesting depth of regions, attributes and types
	maxRank    = 64 // dimensions of a tensor
)

// parser reads one program.
type parser struct {
	lexer
	ctx    context.Context // nil: the parser does not end early
	steps  int             // since ctx was looked at
	op     string          // the operation being read, for messages
	depth  int
	prog   *Program
	fn     *Func
	nextID int
	scope
	memory
	attrAliases map[string]alias
	resources   *resources // nil until the first dense_resource
	locAliases  map[string]location
	namedLocs   []namedLoc
	funcs       map[string]*Func
	calls       []call
}

// alias is a named attribute (#map = …).
type alias struct{ value any }

// Parse reads and verifies a program: StableHLO text, a portable artifact (MLIR bytecode), or the
// output of jax.export that contains one. Operations are in their canonical form (Op.Canonical). file is
// the file name in positions. Every error is an *Error.
func Parse(file string, text []byte) (*Program, error) {
	return ParseContext(context.Background(), file, text)
}

// ParseContext is Parse that stops when ctx ends; it then returns the context's cause.
func ParseContext(ctx context.Context, file string, text []byte) (*Program, error) {
	p, err := parse(ctx, file, text)
	if err != nil {
		return nil, err
	}
	p.canonicalise()
	return p, nil
}

// parse is Parse without the canonical forms.
func parse(ctx context.Context, file string, text []byte) (prog *Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bail:
			prog, err = nil, r.err
		case stopped:
			prog, err = nil, context.Cause(ctx)
		default:
			panic(r)
		}
	}()
	p := newParser(file, text)
	p.ctx = ctx
	if data := bytecode.Find(text); data != nil {
		p.readArtifact(file, data)
	} else {
		p.lexer = newLexer(file, text)
		p.top()
	}
	p.link()
	p.nameLocs()
	return p.prog, nil
}

func newParser(file string, text []byte) *parser {
	names := min(len(text)/100, 1000)
	return &parser{
		prog:        &Program{File: file, Text: text},
		scope:       scope{names: make(map[string][]*Value, names), opened: make([]string, 0, names)},
		attrAliases: map[string]alias{},
		locAliases:  map[string]location{},
		funcs:       map[string]*Func{},
	}
}

// ReadFile reads and verifies the program in a file. Positions contain the file's base name.
func ReadFile(path string) (*Program, error) { return ReadFileContext(context.Background(), path) }

// ReadFileContext is ReadFile that stops when ctx ends; it then returns the context's cause.
func ReadFileContext(ctx context.Context, path string) (*Program, error) {
	text, err := regular.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("hlo: read program: %w", err)
	}
	return ParseContext(ctx, filepath.Base(path), text)
}

// Digest returns the SHA-256 of the program's text or artifact. Parties compare digests to ensure
// that they run the same program.
func (p *Program) Digest() [32]byte { return sha256.Sum256(p.Text) }

// stopped is the panic by which the parser ends when its context has.
type stopped struct{}

// alive ends the parser if its context has ended. It is called for every operation, element of a list and chunk of bytes.
func (p *parser) alive() {
	if p.steps++; p.steps%1024 == 0 && p.ctx != nil && p.ctx.Err() != nil {
		panic(stopped{})
	}
}

// enter increments the nesting depth and checks its limit; leave decrements it.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail("nested more than %d deep", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }
