package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// maxFile bounds a job file: a few lines for each party.
const maxFile = 1 << 18

// Load reads a job file. It checks the file's form and that its names agree
// with one another; what depends on the program or on settings that Apply can
// change is checked when a spec is made.
func Load(path string) (*Job, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unread(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, unread(path, err)
	}
	return parse(path, text)
}

// unread says why a job file cannot be read, naming it once.
func unread(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return wrong(path, "cannot be read: %w", err)
}

func parse(path string, text []byte) (*Job, error) {
	if len(text) > maxFile {
		return nil, wrong(path, "a job file has at most %d bytes", maxFile)
	}
	tokens := lexer.Tokenize(string(text))
	if err := checkDepth(path, tokens); err != nil {
		return nil, err
	}
	tree, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxError(path, err)
	}
	var docs []ast.Node
	for _, d := range tree.Docs {
		if d.Body != nil {
			docs = append(docs, d.Body)
		}
	}
	switch len(docs) {
	case 0:
		return nil, wrong(path, "is empty: a job names at least its program and parties")
	case 1:
	default:
		return nil, wrong(place(path, docs[1]), "a second document: a job file holds one")
	}
	j := &Job{File: path, Network: "none", at: map[string]string{}}
	if err := (&loader{j}).job(docs[0]); err != nil {
		return nil, err
	}
	return j, j.checkNames()
}

// syntaxError gives the parser's message without its drawing of the source.
func syntaxError(path string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		return wrong(fmt.Sprintf("%s:%d", path, at.GetToken().Position.Line), "not YAML: %s", at.GetMessage())
	}
	return wrong(path, "not YAML: %w", err)
}

// loader fills in a job from the parsed file.
type loader struct{ j *Job }

func (l *loader) job(n ast.Node) error {
	j := l.j
	err := l.mapping(n, "a job", fields{
		"program":  l.path(&j.Program),
		"parties":  l.texts(&j.Parties, "names"),
		"protocol": l.text(&j.Protocol),
		"ring":     l.ring,
		"fraction": l.int(&j.Fraction),
		"inputs":   l.inputs,
		"outputs":  l.outputs,
		"expect":   l.expect,
		"set":      l.set,
		"reveals":  l.int(&j.Reveals),
	})
	if err != nil {
		return err
	}
	if j.Program == "" {
		return wrong(j.File, "program is missing: the StableHLO text to run")
	}
	if len(j.Parties) == 0 {
		return wrong(j.File, "parties is missing: their names in rank order, such as [alice, bob]")
	}
	return nil
}

func (l *loader) inputs(key string, n ast.Node) error {
	return l.list(key, n, "files", func(n ast.Node) error {
		in := Input{at: place(l.j.File, n)}
		arg := -1
		err := l.mapping(n, "an input", fields{
			"owner":  l.text(&in.Owner),
			"public": l.bool(&in.Public),
			"file":   l.path(&in.File),
			"args":   l.ints(&in.Args),
			"arg":    l.int(&arg),
		})
		if err != nil {
			return err
		}
		switch ext := filepath.Ext(in.File); {
		case in.File == "":
			return wrong(in.at, "file is missing from an input")
		case in.Owner == "" && !in.Public:
			return wrong(in.at, "an input has an owner, or is public: true")
		case in.Owner != "" && in.Public:
			return wrong(in.at, "an input is either an owner's or public, not both")
		case ext == ".npz" && arg >= 0:
			return wrong(in.at, "arg is for .npy and .csv files: an .npz's arrays are named arg0, arg1, … (args says which)")
		case ext != ".npz" && ext != ".npy" && ext != ".csv":
			return wrong(in.at, "file %s: inputs are .npz, .npy or .csv", in.File)
		case ext != ".npz" && (arg < 0 || in.Args != nil):
			return wrong(in.at, "file %s: a %s file holds one array: say which argument it is with arg: N", in.File, ext)
		case ext != ".npz":
			in.Args = []int{arg}
		}
		l.j.Inputs = append(l.j.Inputs, in)
		return nil
	})
}

func (l *loader) outputs(_ string, n ast.Node) error {
	return l.mapping(n, "outputs", fields{
		"reveal": l.texts(&l.j.Reveal, "names"),
		"dir":    l.path(&l.j.Dir),
	})
}

func (l *loader) expect(_ string, n ast.Node) error {
	e := Expect{Atol: DefaultAtol, Rtol: DefaultRtol, at: place(l.j.File, n)}
	err := l.mapping(n, "expect", fields{
		"file": l.path(&e.File),
		"atol": l.tolerance(&e.Atol),
		"rtol": l.tolerance(&e.Rtol),
	})
	if err == nil && e.File == "" {
		err = wrong(e.at, "file is missing from expect")
	}
	l.j.Expect = &e
	return err
}

// partyName is what a party may be called: the name of a file, a host, a
// certificate's subject.
var partyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// checkNames checks that names are names, and that owners and learners are
// parties.
func (j *Job) checkNames() error {
	for i, name := range j.Parties {
		if !partyName.MatchString(name) {
			return wrong(j.at["parties"], "party name %q: letters, digits, '.', '_' and '-', 63 at most", name)
		}
		if slices.Contains(j.Parties[:i], name) {
			return wrong(j.at["parties"], "party %s is named twice", name)
		}
	}
	for _, in := range j.Inputs {
		if !in.Public && !slices.Contains(j.Parties, in.Owner) {
			return wrong(in.at, "owner %q is no party (parties: %s)", in.Owner, list(j.Parties))
		}
	}
	for i, name := range j.Reveal {
		if !slices.Contains(j.Parties, name) {
			return wrong(j.at["reveal"], "%q cannot learn results: no such party (parties: %s)", name, list(j.Parties))
		}
		if slices.Contains(j.Reveal[:i], name) {
			return wrong(j.at["reveal"], "party %s is named twice", name)
		}
	}
	return nil
}
