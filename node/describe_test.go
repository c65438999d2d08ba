package node

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/table"
)

// TestDescribe checks who learns which types, and that a refusal does not say whether an input exists.
func TestDescribe(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", `admins: [root]
rules:
  - {name: told, submitters: [carol], programs: any, inputs: [x.npy, none.npy, broken.npy, people, ragged], describe: true}
  - {name: silent, submitters: [carol, dave], programs: any, inputs: any}
`)
	data := filepath.Join(c.dir, "bob", "data")
	for name, text := range map[string]string{"y.npy": "", "broken.npy": "no array"} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(data, "people.csv"), []byte("age,region,zip\n31,north,\n52,south,8001\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "ragged.csv"), []byte("age\n31,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.start("bob", []string{"alice", "bob"}, func(config *Config) {
		config.Catalogue = map[string]string{"people": filepath.Join(data, "people.csv"), "ragged": filepath.Join(data, "ragged.csv")}
		steps := []table.Step{
			{Column: "region", OneHot: true, Levels: []string{"north", "south"}, Drop: "north"},
			{Column: "age", Standardise: true},
			{Column: "zip", Fill: &table.Fill{Statistic: "mean"}},
		}
		config.Tables = map[string]*job.Table{"people": {Steps: steps}, "ragged": {}}
	})
	told, err := c.as("carol", "bob").InputTypes(t.Context(), "people")
	want := &api.TableType{Rows: 2, Columns: []api.ColumnType{
		{Name: "age", Kind: "integer"}, {Name: "region", Kind: "string", Features: []string{"region=south"}}, {Name: "zip", Kind: "integer"},
	}}
	if err != nil || !reflect.DeepEqual(told.Table, want) || told.Arrays != nil {
		t.Errorf("%+v, %v: want %+v", told.Table, err, want)
	}
	// A second request does not read the file again, unless it has changed: its size, its time or the file itself.
	people := filepath.Join(data, "people.csv")
	info, err := os.Stat(people)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what, text string
		time       time.Time
		rows       int
	}{
		{"the same", strings.Repeat("\"", int(info.Size())), info.ModTime(), 2}, // it could not be read
		{"another time", "age,region,zip\n31,north,1\n52,so,80\n1,n,1\n", info.ModTime().Add(time.Second), 3},
		{"another length", "age,region,zip\n31,north,1\n", info.ModTime(), 1},
	} {
		if err := os.WriteFile(people, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(people, x.time, x.time); err != nil {
			t.Fatal(err)
		}
		if told, err := c.as("carol", "bob").InputTypes(t.Context(), "people"); err != nil || told.Table.Rows != x.rows {
			t.Errorf("%s: %+v, %v: want %d rows", x.what, told.Table, err, x.rows)
		}
	}

	for _, name := range []string{"x.npy", filepath.Join(data, "x.npy")} {
		for _, who := range []string{"carol", "root"} {
			got, err := c.as(who, "bob").InputTypes(t.Context(), name)
			if err != nil || got.Name != "x.npy" || len(got.Arrays) != 1 || got.Arrays[0].Type != "tensor<4xf32>" || got.Arrays[0].DType != "f32" {
				t.Errorf("%s, %s: %+v, %v", who, name, got, err)
			}
		}
	}
	for _, k := range []struct {
		who, name, says string
		status          int
	}{
		{"dave", "x.npy", `does not let dave learn types and shapes of the input "x.npy"`, http.StatusForbidden},
		{"dave", "z.npy", `does not let dave learn types and shapes of the input "z.npy"`, http.StatusForbidden},
		{"carol", "y.npy", "does not let carol", http.StatusForbidden},
		{"carol", "../policy.yaml", "does not let carol", http.StatusForbidden},
		{"mallory", "x.npy", "does not let mallory", http.StatusForbidden},
		{"dave", "people", `does not let dave learn types and shapes of the input "people"`, http.StatusForbidden},
		{"carol", "ragged", `the table "ragged" of bob cannot be read (the log of bob says why)`, http.StatusBadRequest},
		{"carol", "none.npy", `bob has no input "none.npy"`, http.StatusNotFound},
		{"carol", "broken.npy", `the input "broken.npy" of bob has no types`, http.StatusBadRequest},
		{"root", "../policy.yaml", "bob has no input", http.StatusNotFound},
	} {
		_, err := c.as(k.who, "bob").InputTypes(t.Context(), k.name)
		if !refusedAs(err, k.status) || !strings.Contains(err.Error(), k.says) {
			t.Errorf("%s, %s: %v, want %d %q", k.who, k.name, err, k.status, k.says)
		}
	}
}

// TestDescriptionRate checks that a caller may ask for so many descriptions in a minute, those that are refused among them, that the
// next one is refused with its remedy, whether the input exists or not, and that other callers are answered.
func TestDescriptionRate(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice")
	defer c.stop()
	c.stops["alice"]()
	c.write("alice", "policy.yaml", "rules: [{name: told, submitters: [carol, dave], programs: any, inputs: [x.npy], describe: true}]\n")
	c.start("alice", []string{"alice"}, func(config *Config) { config.Limits.Descriptions = 4 })
	inputs := []string{"x.npy", "y.npy", "x.npy", "none.npy", "x.npy", "none.npy"}
	for i, name := range inputs {
		_, err := c.as("carol", "alice").InputTypes(t.Context(), name)
		switch {
		case i >= 4:
			if !refusedAs(err, http.StatusTooManyRequests) || !strings.Contains(err.Error(), "4 in a minute are allowed (limits: descriptions); ask again in") {
				t.Errorf("request %d: %v", i, err)
			}
		case name == "x.npy" && err != nil, name != "x.npy" && !refusedAs(err, http.StatusForbidden):
			t.Errorf("request %d, %s: %v", i, name, err)
		}
	}
	if _, err := c.as("dave", "alice").InputTypes(t.Context(), "x.npy"); err != nil {
		t.Errorf("dave: %v", err)
	}
}

// TestWideTable describes tables of very many columns, at once: a table that is too wide for an answer is refused by its number of
// columns, is read once, and takes memory in proportion to its file.
func TestWideTable(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", "rules: [{name: told, submitters: [carol], programs: any, inputs: any, describe: true}]\n")
	size, most := 0, 100_000
	if raced {
		most = 30_000
	}
	wide := func(name string, columns int) string {
		names := make([]string, columns)
		for i := range names {
			names[i] = fmt.Sprint("c", i)
		}
		text := strings.Join(names, ",") + "\n" + strings.Repeat(strings.Repeat("1,", columns-1)+"2\n", 5)
		c.write("bob", name, text)
		size = len(text)
		return filepath.Join(c.dir, "bob", name)
	}
	c.start("bob", []string{"alice", "bob"}, func(config *Config) {
		config.Catalogue = map[string]string{"wide": wide("wide.csv", 5_000), "widest": wide("widest.csv", most)}
		config.Tables = map[string]*job.Table{"wide": {}, "widest": {}}
	})
	if told, err := c.as("carol", "bob").InputTypes(t.Context(), "wide"); err != nil || len(told.Table.Columns) != 5_000 || told.Table.Rows != 5 {
		t.Errorf("%v", err)
	}
	const callers = 8
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			_, err := c.as("carol", "bob").InputTypes(t.Context(), "widest")
			if !refusedAs(err, http.StatusBadRequest) || !strings.Contains(err.Error(), fmt.Sprintf("it has %d columns", most)) {
				t.Errorf("%v", err)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	used := int(after.TotalAlloc - before.TotalAlloc)
	t.Logf("%d KiB of file, described %d times: %d MiB allocated", size>>10, callers, used>>20)
	if used > 200*size+callers*32<<20 { // reading it, and a text of the schema for each
		t.Errorf("%d MiB allocated for a file of %d KiB", used>>20, size>>10)
	}
}
