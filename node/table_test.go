package node

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// withTable returns a node's file with this entry in its catalogue.
func withTable(t *testing.T, entry string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "node.yaml")
	text := "name: bob\nlisten: 127.0.0.1:0\ntls: {cert: c, key: k, ca: a}\nstate: state\npolicy: p\ncatalogue:\n  people: " + entry + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const people = "{table: people.csv, columns: [age], prepare: {age: {missing: {value: 20}, standardise: {mean: 20, sd: 10}}}}"

// TestTable runs a job on a table of bob's catalogue: bob's node prepares it, and no other party learns why a table
// is refused.
func TestTable(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	config, err := ReadConfig(withTable(t, people))
	if err != nil {
		t.Fatal(err)
	}
	c.stops["bob"]()
	c.start("bob", []string{"alice", "bob"}, func(k *Config) {
		k.Catalogue = map[string]string{"people": filepath.Join(c.dir, "bob", "people.csv")}
		k.Tables = config.Tables
	})
	submit := func(table string) *api.Submission {
		c.write("bob", "people.csv", table)
		s := c.submission("alice", "bob")
		s.Inputs[1].Name = "people"
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := submit("id,age\na,30\nb,40\nc,10\nd,\n") // 1, 2, −1, 0
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done {
			t.Errorf("%s: the job is %s (%s)", p, j.State, j.Error)
		}
	}
	got, err := c.fetch(c.as("carol", "alice"), s.ID)
	if err != nil || math.Abs(got-want(0)) > 1e-3 {
		t.Errorf("got %v, %v, want %v", got, err, want(0))
	}
	for _, table := range []string{"id,hush\na,30\n", "id,age\na,hush\nb,1\nc,1\nd,1\n", "id,age\na,30\nb,1,hush\n", "id,age\na,1\nb,2\nc,3\n", ""} {
		s := submit(table)
		for _, p := range s.Parties {
			j := c.wait(s.ID, p)
			if j.State != api.Failed || !strings.Contains(j.Error, "an input of bob holds an element that cannot be shared") {
				t.Errorf("%q: %s: the job is %s (%s)", table, p, j.State, j.Error)
			}
			for _, text := range []string{j.Error, c.stateFiles(p)} {
				if strings.Contains(text, "hush") || strings.Contains(text, "people.csv:") {
					t.Errorf("%q: %s: the table's content is in %.300q", table, p, text)
				}
			}
		}
	}
}

func TestTableConfig(t *testing.T) {
	path := withTable(t, people)
	c, err := ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Catalogue["people"], filepath.Join(filepath.Dir(path), "people.csv"); got != want || c.Tables["people"].Steps[0].Column != "age" {
		t.Errorf("got %s, want %s; %+v", got, want, c.Tables["people"])
	}
	for entry, want := range map[string]string{
		"{columns: [age]}":                            "belong to a table (table: FILE.csv or FILE.parquet)",
		"{table: x.npz}":                              "table x.npz: a table's file name ends with .csv, .tsv, .parquet",
		"{table: x.csv, colums: [a]}":                 `has no key "colums"`,
		"{table: x.csv, prepare: {a: {bins: 1}}}":     "want 2 or more bins",
		"{table: x.csv}\n  people.v2: {table: y.csv}": "with tables people and people.v2, rules for columns are ambiguous",
		"[x.csv]": "catalogue: people: want a text, got a list",
	} {
		if _, err := ReadConfig(withTable(t, entry)); err == nil || !strings.Contains(err.Error(), "node.yaml:7: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", entry, err, want)
		}
	}
}
