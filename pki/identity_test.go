package pki

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Load refuses what peers would refuse, with the file's name.
func TestLoadRefuses(t *testing.T) {
	dir, _ := issued(t, "alice", "bob")
	other, _ := issued(t, "alice")
	old := issueTo(t, dir, "old", Options{From: time.Now().Add(-2 * day), Valid: day})
	early := issueTo(t, dir, "early", Options{From: time.Now().Add(day), Valid: day})
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) string {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	text := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	files := func(cert, key, ca string) Files { return Files{Cert: cert, Key: key, CA: ca} }
	alice := files(at("alice.crt"), at("alice.key"), at("ca.crt"))
	open := put("open.key", text(at("alice.key")))
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files Files
		want  string
	}{
		"no certificate":      {files(at("none.crt"), alice.Key, alice.CA), "none.crt: no such file"},
		"no key":              {files(alice.Cert, at("none.key"), alice.CA), "none.key: no such file"},
		"no CA":               {files(alice.Cert, alice.Key, at("none.crt")), "none.crt: no such file"},
		"a folder":            {files(dir, alice.Key, alice.CA), "is a directory"},
		"an empty file":       {files(put("empty.crt", ""), alice.Key, alice.CA), "empty.crt: contains no PEM certificate"},
		"text":                {files(put("text.crt", "hello"), alice.Key, alice.CA), "text.crt: contains no PEM certificate"},
		"text after it":       {files(put("more.crt", text(alice.Cert)+"hello"), alice.Key, alice.CA), "more.crt: other data after 1 certificates"},
		"a broken one":        {files(put("broken.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), alice.Key, alice.CA), "broken.crt: x509: "},
		"a long one":          {files(put("long.crt", strings.Repeat("a", maxFile+1)), alice.Key, alice.CA), "long.crt: longer than"},
		"a key for it":        {files(alice.Key, alice.Key, alice.CA), "alice.key: contains a private key"},
		"parameters for it":   {files(put("ec.crt", "-----BEGIN EC PARAMETERS-----\nAAAA\n-----END EC PARAMETERS-----\n"), alice.Key, alice.CA), `contains a "EC PARAMETERS"`},
		"it for the key":      {files(alice.Cert, put("cert.key", text(alice.Cert)), alice.CA), "cert.key: not the private key of"},
		"another's key":       {files(alice.Cert, at("bob.key"), alice.CA), "bob.key: not the private key of " + alice.Cert},
		"another CA":          {files(alice.Cert, alice.Key, filepath.Join(other, "ca.crt")), `alice.crt: the certificate of "alice" is signed by "tacet CA `},
		"a leaf for the CA":   {files(alice.Cert, alice.Key, at("bob.crt")), `bob.crt: the certificate of "bob" is not a CA certificate`},
		"an expired one":      {old, `old.crt: the certificate of "old" expired at `},
		"one of the future":   {early, `early.crt: the certificate of "early" is not valid before `},
		"a CA's own":          {files(at("ca.crt"), at("ca.key"), alice.CA), "ca.crt: a certificate's CommonName must be one of its DNS names"},
		"a key for everybody": {files(alice.Cert, open, alice.CA), "chmod 600"},
	} {
		if name == "a key for everybody" && runtime.GOOS == "windows" {
			continue
		}
		id, err := Load(c.files)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "pki: ") {
			t.Errorf("%s: %v, %v, want %s", name, id, err, c.want)
		}
	}
	if _, err := Load(alice); err != nil {
		t.Error(err)
	}
}

func issueTo(t *testing.T, dir, name string, terms Options) Files {
	t.Helper()
	f, err := Issue(dir, name, terms)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// own is an external CA: a root, an intermediate CA, and leaf certificates of the latter.
type own struct {
	t         *testing.T
	dir       string
	root, sub *x509.Certificate
	key       ed25519.PrivateKey // of the intermediate CA
}

func newOwn(t *testing.T) *own {
	o := &own{t: t, dir: t.TempDir()}
	ca := func(name string) *x509.Certificate {
		c, err := newTemplate(time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		c.Subject = pkix.Name{CommonName: name, Organization: []string{"Example"}}
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
		return c
	}
	_, rootKey, _ := ed25519.GenerateKey(rand.Reader)
	root := ca("root")
	o.root = o.sign(root, root, rootKey.Public(), rootKey)
	_, o.key, _ = ed25519.GenerateKey(rand.Reader)
	o.sub = o.sign(ca("issuing"), o.root, o.key.Public(), rootKey)
	return o
}

func (o *own) sign(c, parent *x509.Certificate, public, signer any) *x509.Certificate {
	o.t.Helper()
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, public, signer)
	if err != nil {
		o.t.Fatal(err)
	}
	out, err := x509.ParseCertificate(raw)
	if err != nil {
		o.t.Fatal(err)
	}
	return out
}

// leaf issues a certificate, with the chain up to the root.
func (o *own) leaf(c x509.Certificate) Files {
	o.t.Helper()
	b, err := newTemplate(time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	if err != nil {
		o.t.Fatal(err)
	}
	c.SerialNumber, c.NotBefore, c.NotAfter = b.SerialNumber, b.NotBefore, b.NotAfter
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		o.t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key) // as openssl ecparam -genkey does
	if err != nil {
		o.t.Fatal(err)
	}
	put := func(name string, blocks ...*pem.Block) string {
		var text []byte
		for _, b := range blocks {
			text = append(text, pem.EncodeToMemory(b)...)
		}
		path := filepath.Join(o.dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			o.t.Fatal(err)
		}
		return path
	}
	leaf := o.sign(&c, o.sub, key.Public(), o.key)
	return Files{
		Cert: put("leaf.crt", &pem.Block{Type: certificateType, Bytes: leaf.Raw}, &pem.Block{Type: certificateType, Bytes: o.sub.Raw}),
		Key:  put("leaf.key", &pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}),
		CA:   put("roots.crt", &pem.Block{Type: certificateType, Bytes: o.root.Raw}),
	}
}

func TestOwnCA(t *testing.T) {
	o := newOwn(t)
	both := []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	for _, c := range []struct {
		name string
		leaf x509.Certificate
		want string // "": accepted
	}{
		{"as it should be", x509.Certificate{Subject: pkix.Name{CommonName: "alice"}, DNSNames: []string{"db.example.org", "alice"}, ExtKeyUsage: both}, ""},
		{"of unlimited use", x509.Certificate{Subject: pkix.Name{CommonName: "alice"}, DNSNames: []string{"alice"}}, ""},
		{"for servers only", x509.Certificate{Subject: pkix.Name{CommonName: "alice"}, DNSNames: []string{"alice"}, ExtKeyUsage: both[1:]}, "not for clients"},
		{"for clients only", x509.Certificate{Subject: pkix.Name{CommonName: "alice"}, DNSNames: []string{"alice"}, ExtKeyUsage: both[:1]}, "not for servers"},
		{"no DNS name", x509.Certificate{Subject: pkix.Name{CommonName: "alice"}, ExtKeyUsage: both}, `the CommonName is "alice", the DNS names are []`},
		{"no CommonName", x509.Certificate{DNSNames: []string{"alice"}, ExtKeyUsage: both}, `the CommonName is "", the DNS names are ["alice"]`},
		{"names that differ", x509.Certificate{Subject: pkix.Name{CommonName: "bob"}, DNSNames: []string{"alice"}, ExtKeyUsage: both}, `the CommonName is "bob"`},
		{"a wildcard", x509.Certificate{Subject: pkix.Name{CommonName: "*.example.org"}, DNSNames: []string{"*.example.org"}, ExtKeyUsage: both}, `the CommonName is "*.example.org"`},
	} {
		id, err := Load(o.leaf(c.leaf))
		switch {
		case c.want == "" && (err != nil || id.Name() != "alice"):
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
