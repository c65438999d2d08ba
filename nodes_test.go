package tacet_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/pki"
)

// TestNodeErrors checks that every error of a Cluster's functions has the kind that its documentation
// states, and a message that names the place.
func TestNodeErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := pki.Init(dir, pki.Options{}); err != nil {
		t.Fatal(err)
	}
	me, err := pki.Issue(dir, "me", pki.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	tls := "tls: {cert: " + me.Cert + ", key: " + me.Key + ", ca: " + me.CA + "}\n"
	connect := func(path string) *tacet.Cluster {
		t.Helper()
		c, err := tacet.Connect(path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	nobody := connect(write("nobody.yaml", tls+"nodes: {alice: '"+closed+"', bob: '"+closed+"'}\n"))
	keyless := connect(write("keyless.yaml", "tls: {cert: none.crt, key: none.key, ca: none.crt}\nnodes: {alice: '"+closed+"'}\n"))
	write("score.mlir", score)
	j, err := tacet.LoadJob(write("job.yaml", "program: score.mlir\nparties: [alice, bob]\n"+
		"inputs: [{owner: alice, file: x.csv, arg: 0}, {owner: bob, file: w.csv, arg: 1}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	lost, err := tacet.LoadJob(write("lost.yaml", "program: none.mlir\nparties: [alice, bob]\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for what, c := range map[string]struct {
		call func() error
		kind tacet.Kind
		says string
	}{
		"no cluster file":   {func() error { _, err := tacet.Connect(filepath.Join(dir, "none.yaml")); return err }, tacet.ErrUsage, "none.yaml"},
		"a wrong file":      {func() error { _, err := tacet.Connect(write("bad.yaml", tls+"ports: 3")); return err }, tacet.ErrUsage, "bad.yaml:2"},
		"no certificate":    {func() error { _, err := keyless.Clients(); return err }, tacet.ErrUsage, "none.crt"},
		"an unknown node":   {func() error { _, err := nobody.Clients("carol"); return err }, tacet.ErrUsage, "carol"},
		"no program":        {func() error { _, err := tacet.Submit(ctx, nobody, lost, tacet.SubmitOptions{}); return err }, tacet.ErrUsage, "none.mlir"},
		"nobody is there":   {func() error { _, err := tacet.Submit(ctx, nobody, j, tacet.SubmitOptions{}); return err }, tacet.ErrPeerLost, "alice"},
		"nobody to serve":   {func() error { _, err := nobody.Serve(ctx, j, tacet.ServeOptions{}); return err }, tacet.ErrPeerLost, "alice"},
		"nobody to ask":     {func() error { _, _, err := nobody.Find(ctx, ""); return err }, tacet.ErrPeerLost, "alice"},
		"nobody to approve": {func() error { _, err := nobody.Approve(ctx, "3f", "alice"); return err }, tacet.ErrPeerLost, "alice"},
		"nobody to cancel":  {func() error { return nobody.Cancel(ctx, "3f", "alice") }, tacet.ErrPeerLost, "alice"},
		"nothing to fetch":  {func() error { _, _, err := nobody.Fetch(ctx, "3f", "alice"); return err }, tacet.ErrPeerLost, "alice"},
		"not a service": {func() error {
			_, _, _, err := nobody.Request(ctx, tacet.JobStatus{ID: "3f"})
			return err
		}, tacet.ErrUsage, "3f is not a service"},
		"a stranger's input": {func() error {
			_, _, _, err := nobody.Request(ctx, tacet.JobStatus{ID: "3f", Serve: true, Parties: []string{"alice", "bob"}}, tacet.RequestInput{Owner: "carol"})
			return err
		}, tacet.ErrUsage, `input owner "carol" is not a party of service 3f`},
		"nobody answers": {func() error {
			_, _, _, err := nobody.Request(ctx, tacet.JobStatus{ID: "3f", Serve: true, Parties: []string{"alice", "bob"}})
			return err
		}, tacet.ErrPeerLost, "alice"},
	} {
		t.Run(what, func(t *testing.T) {
			err := c.call()
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v of kind %q; want %q of kind %q", err, tacet.Describe(err).Kind, c.says, c.kind)
			}
		})
	}
}
