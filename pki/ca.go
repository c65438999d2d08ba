package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// Default validities of certificates. (A day is 24 hours.)
const (
	day = 24 * time.Hour
	// Year is the default validity of a certificate that is not a CA's.
	Year = 365 * day
	// Decade is the default validity of a CA's certificate.
	Decade = 3652 * day
	// clockSkew is the time by which a certificate is valid before it was created, for machines
	// whose clocks are behind.
	clockSkew = 10 * time.Minute
	// caFile, caKey and caNames are the file names of a CA in its folder.
	caFile  = "ca.crt"
	caKey   = "ca.key"
	caNames = "ca.yaml"
)

// Options are the options of Init, Issue and Sign. The zero value has the defaults.
type Options struct {
	Valid time.Duration // validity of the certificate; 0 for Year, or Decade for a CA
	From  time.Time     // start of the validity; the zero time for shortly before now, since clocks differ
	Force bool          // replace existing files
	// Organisation is the organisation of a new CA, and Names the names that it may issue. Without them it may
	// issue any name.
	Organisation string
	Names        []string
}

// validity returns the certificate's first and last moment. usual is the default of t.Valid.
func (t Options) validity(usual time.Duration) (from, until time.Time, err error) {
	if t.Valid == 0 {
		t.Valid = usual
	}
	if t.Valid < 0 || t.Valid > 100*Year {
		return from, until, fmt.Errorf("pki: validity of %v: want at most a hundred years", t.Valid)
	}
	if t.From.IsZero() {
		t.From = time.Now().Add(-clockSkew)
	}
	return t.From, t.From.Add(t.Valid), nil
}

// Init creates a CA in the folder dir. It writes ca.crt, which every node gets, and ca.key, which is secret. If
// t names an organisation, it also writes ca.yaml, which lists the names that the CA may issue, in the form in
// which other configurations list them under tls: ca. Existing files are an error unless t.Force is set.
func Init(dir string, t Options) error {
	from, until, err := t.validity(Decade)
	if err != nil {
		return err
	}
	c, err := newTemplate(from, until)
	if err != nil {
		return err
	}
	var more []file
	o := Organisation{Name: t.Organisation, File: caFile, Names: t.Names}
	switch {
	case t.Organisation == "" && len(t.Names) > 0:
		return errors.New("pki: a CA that is limited to names needs the name of its organisation")
	case t.Organisation != "":
		if err := o.check(); err != nil {
			return fmt.Errorf("pki: %w", err)
		}
		c.Subject.Organization = []string{o.Name}
		more = []file{{filepath.Join(dir, caNames), 0o644, []byte(o.text())}}
	}
	// The name tells two CAs apart in messages.
	c.Subject.CommonName = "tacet CA " + hex.EncodeToString(c.SerialNumber.Bytes()[:4])
	c.IsCA, c.BasicConstraintsValid, c.MaxPathLenZero = true, true, true
	c.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	key, err := newKey()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("pki: %w", err)
	}
	crt, err := certify(filepath.Join(dir, caFile), c, c, key.Public(), key)
	if err != nil {
		return err
	}
	secret, err := keyFile(filepath.Join(dir, caKey), key)
	if err != nil {
		return err
	}
	return write(t.Force, append([]file{secret, crt}, more...)...)
}

// text returns the file ca.yaml of an organisation.
func (o *Organisation) text() string {
	var names []string
	for _, n := range o.Names {
		names = append(names, fmt.Sprintf("%q", n))
	}
	return "# The names that this CA issues. The others list it so, under tls: ca.\n" +
		fmt.Sprintf("%q: {file: %s, names: [%s]}\n", o.Name, o.File, strings.Join(names, ", "))
}

// Issue issues a certificate for a name, with a new private key, by the CA that Init has created in the folder
// dir. It writes NAME.crt and NAME.key there and returns their paths. hosts are further DNS names and IP
// addresses in the certificate, for clients other than Tacet's, which check the name only. Existing files are an
// error that wraps fs.ErrExist unless t.Force is set.
func Issue(dir, name string, t Options, hosts ...string) (Files, error) {
	if err := CheckName(name); err != nil {
		return Files{}, err
	}
	f := Files{Cert: filepath.Join(dir, name+".crt"), Key: filepath.Join(dir, name+".key"), CA: filepath.Join(dir, caFile)}
	if f.Cert == f.CA {
		return Files{}, fmt.Errorf("pki: %s is the CA's own certificate: choose another name", f.CA)
	}
	ca, err := loadCA(dir)
	if err != nil {
		return Files{}, err
	}
	c, err := ca.template(name, t, hosts)
	if err != nil {
		return Files{}, err
	}
	key, err := newKey()
	if err != nil {
		return Files{}, err
	}
	crt, err := certify(f.Cert, c, ca.cert, key.Public(), ca.signer)
	if err != nil {
		return Files{}, err
	}
	secret, err := keyFile(f.Key, key)
	if err != nil {
		return Files{}, err
	}
	return f, write(t.Force, secret, crt)
}

// Sign issues the certificate that request r asks for, by the CA in the folder dir, and writes it to path. The
// certificate has the request's name and key, and hosts as further DNS names and IP addresses; the request may
// ask for no other hosts.
func Sign(dir string, r *Request, path string, t Options, hosts ...string) error {
	ca, err := loadCA(dir)
	if err != nil {
		return err
	}
	for _, h := range r.Hosts {
		if !slices.Contains(hosts, h) {
			return fmt.Errorf("pki: %s asks for the further host %s, which was not given (--host %[2]s, if it is %s's)", r.path, h, r.Name)
		}
	}
	if real, err := filepath.Abs(path); err == nil {
		if own, err := filepath.Abs(filepath.Join(dir, caFile)); err == nil && real == own {
			return fmt.Errorf("pki: %s is the CA's own certificate: choose another folder", path)
		}
	}
	c, err := ca.template(r.Name, t, hosts)
	if err != nil {
		return err
	}
	crt, err := certify(path, c, ca.cert, r.csr.PublicKey, ca.signer)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("pki: %w", err)
	}
	return write(t.Force, crt)
}

// authorityFiles is the content of a CA's folder.
type authorityFiles struct {
	path         string // of its certificate
	cert         *x509.Certificate
	signer       crypto.Signer
	organisation *Organisation // nil: it may issue any name
}

// template returns the template of a certificate for a name, if the CA may issue it.
func (ca *authorityFiles) template(name string, t Options, hosts []string) (*x509.Certificate, error) {
	if o := ca.organisation; o != nil && !o.mayIssue(name) {
		return nil, fmt.Errorf("pki: %s of %s may issue %s, but not %s (the organisation that owns this name issues it)",
			ca.path, o.Name, list(o.Names), name)
	}
	from, until, err := t.validity(Year)
	if err != nil {
		return nil, err
	}
	if until.After(ca.cert.NotAfter) {
		return nil, fmt.Errorf("pki: %s expires at %s: %s's certificate can be valid for at most %d days", ca.path,
			date(ca.cert.NotAfter), name, max(0, int(ca.cert.NotAfter.Sub(from)/day)))
	}
	c, err := newTemplate(from, until)
	if err != nil {
		return nil, err
	}
	c.Subject = pkix.Name{CommonName: name}
	if ca.organisation != nil {
		c.Subject.Organization = []string{ca.organisation.Name}
	}
	c.DNSNames = []string{name}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else if err := CheckName(h); err != nil {
			return nil, err
		} else if !slices.Contains(c.DNSNames, h) {
			c.DNSNames = append(c.DNSNames, h)
		}
	}
	c.KeyUsage = x509.KeyUsageDigitalSignature
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	c.BasicConstraintsValid = true
	return c, nil
}

// loadCA reads a folder's CA certificate, its private key and the names that it may issue.
func loadCA(dir string) (*authorityFiles, error) {
	f := Files{Cert: filepath.Join(dir, caFile), Key: filepath.Join(dir, caKey)}
	chain, err := Read(f.Cert)
	var cert tls.Certificate
	if err == nil {
		cert, err = loadKeyPair(f, chain)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (there is no CA in %s: tacet cert init creates one)", err, dir)
	}
	if err != nil {
		return nil, err
	}
	signer, ok := cert.PrivateKey.(crypto.Signer)
	if !chain[0].IsCA || !ok {
		return nil, fmt.Errorf("pki: %s: the certificate of %q is not a CA certificate", f.Cert, chain[0].Subject.CommonName)
	}
	ca := &authorityFiles{f.Cert, chain[0], signer, nil}
	names := filepath.Join(dir, caNames)
	if _, err := os.Lstat(names); errors.Is(err, fs.ErrNotExist) {
		if len(ca.cert.Subject.Organization) > 0 && strings.HasPrefix(ca.cert.Subject.CommonName, "tacet CA ") {
			return nil, fmt.Errorf("pki: %s is missing: it lists the names that the CA of %s may issue (restore it)",
				names, ca.cert.Subject.Organization[0])
		}
		return ca, nil
	}
	v, err := yamlfile.Read(names, "a CA's file")
	if err != nil {
		return nil, err
	}
	var all []Organisation
	if err := organisations(&all)("a CA", v); err != nil {
		return nil, err
	}
	if len(all) != 1 || len(all[0].Names) == 0 {
		return nil, fmt.Errorf("pki: %s: want one organisation, with the names that its CA may issue", names)
	}
	ca.organisation = &all[0]
	return ca, nil
}

// newKey creates a private key.
func newKey() (crypto.Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("pki: %w", err)
	}
	return key, nil
}

// newTemplate returns a certificate template with a random serial number and validity.
func newTemplate(from, until time.Time) (*x509.Certificate, error) {
	number := make([]byte, 16)
	for number[0]&0x80 != 0 || number[0] == 0 { // positive, and 16 bytes long
		if _, err := rand.Read(number); err != nil {
			return nil, fmt.Errorf("pki: %w", err)
		}
	}
	return &x509.Certificate{SerialNumber: new(big.Int).SetBytes(number), NotBefore: from, NotAfter: until}, nil
}

// certify signs a certificate and returns its file.
func certify(path string, c, parent *x509.Certificate, public any, signer crypto.Signer) (file, error) {
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, public, signer)
	if err != nil {
		return file{}, fmt.Errorf("pki: %w", err)
	}
	return file{path, 0o644, pem.EncodeToMemory(&pem.Block{Type: certificateType, Bytes: raw})}, nil
}

// keyFile returns the file of a private key, for its owner only.
func keyFile(path string, key crypto.Signer) (file, error) {
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return file{}, fmt.Errorf("pki: %w", err)
	}
	return file{path, 0o600, pem.EncodeToMemory(&pem.Block{Type: keyType, Bytes: secret})}, nil
}
