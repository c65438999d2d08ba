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

// issued creates a CA in a folder and an identity of each name.
func issued(t *testing.T, names ...string) (string, []*Identity) {
	t.Helper()
	dir := t.TempDir()
	if err := Init(dir, Options{}); err != nil {
		t.Fatal(err)
	}
	var out []*Identity
	for _, name := range names {
		out = append(out, issue(t, dir, name, Options{}))
	}
	return dir, out
}

// issue returns an identity without Load, which would refuse some.
func issue(t *testing.T, dir, name string, terms Options) *Identity {
	t.Helper()
	f, err := Issue(dir, name, terms)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := Read(f.Cert)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := loadKeyPair(f, chain)
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := loadTrust(f)
	if err != nil {
		t.Fatal(err)
	}
	return newIdentity(&state{Peer{name, ""}, cert, trusted})
}

func TestIssued(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "certs")
	if err := Init(dir, Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := Issue(dir, "alice", Options{}, "alice.example.org", "10.0.0.1", "::1", "alice")
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
	leaf := id.current().cert.Leaf
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
	if all := id.Expiries(); len(all) != 2 || !all[0].Expires.Equal(leaf.NotAfter) || !all[1].CA {
		t.Errorf("expires %v", all)
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

// Certificates of two CAs, and two certificates of one name, are told apart.
func TestIssuedTwice(t *testing.T) {
	dir, _ := issued(t, "alice")
	first, err := os.ReadFile(filepath.Join(dir, "alice.key"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Issue(dir, "alice", Options{}); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "alice.key exists already") {
		t.Errorf("issued again: %v", err)
	}
	if err := Init(dir, Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second CA: %v", err)
	}
	// if one file cannot be written, the other is removed
	if err := os.Remove(filepath.Join(dir, "alice.key")); err != nil {
		t.Fatal(err)
	}
	if _, err := Issue(dir, "alice", Options{}); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "alice.crt exists already") {
		t.Errorf("issued beside a certificate: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "alice.key")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key was left: %v", err)
	}
	f, err := Issue(dir, "alice", Options{Force: true})
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
	if err := Init(dir, Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(f); err == nil || !strings.Contains(err.Error(), "a CA that is not trusted here") {
		t.Errorf("of the CA before: %v", err)
	}
}

func TestNotIssued(t *testing.T) {
	dir, _ := issued(t, "alice")
	short := t.TempDir()
	if err := Init(short, Options{Valid: 30 * day}); err != nil {
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
		terms           Options
		want            string
	}{
		{dir, "", "", Options{}, `"" is not a valid certificate name`},
		{dir, "a b", "", Options{}, `"a b" is not a valid certificate name`},
		{dir, "../bob", "", Options{}, `"../bob" is not a valid certificate name`},
		{dir, "a..b", "", Options{}, `is not a valid certificate name`},
		{dir, "bob.", "", Options{}, `is not a valid certificate name`},
		{dir, "10.0.0.1", "", Options{}, "no address"},
		{dir, strings.Repeat("a", 64), "", Options{}, "at most 63"},
		{dir, "ca", "", Options{}, "ca.crt is the CA's own certificate"},
		{dir, "bob", "*.org", Options{}, `"*.org" is not a valid certificate name`},
		{dir, "bob", "", Options{Valid: -1}, "want at most a hundred years"},
		{dir, "bob", "", Options{Valid: 20 * Year}, "valid for at most 3651 days"},
		{short, "bob", "", Options{}, "valid for at most 29 days"},
		{short, "bob", "", Options{From: time.Now().Add(40 * day)}, "valid for at most 0 days"},
		{t.TempDir(), "bob", "", Options{}, "tacet cert init creates one"},
		{leafAsCA, "bob", "", Options{}, `the certificate of "alice" is not a CA certificate`},
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
	if _, err := Issue(short, "bob", Options{Valid: 30*day - time.Minute}); err != nil {
		t.Error(err)
	}
}
