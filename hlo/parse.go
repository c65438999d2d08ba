package hlo

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
)

// Bounds on what a program may ask for.
const (
	maxNesting = 64      // regions, attributes and types within each other
	maxRank    = 64      // dimensions of a tensor
	maxSplat   = 1 << 28 // bytes that one constant given by one value may fill
	maxSplats  = 1 << 30 // bytes that all of them together may fill
)

// parser reads one program.
type parser struct {
	lexer
	op     string // the operation being read, for messages
	depth  int
	splats int // bytes that splat constants took
	prog   *Program
	fn     *Func
	nextID int
	scope
	memory
	attrAliases map[string]alias
	locAliases  map[string]location
	namedLocs   []namedLoc
	funcs       map[string]*Func
	calls       []call
}

// alias is an attribute that the text gives a name (#map = …).
type alias struct{ value any }

// Parse reads and verifies a program: StableHLO text, or a portable artifact
// (MLIR bytecode), or what jax.export wraps round one. file stands in positions. Every error is an *Error.
func Parse(file string, text []byte) (prog *Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bail:
			prog, err = nil, r.err
		default:
			panic(r)
		}
	}()
	p := newParser(file, text)
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

// ReadFile reads and verifies the program in a file. Positions carry the
// file's base name.
func ReadFile(path string) (*Program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("hlo: read program: %w", err)
	}
	return Parse(filepath.Base(path), text)
}

// Digest is the SHA-256 of the program's text or artifact: parties compare it to make
// sure that they run the same program.
func (p *Program) Digest() [32]byte { return sha256.Sum256(p.Text) }

// enter bounds nesting; leave undoes it.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail("nested more than %d deep", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }
