package node

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"
	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/pki"
)

// stopped stops the nodes of a cluster and returns their configurations, with certificates.
func (c *testCluster) stopped(names ...string) map[string]*Config {
	c.t.Helper()
	ca := filepath.Join(c.dir, "ca")
	if err := pki.Init(ca, pki.Options{}); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]*Config{}
	for _, name := range names {
		c.stops[name]()
		k := c.config(name, names)
		var err error
		if k.TLS, err = pki.Issue(ca, name, pki.Options{}); err != nil {
			c.t.Fatal(err)
		}
		out[name] = k
	}
	return out
}

// scores runs a job that uses the kept model, and returns its results at alice.
func (c *testCluster) scores(name string) []float64 {
	c.t.Helper()
	s := c.inference(name, "alice", "bob")
	c.ran(s)
	text, err := os.ReadFile(filepath.Join(c.dir, "alice", "state", jobsFolder, s.ID, resultsFolder, "out0.npy"))
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := npy.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		c.t.Fatal(err)
	}
	a, err := r.Array()
	if err != nil {
		c.t.Fatal(err)
	}
	return a.Floats()
}

// TestTransferKept exports a model at two nodes, imports it at two new ones, and runs a job there that uses it.
func TestTransferKept(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	c.ran(c.training("model", names...))
	want := c.scores("model")
	c.ran(c.training("later", names...))
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	if err := ExportKept(c.config("alice", names), "model", new(bytes.Buffer), key.Recipient()); err == nil {
		t.Error("a node that runs exports")
	}
	exports, later := map[string][]byte{}, map[string][]byte{}
	for name, k := range c.stopped(names...) {
		var b, l bytes.Buffer
		if err := ExportKept(k, "model", &b, key.Recipient()); err != nil {
			t.Fatal(err)
		}
		if err := ExportKept(k, "later", &l, key.Recipient()); err != nil {
			t.Fatal(err)
		}
		exports[name], later[name] = b.Bytes(), l.Bytes()
		if bytes.Contains(b.Bytes(), []byte("semi2k")) {
			t.Error("an export is readable")
		}
		if events := c.events(name); !slices.Contains(events, "exported") {
			t.Errorf("%s's audit log has %q", name, events)
		}
		if err := ExportKept(k, "other", new(bytes.Buffer), key.Recipient()); err == nil || !strings.Contains(err.Error(), `keeps no results named "other"`) {
			t.Errorf("what is not kept: %v", err)
		}
	}
	moved := newCluster(t, names...)
	defer moved.stop()
	stranger, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	configs := moved.stopped(names...)
	for name, k := range configs {
		for range 2 { // the second one changes nothing
			if got, err := ImportKept(k, bytes.NewReader(exports[name]), "", false, key); err != nil || got != "model" {
				t.Fatal(got, err)
			}
		}
		if n := strings.Count(strings.Join(moved.events(name), " "), "imported"); n != 1 {
			t.Errorf("%s's audit log has %d imports", name, n)
		}
		other := names[0]
		if name == other {
			other = names[1]
		}
		damaged := slices.Clone(exports[name])
		damaged[len(damaged)-1] ^= 1
		for why, err := range map[string]error{
			"cannot be decrypted": second(ImportKept(k, bytes.NewReader(exports[name]), "", false, stranger)),
			"damaged or cut":      second(ImportKept(k, bytes.NewReader(damaged), "", false, key)),
			"is damaged":          second(ImportKept(k, bytes.NewReader(exports[name][:len(exports[name])-1]), "", false, key)),
			"of party":            second(ImportKept(k, bytes.NewReader(exports[other]), "", false, key)),
			"other results named": second(ImportKept(k, bytes.NewReader(later[name]), "model", false, key)),
			"name":                second(ImportKept(k, bytes.NewReader(exports[name]), "../x", false, key)),
		} {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%v, want %q", err, why)
			}
		}
	}
	for _, name := range names {
		moved.start(name, names, nil)
	}
	got := moved.scores("model")
	for i := range want {
		if d := got[i] - want[i]; d > 1e-3 || d < -1e-3 {
			t.Errorf("scores %v, want %v", got, want)
		}
	}
	// shares of another run at one party
	moved.stops["bob"]()
	if _, err := ImportKept(configs["bob"], bytes.NewReader(later["bob"]), "model", true, key); err != nil {
		t.Fatal(err)
	}
	moved.start("bob", names, nil)
	s := moved.inference("model", names...)
	if err := moved.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := moved.wait(s.ID, "alice"); j.Error == "" || !j.State.Final() {
		t.Errorf("shares of different runs: %s (%s)", j.State, j.Error)
	}
}

func second[T any](_ T, err error) error { return err }
