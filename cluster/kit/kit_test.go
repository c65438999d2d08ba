package kit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteAgain checks that a second Write keeps certificates, overwrites configurations and issues a
// certificate for a new party.
func TestWriteAgain(t *testing.T) {
	dir := t.TempDir()
	k := &Kit{Dealer: Daemon{Address: "h:1"}, Parties: []Daemon{{Name: "alice", Address: "h:2"}, {Name: "bob", Address: "h:3"}}}
	if err := k.Write(dir); err != nil {
		t.Fatal(err)
	}
	before := map[string][]byte{}
	for _, name := range []string{"ca.key", "alice.key", "admin.crt", "dealer.crt"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		before[name] = text
	}
	k.Parties = append(k.Parties, Daemon{Name: "carol", Address: "h:4", Policy: "rules: []\n"})
	if err := k.Write(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range before {
		if now, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(now, text) {
			t.Errorf("%s is another: %v", name, err)
		}
	}
	for name, part := range map[string]string{
		"alice/node.yaml": `"carol": "h:4"`, "carol/policy.yaml": "rules: []", "dealer/dealer.yaml": `["alice", "bob", "carol"]`, "cluster.yaml": `"carol": "h:4"`, "carol.key": "PRIVATE KEY",
	} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: no %s in %s, %v", name, part, text, err)
		}
	}
}

// TestFiles checks that no daemon gets the key of another one.
func TestFiles(t *testing.T) {
	for _, name := range []string{"alice", Dealer} {
		m := Daemon{Name: name}
		keys := 0
		for _, f := range m.Files() {
			if strings.HasSuffix(f, ".key") {
				keys++
			}
		}
		if keys != 1 || m.Files()[2] != name+".key" {
			t.Error(m.Files())
		}
	}
}
