package pki

import (
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// issued makes a CA in a folder and an identity of each name.
func issued(t *testing.T, names ...string) (string, []*Identity) {
	t.Helper()
	dir := t.TempDir()
	if err := Init(dir, Terms{}); err != nil {
		t.Fatal(err)
	}
	var out []*Identity
	for _, name := range names {
		out = append(out, issue(t, dir, name, Terms{}))
	}
	return dir, out
}

// issue makes an identity; not through Load, which refuses some.
func issue(t *testing.T, dir, name string, terms Terms) *Identity {
	t.Helper()
	f, err := Issue(dir, name, terms)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := Read(f.Cert)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := pair(f, chain)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	trusted, err := Read(f.CA)
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(trusted[0])
	return &Identity{name, cert, roots}
}

func TestIssued(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "certs")
	if err := Init(dir, Terms{}); err != nil {
		t.Fatal(err)
	}
	f, err := Issue(dir, "alice", Terms{}, "alice.example.org", "10.0.0.1", "::1", "alice")
	if err != nil {
		t.Fatal(err)
	}
	id, err := Load(f)
	if err != nil {
		t.Fatal(err)
	}
	if id.Name() != "alice" {
		t.Errorf("name %q", id.Name())
	}
	ca, err := Read(filepath.Join(dir, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	leaf := id.cert.Leaf
	if !ca[0].IsCA || ca[0].MaxPathLen != 0 || !ca[0].MaxPathLenZero || leaf.IsCA {
		t.Errorf("the CA: %v, path length %d, %v; the leaf: %v", ca[0].IsCA, ca[0].MaxPathLen, ca[0].MaxPathLenZero, leaf.IsCA)
	}
	for _, c := range []struct {
		cert  *x509.Certificate
		valid time.Duration
	}{{leaf, Year}, {ca[0], Decade}} {
		now := time.Now()
		if c.cert.NotBefore.After(now.Add(-5*time.Minute)) || c.cert.NotBefore.Before(now.Add(-time.Hour)) {
			t.Errorf("%v: valid from %v, want some minutes before %v", c.cert.Subject, c.cert.NotBefore, now)
		}
		if got := c.cert.NotAfter.Sub(c.cert.NotBefore); got != c.valid {
			t.Errorf("%v: valid for %v, want %v", c.cert.Subject, got, c.valid)
		}
	}
	if !id.Expires().Equal(leaf.NotAfter) {
		t.Errorf("expires %v", id.Expires())
	}
	for _, host := range []string{"alice", "alice.example.org", "10.0.0.1", "::1"} {
		if err := leaf.VerifyHostname(host); err != nil {
			t.Error(err)
		}
	}
	if len(leaf.DNSNames) != 2 || leaf.VerifyHostname("bob") == nil {
		t.Errorf("DNS names %q", leaf.DNSNames)
	}
	for _, name := range []string{"ca.key", "alice.key"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v", name, info.Mode())
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Errorf("%d files, want 4: %v, %v", len(entries), entries, err)
	}
}

// Two CAs never pass for one another, nor do two certificates of a name.
func TestIssuedTwice(t *testing.T) {
	dir, _ := issued(t, "alice")
	first, err := os.ReadFile(filepath.Join(dir, "alice.key"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Issue(dir, "alice", Terms{}); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "alice.key is there already") {
		t.Errorf("issued again: %v", err)
	}
	if err := Init(dir, Terms{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second CA: %v", err)
	}
	// A file that cannot be written leaves none.
	if err := os.Remove(filepath.Join(dir, "alice.key")); err != nil {
		t.Fatal(err)
	}
	if _, err := Issue(dir, "alice", Terms{}); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "alice.crt is there already") {
		t.Errorf("issued beside a certificate: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "alice.key")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key was left: %v", err)
	}
	f, err := Issue(dir, "alice", Terms{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(f.Key)
	if err != nil || string(first) == string(second) {
		t.Errorf("the same key, or %v", err)
	}
	if _, err := Load(f); err != nil {
		t.Error(err)
	}
	if err := Init(dir, Terms{Force: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(f); err == nil || !strings.Contains(err.Error(), "no CA that is trusted here") {
		t.Errorf("of the CA before: %v", err)
	}
}

func TestNotIssued(t *testing.T) {
	dir, _ := issued(t, "alice")
	short := t.TempDir()
	if err := Init(short, Terms{Valid: 30 * day}); err != nil {
		t.Fatal(err)
	}
	leafAsCA := t.TempDir()
	for from, to := range map[string]string{"alice.crt": "ca.crt", "alice.key": "ca.key"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(leafAsCA, to)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir, name, host string
		terms           Terms
		want            string
	}{
		{dir, "", "", Terms{}, `"" is no name`},
		{dir, "a b", "", Terms{}, `"a b" is no name`},
		{dir, "../bob", "", Terms{}, `"../bob" is no name`},
		{dir, "a..b", "", Terms{}, `is no name`},
		{dir, "bob.", "", Terms{}, `is no name`},
		{dir, "10.0.0.1", "", Terms{}, "no address"},
		{dir, strings.Repeat("a", 64), "", Terms{}, "63 at most"},
		{dir, "ca", "", Terms{}, "ca.crt is the CA's own file"},
		{dir, "bob", "*.org", Terms{}, `"*.org" is no name`},
		{dir, "bob", "", Terms{Valid: -1}, "want a time of up to a hundred years"},
		{dir, "bob", "", Terms{Valid: 20 * Year}, "valid for 3651 days at most"},
		{short, "bob", "", Terms{}, "valid for 29 days at most"},
		{short, "bob", "", Terms{From: time.Now().Add(40 * day)}, "valid for 0 days at most"},
		{t.TempDir(), "bob", "", Terms{}, "tacet cert init makes one"},
		{leafAsCA, "bob", "", Terms{}, `the certificate of "alice" is no CA's`},
	} {
		var hosts []string
		if c.host != "" {
			hosts = append(hosts, c.host)
		}
		if _, err := Issue(c.dir, c.name, c.terms, hosts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %+v: %v, want %s", c.name, c.terms, err, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "bob.key")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key was left: %v", err)
	}
	if _, err := Issue(short, "bob", Terms{Valid: 30*day - time.Minute}); err != nil {
		t.Error(err)
	}
}
