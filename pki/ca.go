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
	// Year is how long a certificate is valid by default; a CA's is Decade.
	Year   = 365 * day
	Decade = 3652 * day
	// skew is by how much a certificate is valid before it was made, for
	// machines whose clocks are behind.
	skew = 10 * time.Minute
	// caFile and caKey are the files of a CA in its folder.
	caFile = "ca.crt"
	caKey  = "ca.key"
)

// Terms are what a certificate is issued for.
type Terms struct {
	Valid time.Duration // default Year, for a CA Decade
	From  time.Time     // default: some minutes ago
	Force bool          // files that are there are replaced
}

// window is from when until when.
func (t Terms) window(usual time.Duration) (from, until time.Time, err error) {
	if t.Valid == 0 {
		t.Valid = usual
	}
	if t.Valid < 0 || t.Valid > 100*Year {
		return from, until, fmt.Errorf("pki: valid for %v: want a time of up to a hundred years", t.Valid)
	}
	if t.From.IsZero() {
		t.From = time.Now().Add(-skew)
	}
	return t.From, t.From.Add(t.Valid), nil
}

// Init makes a CA in a folder: ca.crt, which goes to every node, and ca.key,
// which stays.
func Init(dir string, t Terms) error {
	from, until, err := t.window(Decade)
	if err != nil {
		return err
	}
	c, err := blank(from, until)
	if err != nil {
		return err
	}
	// Two CAs are to be told apart where their names are shown.
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

// Issue makes a certificate for a name in the folder of a CA that Init made:
// NAME.crt and NAME.key. Hosts are names and addresses by which else the
// machine is reached, for clients that are not Tacet's; Tacet's own know it by
// its name.
func Issue(dir, name string, t Terms, hosts ...string) (Files, error) {
	if err := CheckName(name); err != nil {
		return Files{}, err
	}
	f := Files{filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key"), filepath.Join(dir, caFile)}
	if f.Cert == f.CA {
		return Files{}, fmt.Errorf("pki: %s is the CA's own file: choose another name", f.CA)
	}
	ca, signer, err := authority(dir)
	if err != nil {
		return Files{}, err
	}
	from, until, err := t.window(Year)
	if err != nil {
		return Files{}, err
	}
	if until.After(ca.NotAfter) {
		return Files{}, fmt.Errorf("pki: %s is valid until %s only: %s's certificate can be valid for %d days at most", f.CA,
			date(ca.NotAfter), name, max(0, int(ca.NotAfter.Sub(from)/day)))
	}
	c, err := blank(from, until)
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

// authority reads the CA of a folder, with the key to sign with.
func authority(dir string) (*x509.Certificate, crypto.Signer, error) {
	f := Files{Cert: filepath.Join(dir, caFile), Key: filepath.Join(dir, caKey)}
	chain, err := Read(f.Cert)
	var cert tls.Certificate
	if err == nil {
		cert, err = pair(f, chain)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w (there is no CA to sign with in %s: tacet cert init makes one)", err, dir)
	}
	if err != nil {
		return nil, nil, err
	}
	signer, ok := cert.PrivateKey.(crypto.Signer)
	if !chain[0].IsCA || !ok {
		return nil, nil, fmt.Errorf("pki: %s: the certificate of %q is no CA's", f.Cert, chain[0].Subject.CommonName)
	}
	return chain[0], signer, nil
}

// blank is a certificate with a number and dates.
func blank(from, until time.Time) (*x509.Certificate, error) {
	number := make([]byte, 16)
	for number[0]&0x80 != 0 || number[0] == 0 { // positive, and of that length
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
