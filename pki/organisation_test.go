package pki

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// world is two organisations, the CA of a stranger, and who is trusted to issue which names.
type world struct {
	t                          *testing.T
	hospital, clinic, stranger string // folders of CAs
	trusted                    []Organisation
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, hospital: t.TempDir(), clinic: t.TempDir(), stranger: t.TempDir()}
	for _, dir := range []string{w.hospital, w.clinic, w.stranger} { // CAs that would issue any name
		if err := Init(dir, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	w.trusted = []Organisation{
		{Name: "hospital", File: filepath.Join(w.hospital, caFile), Names: []string{"alice", "alice-*"}},
		{Name: "clinic", File: filepath.Join(w.clinic, caFile), Names: []string{"bob", "carol"}},
	}
	return w
}

// of returns an identity that the CA of a folder issued, whether or not peers accept it.
func (w *world) of(dir, name string, o Options) *Identity {
	w.t.Helper()
	o.Force = true
	id := issue(w.t, dir, name, o)
	trusted, err := loadTrust(Files{Organisations: w.trusted})
	if err != nil {
		w.t.Fatal(err)
	}
	return newIdentity(&state{Peer{name, ""}, id.current().cert, trusted})
}

// usedFor returns an identity of the CA of a folder whose certificate is for these uses only.
func (w *world) usedFor(dir, name string, uses ...x509.ExtKeyUsage) *Identity {
	w.t.Helper()
	id := w.of(dir, name, Options{})
	ca, err := loadCA(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	c := *id.current().cert.Leaf
	c.ExtKeyUsage = uses
	raw, err := x509.CreateCertificate(nil, &c, ca.cert, c.PublicKey, ca.signer)
	if err != nil {
		w.t.Fatal(err)
	}
	s := *id.current()
	s.cert.Certificate = [][]byte{raw}
	if s.cert.Leaf, err = x509.ParseCertificate(raw); err != nil {
		w.t.Fatal(err)
	}
	return newIdentity(&s)
}

// meet lets a client dial a server by a name. It returns the caller that the server accepted, and why
// each side refused the other.
func meet(t *testing.T, server, client *Identity, name string) (caller Caller, there, here error) {
	t.Helper()
	refused := make(chan error, 1)
	l, err := Listen("127.0.0.1:0", server, func(_ string, err error) { refused <- err }, proto)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan Caller, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			accepted <- c
		}
	}()
	c, here := Dial(t.Context(), client, name, l.Address(), proto)
	read := make(chan error, 1)
	if here == nil {
		t.Cleanup(func() { c.Close() })
		go func() { // a client learns of a refusal at its first read
			_, err := c.Read(make([]byte, 1))
			c.Close()
			read <- err
		}()
	}
	select {
	case caller = <-accepted:
		t.Cleanup(func() { caller.Close() })
	case there = <-refused:
		if here == nil {
			here = Explain(<-read, name)
		}
	}
	return caller, there, here
}

// TestOrganisations checks whom a listener and a dialler accept if names belong to organisations. In
// each case but the first, a CA that is trusted, or a holder of its certificates, claims what it may
// not.
func TestOrganisations(t *testing.T) {
	w := newWorld(t)
	past, future := Options{From: time.Now().Add(-2 * day), Valid: day}, Options{From: time.Now().Add(day), Valid: day}
	bob := w.of(w.clinic, "bob", Options{})
	clinicCA := `"tacet CA \w{8}" sha256:\w{16}… of clinic, which may issue bob, carol`
	for _, c := range []struct {
		name   string
		client *Identity
		cause  Cause
		want   string // the server's error
		told   string // the client's error
	}{
		{"its own CA", w.of(w.hospital, "alice-admin", Options{}), "", "", ""},
		{"an alien CA that issues an admin", w.of(w.clinic, "alice-admin", Options{}), WrongCA,
			`the certificate of "alice-admin" is signed by ` + clinicCA + `; only hospital \("tacet CA \w{8}" sha256:\w{16}…\) may issue this name \(get a certificate from hospital, or correct tls: ca\)`,
			"does not accept this side's certificate"},
		{"an alien CA that issues a party", w.of(w.clinic, "alice", Options{}), WrongCA,
			`the certificate of "alice" is signed by ` + clinicCA, "does not accept this side's certificate"},
		{"a name that no organisation may issue", w.of(w.clinic, "eve", Options{}), WrongName,
			`no organisation here may issue the name eve; its certificate is signed by ` + clinicCA,
			"does not accept this side's certificate"},
		{"an unknown CA", w.of(w.stranger, "alice", Options{}), WrongCA,
			`the certificate of "alice" is signed by "tacet CA \w{8}", a CA that is not trusted here; only hospital \(`,
			"does not trust the CA of this side's certificate"},
		{"expired", w.of(w.hospital, "alice", past), WrongTime,
			`the certificate of "alice" of hospital expired at .*, or set the clock that is wrong\)$`, "has expired or is not valid yet"},
		{"not yet valid", w.of(w.hospital, "alice", future), WrongTime,
			`the certificate of "alice" of hospital is not valid before .*\)$`, "has expired or is not valid yet"},
		{"for servers only", w.usedFor(w.hospital, "alice", x509.ExtKeyUsageServerAuth), WrongUse,
			`the certificate is not for this use`, "does not accept this side's certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			caller, there, here := meet(t, bob, c.client, "bob")
			refused := (*RefusedError)(nil)
			switch {
			case c.want == "":
				if there != nil || here != nil || caller.Name != "alice-admin" || caller.Identity() != "alice-admin@hospital" {
					t.Errorf("%s: %v, %v, %s", c.name, there, here, caller.Identity())
				}
			case there == nil || here == nil:
				t.Errorf("%s: accepted as %s", c.name, caller.Identity())
			case !regexp.MustCompile(c.want).MatchString(there.Error()) || !errors.As(there, &refused) || refused.Cause != c.cause:
				t.Errorf("%s: the server says %v, want %s", c.name, there, c.want)
			case !strings.Contains(here.Error(), c.told):
				t.Errorf("%s: the client says %v, want %s", c.name, here, c.told)
			}
		})
	}
	alice := w.of(w.hospital, "alice", Options{})
	for _, c := range []struct {
		name   string
		server *Identity
		cause  Cause
		want   string
	}{
		{"its own CA", bob, "", ""},
		{"an alien CA that issues a party", w.of(w.hospital, "bob", Options{}), WrongCA,
			`the certificate of "bob" is signed by "tacet CA \w{8}" sha256:\w{16}… of hospital, which may issue alice, alice-\*; only clinic`},
		{"another name", w.of(w.clinic, "carol", Options{}), WrongName, `the server's certificate names "carol@clinic", not "bob"`},
		{"expired", w.of(w.clinic, "bob", past), WrongTime, `the certificate of "bob" of clinic expired at`},
		{"not yet valid", w.of(w.clinic, "bob", future), WrongTime, `is not valid before`},
		{"for clients only", w.usedFor(w.clinic, "bob", x509.ExtKeyUsageClientAuth), WrongUse, `the certificate is not for this use`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			caller, there, here := meet(t, c.server, alice, "bob")
			refused := (*RefusedError)(nil)
			switch {
			case c.want == "":
				if there != nil || here != nil || caller.Identity() != "alice@hospital" {
					t.Errorf("server, %s: %v, %v, %s", c.name, there, here, caller.Identity())
				}
			case here == nil || !regexp.MustCompile(c.want).MatchString(here.Error()) || !errors.As(here, &refused) ||
				refused.Cause != c.cause:
				t.Errorf("server, %s: %v, want %s", c.name, here, c.want)
			}
		})
	}
}

// TestSharedCA checks that organisations may share a CA: names tell them apart.
func TestSharedCA(t *testing.T) {
	w := newWorld(t)
	w.trusted[1].File = w.trusted[0].File
	caller, there, here := meet(t, w.of(w.hospital, "alice", Options{}), w.of(w.hospital, "bob", Options{}), "alice")
	if there != nil || here != nil || caller.Identity() != "bob@clinic" {
		t.Errorf("%v, %v, %s", there, here, caller.Identity())
	}
}

// TestPinnedKeys checks that a pinned key is accepted whoever signed its certificate, and no other.
func TestPinnedKeys(t *testing.T) {
	w := newWorld(t)
	dave := w.of(w.stranger, "dave", Options{})
	pin := KeyFingerprint(dave.current().cert.Leaf)
	other := "sha256:" + strings.Repeat("0", 64)
	w.trusted = append(w.trusted, Organisation{Name: "lab", Keys: map[string][]string{"dave": {other, pin}}})
	bob := w.of(w.clinic, "bob", Options{})
	dave = newIdentity(&state{Peer{"dave", "lab"}, dave.current().cert, bob.current().trust})
	if caller, there, here := meet(t, bob, dave, "bob"); there != nil || here != nil || caller.Identity() != "dave@lab" {
		t.Errorf("%v, %v, %s", there, here, caller.Identity())
	}
	if caller, there, here := meet(t, dave, bob, "dave"); there != nil || here != nil || caller.Identity() != "bob@clinic" {
		t.Errorf("as a server: %v, %v, %s", there, here, caller.Identity())
	}
	if caller, there, here := meet(t, bob, w.of(w.hospital, "alice", Options{}), "bob"); there != nil || here != nil ||
		caller.Identity() != "alice@hospital" {
		t.Errorf("a CA's beside it: %v, %v, %s", there, here, caller.Identity())
	}
	past := Options{From: time.Now().Add(-2 * day), Valid: day}
	for _, c := range []struct {
		name  string
		id    *Identity
		cause Cause
		want  string
	}{
		{"another key of the same CA", w.of(w.stranger, "dave", Options{}), WrongKey,
			`the certificate of dave has the key sha256:\w{64}; lab's keys under tls: ca list sha256:.*, ` + pin},
		{"another key of a trusted CA", w.of(w.clinic, "dave", Options{}), WrongKey, `the certificate of dave has the key`},
		{"an unknown CA's alice", w.of(w.stranger, "alice", Options{}), WrongCA, `a CA that is not trusted here`},
		{"expired", reissued(t, w.stranger, dave, past), WrongTime, `the certificate of "dave" of lab expired at`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, there, here := meet(t, bob, c.id, "bob")
			refused := (*RefusedError)(nil)
			if there == nil || here == nil || !errors.As(there, &refused) || refused.Cause != c.cause ||
				!regexp.MustCompile(c.want).MatchString(there.Error()) {
				t.Errorf("%s: %v, want %s", c.name, there, c.want)
			}
		})
	}
}

// reissued returns an identity with a new certificate for the same key.
func reissued(t *testing.T, dir string, id *Identity, o Options) *Identity {
	t.Helper()
	ca, err := loadCA(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := *id.current()
	c, err := ca.template(s.cert.Leaf.Subject.CommonName, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.CreateCertificate(nil, c, ca.cert, s.cert.Leaf.PublicKey, ca.signer)
	if err != nil {
		t.Fatal(err)
	}
	s.cert.Certificate = [][]byte{raw}
	if s.cert.Leaf, err = x509.ParseCertificate(raw); err != nil {
		t.Fatal(err)
	}
	return newIdentity(&s)
}

// TestLongChain checks that a peer cannot present many certificates.
func TestLongChain(t *testing.T) {
	w := newWorld(t)
	alice := w.of(w.hospital, "alice", Options{})
	s := *alice.current()
	for range maxChain {
		s.cert.Certificate = append(s.cert.Certificate, s.cert.Certificate[0])
	}
	_, there, _ := meet(t, w.of(w.clinic, "bob", Options{}), newIdentity(&s), "bob")
	if there == nil || !strings.Contains(there.Error(), "a chain of 9 certificates; at most 8") {
		t.Error(there)
	}
}

// TestReload renews a certificate, exchanges a CA and revokes a name while connections are open.
func TestReload(t *testing.T) {
	w := newWorld(t)
	bobs, err := Issue(w.clinic, "bob", Options{Valid: 20 * day})
	if err != nil {
		t.Fatal(err)
	}
	bobs.CA, bobs.Organisations = "", w.trusted
	bob, err := Load(bobs)
	if err != nil {
		t.Fatal(err)
	}
	if bob.String() != "bob@clinic" || bob.Expiries()[0].Warning == "" {
		t.Errorf("%s, %+v", bob, bob.Expiries())
	}
	alice := w.of(w.hospital, "alice", Options{})
	old, there, here := meet(t, bob, alice, "bob")
	if there != nil || here != nil || old.Check() != nil {
		t.Fatal(there, here, old.Check())
	}

	// renewed
	if _, err := Issue(w.clinic, "bob", Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	before := bob.current().cert.Leaf
	if err := bob.Reload(bobs); err != nil {
		t.Fatal(err)
	}
	if bob.current().cert.Leaf.Equal(before) || bob.Expiries()[0].Warning != "" {
		t.Error("not renewed")
	}
	if _, there, here := meet(t, bob, alice, "bob"); there != nil || here != nil {
		t.Error(there, here)
	}

	// what is wrong changes nothing
	present := bob.current()
	for name, f := range map[string]Files{
		"another name": {Cert: filepath.Join(w.clinic, "carol.crt"), Key: filepath.Join(w.clinic, "carol.key"),
			Organisations: w.trusted},
		"no file":         {Cert: filepath.Join(w.clinic, "none.crt"), Key: bobs.Key, Organisations: w.trusted},
		"itself excluded": {Cert: bobs.Cert, Key: bobs.Key, Organisations: w.trusted[:1]},
	} {
		if name == "another name" {
			if _, err := Issue(w.clinic, "carol", Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := bob.Reload(f); err == nil || bob.current() != present {
			t.Errorf("%s: %v", name, err)
		}
	}

	// a name is removed: its open connections are noticed, new ones are refused
	fewer := w.trusted
	fewer[0].Names = []string{"alice-*"}
	bobs.Organisations = fewer
	if err := bob.Reload(bobs); err != nil {
		t.Fatal(err)
	}
	refused := (*RefusedError)(nil)
	if err := old.Check(); !errors.As(err, &refused) || refused.Cause != WrongName {
		t.Errorf("an open connection of a name that was removed: %v", err)
	}
	if _, there, _ := meet(t, bob, alice, "bob"); there == nil {
		t.Error("a name that was removed is accepted")
	}
}

// TestConnectionOutlivesCertificate checks that Check notices that a certificate has expired.
func TestConnectionOutlivesCertificate(t *testing.T) {
	w := newWorld(t)
	bob := w.of(w.clinic, "bob", Options{})
	caller, there, here := meet(t, bob, w.of(w.hospital, "alice", Options{From: time.Now().Add(-day), Valid: day + 2*time.Second}), "bob")
	if there != nil || here != nil {
		t.Fatal(there, here)
	}
	for deadline := time.Now().Add(10 * time.Second); caller.Check() == nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("an expired certificate is accepted")
		}
	}
	if err := caller.Check(); !strings.Contains(err.Error(), "expired at") {
		t.Error(err)
	}
}

// TestOrganisationsYAML reads tls: ca in both forms.
func TestOrganisationsYAML(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node.yaml")
	read := func(text string) (f Files, err error) {
		v, err := yamlfile.Parse(path, "a test", []byte("tls: "+text))
		if err != nil {
			return f, err
		}
		return f, v.Mapping("a test", yamlfile.Fields{"tls": Paths(&f)})
	}
	pin := "sha256:" + strings.Repeat("0f", 32)
	at := func(name string) string { return filepath.Join(filepath.Dir(path), name) }
	f, err := read("{cert: a.crt, key: a.key, ca: ca.crt}")
	if err != nil || f.CA != at("ca.crt") || f.Organisations != nil || !f.HasCA() || f.CheckOwned("anybody") != nil {
		t.Errorf("%+v, %v", f, err)
	}
	f, err = read(`{ca: {hospital: {file: h.crt, names: [alice, "alice-*"]}, lab: {keys: {dave: "` + pin + `", erin: ["` + pin + `"]}}}}`)
	if err != nil || len(f.Organisations) != 2 || f.Organisations[0].File != at("h.crt") ||
		f.Organisations[1].Keys["dave"][0] != pin || !f.HasCA() ||
		f.CheckOwned("alice-admin") != nil || f.CheckOwned("erin") != nil || f.CheckOwned("bob") == nil {
		t.Errorf("%+v, %v", f, err)
	}
	for text, want := range map[string]string{
		`{}`:                               "no organisation is listed",
		`{"a b": {file: x, names: [b]}}`:   `"a b" is not an organisation's name`,
		`{h: {}}`:                          "set file and names",
		`{h: {file: x}}`:                   "file and names belong together",
		`{h: {names: [x]}}`:                "file and names belong together",
		`{h: {file: x, names: ["a*b*c"]}}`: `"a*b*c" is not a name, nor a name with one *`,
		`{h: {file: x, names: [a@b]}}`:     "is not a name",
		`{h: {keys: {dave: "sha256:12"}}}`: "not a key's fingerprint",
		`{h: {keys: {dave: []}}}`:          "dave has no key",
		`{h: {file: x, names: ["d*"], keys: {dave: "` + pin + `"}}}`:     "both under keys and under names",
		`{h: {file: x, names: ["a*"]}, c: {file: y, names: [b, "*-a"]}}`: "h and c may both issue",
		`{h: {file: x, names: ["*"]}, c: {keys: {dave: "` + pin + `"}}}`: "h and c may both issue dave",
		`{h: {file: x, names: [a], roots: y}}`:                           `no key "roots" (it has file, keys, names)`,
		`[a, b]`:                                                         "ca: want a text",
	} {
		if _, err := read("{ca: " + text + "}"); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), path+":1: ") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestOverlap checks that overlap finds every pair of patterns that a name matches both.
func TestOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab]{0,2}\*?[ab]{0,2}`)
		a, b, name := pattern.Draw(t, "a"), pattern.Draw(t, "b"), rapid.StringMatching(`[ab]{1,6}`).Draw(t, "name")
		if matches(a, name) && matches(b, name) && !overlap(a, b) {
			t.Fatalf("%q and %q both match %q", a, b, name)
		}
		if overlap(a, b) != overlap(b, a) {
			t.Fatalf("%q and %q", a, b)
		}
		before, after, _ := strings.Cut(a, "*")
		if other, rest, star := strings.Cut(b, "*"); overlap(a, b) && star && strings.Contains(a, "*") { // a name that both match
			longest := func(x, y string) string {
				if len(x) < len(y) {
					return y
				}
				return x
			}
			if n := longest(before, other) + longest(after, rest); !matches(a, n) || !matches(b, n) {
				t.Fatalf("%q and %q do not match %q", a, b, n)
			}
		}
	})
}

// TestSeveralCAs checks that several CAs without organisations are noticed, and mean what they did.
func TestSeveralCAs(t *testing.T) {
	w := newWorld(t)
	var both []byte
	for _, dir := range []string{w.hospital, w.clinic} {
		text, err := os.ReadFile(filepath.Join(dir, caFile))
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, text...)
	}
	f := issueTo(t, w.clinic, "bob", Options{})
	bob, err := Load(f)
	if err != nil || bob.OpenTrust() != nil || bob.String() != "bob" {
		t.Fatal(err, bob.OpenTrust(), bob)
	}
	f.CA = filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(f.CA, both, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := bob.Reload(f); err != nil || len(bob.OpenTrust()) != 2 {
		t.Error(err, bob.OpenTrust())
	}
	if caller, there, _ := meet(t, bob, w.of(w.clinic, "alice", Options{}), "bob"); there != nil || caller.Identity() != "alice" {
		t.Error(there, caller.Identity())
	}
	for identity, want := range map[string]string{"alice": "",
		"alice@clinic": "no certificate has this identity; the one of this name is alice"} {
		if got := fmt.Sprint(bob.CheckIdentity(identity)); (want != "" || got != "<nil>") && !strings.Contains(got, want) {
			t.Errorf("%s: %s", identity, got)
		}
	}
	alice := w.of(w.hospital, "alice", Options{})
	for identity, want := range map[string]string{
		"alice-admin@hospital": "<nil>", "carol": "the one of this name is carol@clinic", "alice@clinic": "is alice@hospital",
		"eve@clinic": "no organisation under tls: ca may issue the name eve",
	} {
		if got := fmt.Sprint(alice.CheckIdentity(identity)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", identity, got)
		}
	}
}

// TestExpiryWarnings checks from when on the end of a certificate is warned of.
func TestExpiryWarnings(t *testing.T) {
	now := time.Now()
	for left, want := range map[time.Duration]string{
		31 * day: "", WarnBefore + time.Hour: "", WarnBefore - time.Hour: "expires in 29 days, at ",
		12 * time.Hour: "expires in 0 days, at ", -time.Hour: "expired at ",
	} {
		for _, ca := range []bool{false, true} {
			got := expiryWarning(&x509.Certificate{NotAfter: now.Add(left), IsCA: ca}, now)
			if (want == "") != (got == "") || !strings.HasPrefix(got, want) || want != "" && strings.Contains(got, "new CA") != ca {
				t.Errorf("%v: %q, want %q", left, got, want)
			}
		}
	}
	dir := t.TempDir()
	if err := Init(dir, Options{Valid: 20 * day}); err != nil {
		t.Fatal(err)
	}
	id := issue(t, dir, "alice", Options{Valid: 10 * day})
	if all := id.Expiries(); len(all) != 2 || !strings.HasPrefix(all[0].Warning, "expires in 9 days") ||
		!strings.HasPrefix(all[1].Warning, "expires in 19 days") {
		t.Errorf("%+v", all)
	}
}

// TestCheckOthers checks Check of a connection that no listener has accepted.
func TestCheckOthers(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if err := (Caller{Conn: a, Name: "alice"}).Check(); err != nil {
		t.Error(err)
	}
	w := newWorld(t)
	if _, err := w.of(w.clinic, "bob", Options{}).Peer(tls.ConnectionState{}); err == nil {
		t.Error("a connection without a certificate has a peer")
	}
}
