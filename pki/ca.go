package pki

import (
	"bytes"
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
	"time"
)

const (
	day = 24 * time.Hour
	// Year is the default validity of a certificate, Decade that of a CA.
	Year   = 365 * day
	Decade = 3652 * day
	// clockSkew is the time by which a certificate is valid before it was created, for machines
	// whose clocks are behind.
	clockSkew = 10 * time.Minute
	// caFile and caKey are the file names of a CA in its folder.
	caFile = "ca.crt"
	caKey  = "ca.key"
)

// Options are the options of issuing a certificate.
type Options struct {
	Valid time.Duration // default Year, Decade for a CA
	From  time.Time     // default: clockSkew ago
	Force bool          // replace existing files
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

// Init creates a CA in a folder: ca.crt, which every node gets, and ca.key, which is secret.
func Init(dir string, t Options) error {
	from, until, err := t.validity(Decade)
	if err != nil {
		return err
	}
	c, err := newTemplate(from, until)
	if err != nil {
		return err
	}
	// The name tells two CAs apart in messages.
	c.Subject = pkix.Name{CommonName: "tacet CA " + hex.EncodeToString(c.SerialNumber.Bytes()[:4])}
	c.IsCA, c.BasicConstraintsValid, c.MaxPathLenZero = true, true, true
	c.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("pki: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("pki: %w", err)
	}
	f := Files{filepath.Join(dir, caFile), filepath.Join(dir, caKey), ""}
	return save(f, t.Force, c, c, key, key)
}

// Issue issues a certificate for a name in the folder of a CA that Init created: NAME.crt and
// NAME.key. hosts are further DNS names and addresses of the machine, for clients other than Tacet;
// Tacet's clients check the name only.
func Issue(dir, name string, t Options, hosts ...string) (Files, error) {
	if err := CheckName(name); err != nil {
		return Files{}, err
	}
	f := Files{filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key"), filepath.Join(dir, caFile)}
	if f.Cert == f.CA {
		return Files{}, fmt.Errorf("pki: %s is the CA's own certificate: choose another name", f.CA)
	}
	ca, signer, err := loadCA(dir)
	if err != nil {
		return Files{}, err
	}
	from, until, err := t.validity(Year)
	if err != nil {
		return Files{}, err
	}
	if until.After(ca.NotAfter) {
		return Files{}, fmt.Errorf("pki: %s expires at %s: %s's certificate can be valid for at most %d days", f.CA,
			date(ca.NotAfter), name, max(0, int(ca.NotAfter.Sub(from)/day)))
	}
	c, err := newTemplate(from, until)
	if err != nil {
		return Files{}, err
	}
	c.Subject = pkix.Name{CommonName: name}
	c.DNSNames = []string{name}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else if err := CheckName(h); err != nil {
			return Files{}, err
		} else if !slices.Contains(c.DNSNames, h) {
			c.DNSNames = append(c.DNSNames, h)
		}
	}
	c.KeyUsage = x509.KeyUsageDigitalSignature
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	c.BasicConstraintsValid = true
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Files{}, fmt.Errorf("pki: %w", err)
	}
	return f, save(f, t.Force, c, ca, key, signer)
}

// loadCA reads a folder's CA certificate and its private key.
func loadCA(dir string) (*x509.Certificate, crypto.Signer, error) {
	f := Files{Cert: filepath.Join(dir, caFile), Key: filepath.Join(dir, caKey)}
	chain, err := Read(f.Cert)
	var cert tls.Certificate
	if err == nil {
		cert, err = loadKeyPair(f, chain)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w (there is no CA in %s: tacet cert init creates one)", err, dir)
	}
	if err != nil {
		return nil, nil, err
	}
	signer, ok := cert.PrivateKey.(crypto.Signer)
	if !chain[0].IsCA || !ok {
		return nil, nil, fmt.Errorf("pki: %s: the certificate of %q is not a CA certificate", f.Cert, chain[0].Subject.CommonName)
	}
	return chain[0], signer, nil
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

// save signs a certificate and writes it and its key.
func save(f Files, force bool, c, parent *x509.Certificate, key, signer crypto.Signer) error {
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), signer)
	if err != nil {
		return fmt.Errorf("pki: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("pki: %w", err)
	}
	var cert, priv bytes.Buffer
	pem.Encode(&cert, &pem.Block{Type: certificateType, Bytes: raw})
	pem.Encode(&priv, &pem.Block{Type: keyType, Bytes: secret})
	return write(force, file{f.Key, 0o600, priv.Bytes()}, file{f.Cert, 0o644, cert.Bytes()})
}
