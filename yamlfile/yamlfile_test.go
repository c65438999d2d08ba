package yamlfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// everything has a key of every type.
type everything struct {
	Text, Path, Name, Address string
	Texts, Paths, Names       []string
	Bool                      bool
	Int                       int
	Ints                      []int
	Number                    float64
	Time                      time.Duration
	Size                      int64
	Each                      map[string]string
}

func read(path, text string) (everything, error) {
	e := everything{Number: 7}
	v, err := Parse(path, "a test's file", []byte(text))
	if err != nil {
		return e, err
	}
	return e, v.Mapping("a test", Fields{
		"text": Text(&e.Text), "path": Path(&e.Path), "name": Name(&e.Name), "address": Address(&e.Address),
		"texts": Texts(&e.Texts, "words"), "paths": Paths(&e.Paths), "names": Names(&e.Names),
		"bool": Bool(&e.Bool), "int": Int(&e.Int), "ints": Ints(&e.Ints, "numbers"), "number": Number(&e.Number),
		"time": Duration(&e.Time), "size": Size(&e.Size),
		"each": func(key string, v Value) error {
			e.Each = map[string]string{}
			return v.Each(key, func(key string, v Value) error {
				s, ok := v.Scalar()
				if !ok {
					return v.Mismatch(key, "a text or number")
				}
				e.Each[key] = s
				return nil
			})
		},
	}, Renamed{"wording": "text"})
}

// TestRenamed checks that a former key sets the present one, and that both together are refused.
func TestRenamed(t *testing.T) {
	e, err := read("f.yaml", "wording: a b")
	if err != nil || e.Text != "a b" {
		t.Errorf("got %q, %v", e.Text, err)
	}
	_, err = read("f.yaml", "text: a\nwording: b")
	if want := "f.yaml:2: keys text and wording are the same setting: use text"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = read("f.yaml", "words: a")
	if err == nil || strings.Contains(err.Error(), "wording") {
		t.Errorf("got %v, which should not list the former key", err)
	}
}

const full = `
text: a b
path: x/y
name: alice-1
address: 127.0.0.1:7001
texts: [a, "3"]
paths: [p, /q, ../r]
names: [alice, bob]
bool: true
int: 12
ints: [1, 2]
number: 1e-3
time: 1m30s
size: 1.5KiB
each: {"b": 2, a: x, c: true, d: 0.5}
`

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.yaml")
	if err := os.WriteFile(path, []byte(full), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, "a test's file"); err != nil {
		t.Error(err)
	}
	got, err := read("dir/t.yaml", full)
	want := everything{
		Text: "a b", Path: "dir/x/y", Name: "alice-1", Address: "127.0.0.1:7001",
		Texts: []string{"a", "3"}, Paths: []string{"dir/p", "/q", "r"}, Names: []string{"alice", "bob"},
		Bool: true, Int: 12, Ints: []int{1, 2}, Number: 1e-3, Time: 90 * time.Second, Size: 1536,
		Each: map[string]string{"a": "x", "b": "2", "c": "true", "d": "0.5"},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestReadKeepsDefaults(t *testing.T) {
	got, err := read("t.yaml", "int: 1")
	if err != nil || got.Number != 7 || got.Texts != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "1B": 1, "1kB": 1000, "1KiB": 1024, "8GiB": 8 << 30, "8 GiB": 8 << 30,
		"2.5MB": 2500000, "1TiB": 1 << 40, "1TB": 1e12, "4194304TiB": 1 << 62, "512MiB": 512 << 20, "3GB": 3e9,
	} {
		if got, err := read("t.yaml", "size: "+text); err != nil || got.Size != want {
			t.Errorf("%s: got %d (%v), want %d", text, got.Size, err, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, s := range []string{":7001", "alice.example:1", "'[::1]:65535'", "127.0.0.1:0"} {
		if got, err := read("t.yaml", "address: "+s); err != nil || got.Address != strings.Trim(s, "'") {
			t.Errorf("%s: got %q, %v", s, got.Address, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "t.yaml: is empty: want a test's file",
		"# nothing\n":                "t.yaml: is empty: want a test's file",
		"x":                          `t.yaml:1: a test: want a mapping, got "x"`,
		"a: [":                       "t.yaml:1: not YAML: sequence end token",
		"int: 1\n---\nint: 1":        "t.yaml:3: a second document: a test's file holds one",
		"int: 1\nInt: 1":             `t.yaml:2: a test has no key "Int" (it has address, bool, each,`,
		"int: 1\n\"int\": 1":         `t.yaml:2: key "int" is given twice`,
		"each: {a: 1, a: 2}":         `t.yaml:1: key "a" is given twice`,
		"each: {a: [1]}":             "t.yaml:1: a: want a text or number, got a list",
		"each: [a]":                  "t.yaml:1: each: want a mapping, got a list",
		"text: ''":                   `t.yaml:1: text: want a text, got ""`,
		"text: 1":                    "t.yaml:1: text: want a text, got 1",
		"text: &a x":                 "t.yaml:1: text: want a text, got YAML's anchor",
		"text: !!str x":              "t.yaml:1: text: want a text, got YAML's tag",
		"text: *a":                   "t.yaml:1: text: want a text, got YAML's alias",
		"texts: a":                   `t.yaml:1: texts: want a list of words, got "a"`,
		"texts:\n- a\n- {}":          "t.yaml:3: texts: want a text, got a mapping",
		"path:":                      "t.yaml:1: path: want a text, got nothing",
		"name: a b":                  `t.yaml:1: name: "a b": letters, digits,`,
		"name: ../a":                 `t.yaml:1: name: "../a": letters, digits,`,
		"names: [a, b, a]":           "t.yaml:1: names: a is named twice",
		"names: [-a]":                `t.yaml:1: names: "-a": letters`,
		"bool: yes":                  `t.yaml:1: bool: want true or false, got "yes"`,
		"int: 2147483648":            "t.yaml:1: int: want a whole number, got 2147483648",
		"int: -1":                    "t.yaml:1: int: want a whole number, got -1",
		"ints: 1":                    "t.yaml:1: ints: want a list of numbers, got 1",
		"number: -1":                 "t.yaml:1: number: want a number, 0 or more, got -1",
		"number: .inf":               "t.yaml:1: number: want a number, 0 or more, got .inf",
		"number: true":               "t.yaml:1: number: want a number, 0 or more, got true",
		"address: localhost":         `t.yaml:1: address: want an address such as 127.0.0.1:7001, got "localhost"`,
		"address: a:http":            "want an address such as",
		"address: a:65536":           "want an address such as",
		"address: a:+1":              "want an address such as",
		"address: a:b:1":             "want an address such as",
		"address: 7001":              "want an address such as 127.0.0.1:7001, got 7001",
		"time: 5":                    "t.yaml:1: time: want a time such as 500ms, 5s or 10m, got 5",
		"time: 0s":                   "want a time such as",
		"time: -5s":                  "want a time such as",
		"size: 8G":                   `t.yaml:1: size: want a size such as 512MiB or 8GiB, got "8G"`,
		"size: -1":                   "want a size such as 512MiB or 8GiB, got -1",
		"size: 1e9":                  "want a size such as",
		"size: MiB":                  "want a size such as",
		"size: 99999999TiB":          "want a size such as",
		"size: true":                 "want a size such as",
		strings.Repeat("[", 100):     "t.yaml:1: nested too deeply for a test's file",
		strings.Repeat("- ", 200):    "t.yaml:1: nested too deeply for a test's file",
		strings.Repeat("#", 1+1<<18): "t.yaml: a test's file has at most 262144 bytes",
	} {
		_, err := read("t.yaml", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: got %v, want %q", text, err, want)
		}
		if !errors.As(err, new(*Error)) {
			t.Errorf("%.80q: %T is no *Error", text, err)
		}
	}
}

func TestReadMissingFile(t *testing.T) {
	_, err := Read("no/t.yaml", "a test's file")
	if err == nil || err.Error() != "no/t.yaml: cannot be read: no such file or directory" {
		t.Error(err)
	}
}

// FuzzRead checks that every refusal is one line and names a place in the file.
func FuzzRead(f *testing.F) {
	for _, s := range []string{full, "", "a: [", "x: &a [*a]", "? a\n: b", "!!map {}", "---\n...\n---", "text: |\n b\n", "\"\\x", "'", "size: .", "time: 1ns"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := read("t.yaml", string(text))
		if err == nil && (e.Int < 0 || e.Size < 0 || e.Time < 0 || !(e.Number >= 0)) {
			t.Fatalf("accepted %q as %+v", text, e)
		}
		if err != nil && (!errors.As(err, new(*Error)) || !strings.HasPrefix(err.Error(), "t.yaml")) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
