package pki

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// organisation creates the CA of the clinic in a folder.
func organisation(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := Init(dir, Options{Organisation: "clinic", Names: []string{"bob", "bob-*"}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestRequestAndSign makes a key at one place and signs its certificate at another.
func TestRequestAndSign(t *testing.T) {
	ca, own := organisation(t), filepath.Join(t.TempDir(), "new")
	r, f, err := NewRequest(own, "bob", false, false, "bob.example.org", "10.0.0.7", "bob")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.Key); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	text, err := os.ReadFile(f.Request)
	if err != nil || bytes.Contains(text, []byte("PRIVATE")) {
		t.Errorf("%s, %v", text, err)
	}
	read, err := ReadRequest(f.Request)
	if err != nil || read.Name != "bob" || read.Fingerprint != r.Fingerprint || strings.Join(read.Hosts,
		" ") != "bob.example.org 10.0.0.7" {
		t.Fatalf("%+v, %v", read, err)
	}
	crt := filepath.Join(own, "bob.crt")
	for _, hosts := range [][]string{nil, {"10.0.0.7"}} {
		if err := Sign(ca, read, crt, Options{}, hosts...); err == nil || !strings.Contains(err.Error(),
			"asks for the further host bob.example.org, which was not given (--host bob.example.org") {
			t.Errorf("hosts %q: %v", hosts, err)
		}
	}
	if err := Sign(ca, read, crt, Options{}, "10.0.0.7", "bob.example.org"); err != nil {
		t.Fatal(err)
	}
	id, err := Load(Files{Cert: crt, Key: f.Key, Organisations: []Organisation{{Name: "clinic", File: filepath.Join(ca, caFile),
		Names: []string{"bob"}}}})
	if err != nil {
		t.Fatal(err)
	}
	leaf := id.current().cert.Leaf
	if id.String() != "bob@clinic" || KeyFingerprint(leaf) != r.Fingerprint || leaf.Subject.Organization[0] != "clinic" ||
		len(leaf.DNSNames) != 2 || len(leaf.IPAddresses) != 1 || leaf.IsCA {
		t.Errorf("%s: %+v", id, leaf)
	}

	// existing files stay
	if err := Sign(ca, read, crt, Options{}, read.Hosts...); !errors.Is(err, fs.ErrExist) {
		t.Errorf("signed again: %v", err)
	}
	if _, _, err := NewRequest(own, "bob", false, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("requested again: %v", err)
	}

	// renewed: the same key, a new certificate
	renewed, _, err := NewRequest(own, "bob", true, false)
	if err != nil || renewed.Fingerprint != r.Fingerprint {
		t.Fatalf("%+v, %v", renewed, err)
	}
	if err := Sign(ca, renewed, crt, Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if err := id.Reload(Files{Cert: crt, Key: f.Key, CA: filepath.Join(ca, caFile)}); err != nil ||
		KeyFingerprint(id.current().cert.Leaf) != r.Fingerprint || id.current().cert.Leaf.Equal(leaf) {
		t.Errorf("renewed: %v", err)
	}
	if _, _, err := NewRequest(own, "carol", true, false); err == nil || !strings.Contains(err.Error(), "without --renew") {
		t.Errorf("no key: %v", err)
	}
}

// TestNotRequested checks what NewRequest, Init and Sign refuse.
func TestNotRequested(t *testing.T) {
	ca, dir := organisation(t), t.TempDir()
	for name, want := range map[string]string{"ca": "is the key of a CA", "../x": "not a valid certificate name",
		"": "not a valid certificate name"} {
		if _, _, err := NewRequest(dir, name, false, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, _, err := NewRequest(dir, "bob", false, false, "*.org"); err == nil || !strings.Contains(err.Error(),
		`the host "*.org" is not a valid name`) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("files were left: %v, %v", entries, err)
	}
	alice, _, err := NewRequest(dir, "alice", false, false)
	if err != nil {
		t.Fatal(err)
	}
	crt := filepath.Join(dir, "alice.crt")
	if err := Sign(ca, alice, crt, Options{}); err == nil || !strings.Contains(err.Error(),
		"of clinic may issue bob, bob-*, but not alice") {
		t.Errorf("a foreign name: %v", err)
	}
	if _, err := Issue(ca, "alice", Options{}); err == nil || !strings.Contains(err.Error(), "but not alice") {
		t.Errorf("a foreign name is issued: %v", err)
	}
	if err := os.Remove(filepath.Join(ca, caNames)); err != nil {
		t.Fatal(err)
	}
	if err := Sign(ca, alice, crt, Options{}); err == nil || !strings.Contains(err.Error(), "ca.yaml is missing") {
		t.Errorf("the list of names was removed: %v", err)
	}
	if _, err := os.Stat(crt); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a certificate was written: %v", err)
	}
	for _, o := range []Options{{Names: []string{"a"}}, {Organisation: "a b", Names: []string{"a"}}, {Organisation: "clinic"},
		{Organisation: "clinic", Names: []string{"a**"}}} {
		if err := Init(t.TempDir(), o); err == nil {
			t.Errorf("%+v: a CA", o)
		}
	}
}

// request returns a request in PEM.
func request(t testing.TB, c x509.CertificateRequest, key crypto.Signer) []byte {
	t.Helper()
	raw, err := x509.CreateCertificateRequest(rand.Reader, &c, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: requestType, Bytes: raw})
}

func rsaKey(t testing.TB, bits int) crypto.Signer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func ecKey(t testing.TB, c elliptic.Curve) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestParseRequest(t *testing.T) {
	p256 := ecKey(t, elliptic.P256())
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	named := func(name string, hosts ...string) x509.CertificateRequest {
		return x509.CertificateRequest{Subject: pkix.Name{CommonName: name}, DNSNames: hosts}
	}
	good := request(t, named("bob", "bob"), p256)
	for name, key := range map[string]crypto.Signer{"P-256": p256, "P-384": ecKey(t, elliptic.P384()), "Ed25519": ed,
		"RSA": rsaKey(t, 2048)} {
		if r, err := ParseRequest("x.csr", request(t, named("bob"), key)); err != nil || r.Name != "bob" || r.Hosts != nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	block, _ := pem.Decode(good)
	changed := bytes.Replace(block.Bytes, []byte("bob"), []byte("eve"), -1)
	many := named("bob")
	for i := range maxHosts + 2 {
		many.IPAddresses = append(many.IPAddresses, net.IPv4(10, 0, 0, byte(i)))
	}
	for _, c := range []struct {
		name string
		text []byte
		want string
	}{
		{"empty", nil, "contains no PEM certificate request"},
		{"text", []byte("hello"), "contains no PEM certificate request"},
		{"text after it", append(bytes.Clone(good), "hello"...), "other data after"},
		{"two", append(bytes.Clone(good), good...), "other data after"},
		{"oversized", append(bytes.Clone(good), bytes.Repeat([]byte("\n"), maxRequest)...), "longer than 65536 bytes"},
		{"a certificate", []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), `contains a "CERTIFICATE" instead`},
		{"broken", []byte("-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"), "x.csr: asn1"},
		{"a bad signature", pem.EncodeToMemory(&pem.Block{Type: requestType, Bytes: changed}),
			"the request is not signed with the key that it names"},
		{"a weak RSA key", request(t, named("bob"), rsaKey(t, 1024)), "an RSA key of 1024 bits; 2048 to 8192 are accepted"},
		{"a weak ECDSA key", request(t, named("bob"), ecKey(t, elliptic.P224())), "an ECDSA key of 224 bits"},
		{"no name", request(t, named(""), p256), `the CommonName "" is not a valid`},
		{"an escape sequence", request(t, named("bob\x1b[2J"), p256), `the CommonName "bob\x1b[2J" is not a valid`},
		{"a wildcard", request(t, named("bob", "*.org"), p256), `the host "*.org" is not a valid name`},
		{"many hosts", request(t, many, p256), "18 hosts; at most 16 are accepted"},
	} {
		if r, err := ParseRequest("x.csr", c.text); err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "pki: x.csr: ") {
			t.Errorf("%s: %+v, %v, want %s", c.name, r, err, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "long.csr")
	if err := os.WriteFile(path, bytes.Repeat([]byte{'a'}, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRequest(path); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error(err)
	}
}

// FuzzParseRequest checks that no text makes ParseRequest panic, and that what it accepts can be signed
// and is signed for the name and the key of the request.
func FuzzParseRequest(f *testing.F) {
	key := ecKey(f, elliptic.P256())
	for _, c := range []x509.CertificateRequest{
		{Subject: pkix.Name{CommonName: "bob"}, DNSNames: []string{"bob", "bob.example.org"}, IPAddresses: []net.IP{net.IPv6loopback}},
		{Subject: pkix.Name{CommonName: "bob", Organization: []string{"clinic"}}, EmailAddresses: []string{"a@b"}},
	} {
		text := request(f, c, key)
		f.Add(text)
		block, _ := pem.Decode(text)
		f.Add(block.Bytes)
	}
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	f.Add(request(f, x509.CertificateRequest{Subject: pkix.Name{CommonName: "carol"}}, ed))
	f.Add([]byte("-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"))
	dir := f.TempDir()
	if err := Init(dir, Options{}); err != nil {
		f.Fatal(err)
	}
	ca, err := loadCA(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !bytes.HasPrefix(text, []byte("-----")) { // DER, which mutations change more deeply
			text = pem.EncodeToMemory(&pem.Block{Type: requestType, Bytes: text})
		}
		r, err := ParseRequest("x.csr", text)
		if err != nil {
			if r != nil || strings.Contains(err.Error(), "\x1b") {
				t.Fatalf("%+v, %q", r, err)
			}
			return
		}
		c, err := ca.template(r.Name, Options{}, r.Hosts)
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		crt, err := certify("x.crt", c, ca.cert, r.csr.PublicKey, ca.signer)
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		block, _ := pem.Decode(crt.data)
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil || nameOf(leaf) != r.Name || KeyFingerprint(leaf) != r.Fingerprint || leaf.IsCA {
			t.Fatalf("%+v: %+v, %v", r, leaf, err)
		}
	})
}

// FuzzRequestNames checks that whoever holds a key cannot have a name or a host signed that is not a
// plain name, whatever the request says.
func FuzzRequestNames(f *testing.F) {
	key := ecKey(f, elliptic.P256())
	for _, s := range [][3]string{{"bob", "bob", "clinic"}, {"bob", "10.0.0.1", ""}, {"a..b", "*.org", "x"}, {"bob@clinic",
		"bob\x1b[2J", "\n"}, {"10.0.0.1", "", "clinic"}} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, name, host, organisation string) {
		c := x509.CertificateRequest{Subject: pkix.Name{CommonName: name, Organization: []string{organisation}},
			DNSNames: []string{name, host}}
		raw, err := x509.CreateCertificateRequest(rand.Reader, &c, key)
		if err != nil {
			return // not ASCII
		}
		r, err := ParseRequest("x.csr", pem.EncodeToMemory(&pem.Block{Type: requestType, Bytes: raw}))
		switch {
		case err != nil && strings.ContainsAny(err.Error(), "\n\x1b"):
			t.Fatalf("%q", err)
		case (err == nil) != (CheckName(name) == nil && CheckName(host) == nil):
			t.Fatalf("%q, %q: %v", name, host, err)
		case err == nil && (r.Name != name || (len(r.Hosts) == 1) != (host != name)):
			t.Fatalf("%q, %q: %+v", name, host, r)
		}
	})
}

// FuzzParseCertificates checks that no text makes the reading of certificates, and the decision about
// them, panic, and that no certificate which the CA has not signed is accepted.
func FuzzParseCertificates(f *testing.F) {
	dir := f.TempDir()
	if err := Init(dir, Options{}); err != nil {
		f.Fatal(err)
	}
	files, err := Issue(dir, "alice", Options{})
	if err != nil {
		f.Fatal(err)
	}
	trusted, err := loadTrust(Files{Organisations: []Organisation{{Name: "hospital", File: files.CA, Names: []string{"alice", "bob"}}}})
	if err != nil {
		f.Fatal(err)
	}
	own, err := Read(files.Cert)
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range []string{files.Cert, files.CA, files.Key} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		block, _ := pem.Decode(text)
		f.Add(block.Bytes)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !bytes.HasPrefix(text, []byte("-----")) {
			text = pem.EncodeToMemory(&pem.Block{Type: certificateType, Bytes: text})
		}
		certs, err := parseCertificates("x.crt", text)
		if err != nil {
			return
		}
		p, err := trusted.verify(certs, x509.ExtKeyUsageClientAuth, own[0].NotBefore.Add(day))
		if err == nil && (p != Peer{"alice", "hospital"} || !bytes.Equal(certs[0].Raw, own[0].Raw)) {
			t.Fatalf("%s is accepted for %+v", p, certs[0].Subject)
		}
		if refused := (*RefusedError)(nil); err != nil && !errors.As(err, &refused) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}
