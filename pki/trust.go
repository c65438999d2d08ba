package pki

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxChain is the maximum number of certificates that a peer may present.
const maxChain = 8

// Peer is the holder of a verified certificate.
type Peer struct {
	Name         string // the certificate's name
	Organisation string // the organisation that owns the name; "" if the configuration lists none
}

// String returns the peer's identity: NAME@ORGANISATION, or NAME if the configuration lists no
// organisations. Names and organisations contain no @.
func (p Peer) String() string {
	if p.Organisation == "" {
		return p.Name
	}
	return p.Name + "@" + p.Organisation
}

// trust decides which peer a chain of certificates identifies.
type trust struct {
	organisations []authority
}

// authority is an organisation with the certificates of its CAs.
type authority struct {
	Organisation
	cas   []*x509.Certificate
	roots *x509.CertPool
	any   bool // its CAs may issue any name: a configuration without organisations
}

// loadTrust reads the CAs of a configuration.
func loadTrust(f Files) (*trust, error) {
	if f.Organisations == nil {
		a := authority{Organisation: Organisation{File: f.CA}, any: true}
		if err := a.load(); err != nil {
			return nil, err
		}
		return &trust{[]authority{a}}, nil
	}
	if err := checkOrganisations(f.Organisations); err != nil {
		return nil, fmt.Errorf("pki: tls: ca: %w", err)
	}
	t := &trust{}
	for _, o := range f.Organisations {
		a := authority{Organisation: o}
		if err := a.load(); err != nil {
			return nil, err
		}
		t.organisations = append(t.organisations, a)
	}
	return t, nil
}

// load reads the certificates of the organisation's CAs.
func (a *authority) load() error {
	a.roots = x509.NewCertPool()
	if a.File == "" && !a.any {
		return nil
	}
	var err error
	if a.cas, err = Read(a.File); err != nil {
		return err
	}
	for _, c := range a.cas {
		if !c.IsCA {
			return fmt.Errorf("pki: %s: the certificate of %q is not a CA certificate", a.File, c.Subject.CommonName)
		}
		a.roots.AddCert(c)
	}
	return nil
}

// owner returns the organisation that owns a name; nil if there is none.
func (t *trust) owner(name string) *authority {
	for i := range t.organisations {
		if a := &t.organisations[i]; a.any || a.owns(name) {
			return a
		}
	}
	return nil
}

// verify returns the peer that a chain of certificates identifies at a time, for a use. It is the only
// function that decides this, for every listener and every dialler. Its errors are of type
// *RefusedError. A name is looked up first and its organisation's CAs are the only ones that count:
// another trusted CA cannot issue it.
func (t *trust) verify(chain []*x509.Certificate, use x509.ExtKeyUsage, now time.Time) (Peer, error) {
	if len(chain) == 0 {
		return Peer{}, &RefusedError{WrongName, "", "presented no certificate", nil}
	}
	leaf := chain[0]
	name := nameOf(leaf)
	if name == "" {
		return Peer{}, refuse(WrongName, leaf, nil,
			"the certificate has no name (its CommonName must be one of its DNS names, such as alice)")
	}
	if len(chain) > maxChain {
		return Peer{}, refuse(WrongCA, leaf, nil,
			"the certificate of %s comes with a chain of %d certificates; at most %d are accepted", name, len(chain), maxChain)
	}
	owner := t.owner(name)
	if owner == nil {
		return Peer{}, refuse(WrongName, leaf, nil, "no organisation here may issue the name %s; its certificate is signed by %s "+
			"(add the name to its organisation under tls: ca, or issue another name)", name, t.describeIssuer(chain, use, now))
	}
	roots := owner.roots
	if keys := owner.Keys[name]; keys != nil {
		if got := KeyFingerprint(leaf); !slices.Contains(keys, got) {
			return Peer{}, refuse(WrongKey, leaf, nil,
				"the certificate of %s has the key %s; %s's keys under tls: ca list %s for this name (compare it with its holder)",
				name, got, owner.Name, strings.Join(keys, ", "))
		}
		roots = x509.NewCertPool()
		roots.AddCert(leaf)
	}
	err := verifyChain(chain, roots, use, now)
	if err == nil {
		return Peer{name, owner.Name}, nil
	}
	return Peer{}, t.explain(err, chain, owner, use, now)
}

// verifyChain checks the signatures, times and uses of a chain.
func verifyChain(chain []*x509.Certificate, roots *x509.CertPool, use x509.ExtKeyUsage, now time.Time) error {
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{use}, CurrentTime: now,
	})
	return err
}

// explain returns the RefusedError of a chain that the CAs of its name's owner do not confirm.
func (t *trust) explain(err error, chain []*x509.Certificate, owner *authority, use x509.ExtKeyUsage, now time.Time) error {
	leaf := chain[0]
	e := refusal(err, leaf)
	switch {
	case e == nil:
		return refuse(WrongCA, leaf, err, "the certificate of %.80q: %v", leaf.Subject.CommonName, err)
	case e.Cause == WrongTime:
		var invalid x509.CertificateInvalidError
		errors.As(err, &invalid)
		e.text = describeExpiry(invalid.Cert, owner.Name, now)
	case e.Cause == WrongCA && owner.any:
		e.text = fmt.Sprintf("the certificate of %.80q is signed by %.80q, a CA that is not trusted here "+
			"(trusted: %s; both sides need the same ca.crt)",
			leaf.Subject.CommonName, leaf.Issuer.CommonName, owner.describe())
	case e.Cause == WrongCA:
		e.text = fmt.Sprintf("the certificate of %.80q is signed by %s; only %s may issue this name "+
			"(get a certificate from %s, or correct tls: ca)",
			leaf.Subject.CommonName, t.describeIssuer(chain, use, now), owner.describe(), owner.Name)
	}
	return e
}

// describeIssuer describes the CA that signed a chain: with its organisation and fingerprint if it is
// trusted for other names.
func (t *trust) describeIssuer(chain []*x509.Certificate, use x509.ExtKeyUsage, now time.Time) string {
	for i := range t.organisations {
		a := &t.organisations[i]
		for _, c := range a.cas {
			one := x509.NewCertPool()
			one.AddCert(c)
			if err := verifyChain(chain, one, use, now); !errors.As(err, new(x509.UnknownAuthorityError)) {
				return fmt.Sprintf("%s of %s, which may issue %s", describeCA(c), a.Name, list(a.Names))
			}
		}
	}
	return fmt.Sprintf("%.80q, a CA that is not trusted here", chain[0].Issuer.CommonName)
}

// describe names the organisation and its CAs.
func (a *authority) describe() string {
	var out []string
	for _, c := range a.cas {
		out = append(out, describeCA(c))
	}
	switch {
	case a.Name == "":
		return list(out)
	case out == nil:
		return a.Name
	}
	return a.Name + " (" + list(out) + ")"
}

// list returns texts in one line, at most five of them.
func list(texts []string) string {
	const most = 5
	if len(texts) > most {
		return strings.Join(texts[:most], ", ") + fmt.Sprintf(" and %d more", len(texts)-most)
	}
	return strings.Join(texts, ", ")
}

// pool returns all CAs, or nil if keys are pinned: then a certificate may be accepted whose CA is
// unknown.
func (t *trust) pool() *x509.CertPool {
	all := x509.NewCertPool()
	for i := range t.organisations {
		if len(t.organisations[i].Keys) > 0 {
			return nil
		}
		for _, c := range t.organisations[i].cas {
			all.AddCert(c)
		}
	}
	return all
}

// checkIdentity refuses an identity, as Peer spells it, that no certificate can have here.
func (t *trust) checkIdentity(identity string) error {
	name, organisation, _ := strings.Cut(identity, "@")
	switch owner := t.owner(name); {
	case owner == nil:
		return fmt.Errorf("%s: no organisation under tls: ca may issue the name %s", identity, name)
	case owner.Name != organisation:
		return fmt.Errorf("%s: no certificate has this identity; the one of this name is %s", identity, Peer{name, owner.Name})
	}
	return nil
}
