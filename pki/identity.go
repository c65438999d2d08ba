package pki

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// Files are the paths of an identity's PEM files, as configurations list them under tls.
type Files struct {
	Cert string // the certificate, followed by intermediate certificates if there are any
	Key  string // its private key
	CA   string // the certificates of the trusted CAs
}

// Paths reads an identity's files from a configuration, with paths relative to it.
func Paths(f *Files) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		return v.Mapping(key, yamlfile.Fields{"cert": yamlfile.Path(&f.Cert), "key": yamlfile.Path(&f.Key), "ca": yamlfile.Path(&f.CA)})
	}
}

// Identity is a certificate with its private key, and the CAs that it trusts.
type Identity struct {
	name  string
	cert  tls.Certificate
	roots *x509.CertPool
}

// Name returns the certificate's name.
func (id *Identity) Name() string { return id.name }

// Expires returns the time until which the certificate is valid.
func (id *Identity) Expires() time.Time { return id.cert.Leaf.NotAfter }

// Load reads an identity and refuses one that every peer would refuse. Its errors name the file.
func Load(f Files) (*Identity, error) {
	chain, err := Read(f.Cert)
	if err != nil {
		return nil, err
	}
	trusted, err := Read(f.CA)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	for _, c := range trusted {
		if !c.IsCA {
			return nil, fmt.Errorf("pki: %s: the certificate of %q is not a CA certificate", f.CA, c.Subject.CommonName)
		}
		roots.AddCert(c)
	}
	cert, err := loadKeyPair(f, chain)
	if err != nil {
		return nil, err
	}
	id := &Identity{nameOf(chain[0]), cert, roots}
	if id.name == "" {
		return nil, fmt.Errorf("pki: %s: a certificate's CommonName must be one of its DNS names and a valid name, such as alice; the CommonName is %q, the DNS names are %q",
			f.Cert, chain[0].Subject.CommonName, chain[0].DNSNames)
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	for usage, use := range map[x509.ExtKeyUsage]string{x509.ExtKeyUsageClientAuth: "clients", x509.ExtKeyUsageServerAuth: "servers"} {
		_, err := chain[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{usage}})
		if invalid := (x509.CertificateInvalidError{}); errors.As(err, &invalid) && invalid.Reason == x509.IncompatibleUsage {
			return nil, fmt.Errorf("pki: %s: the certificate is not for %s (clientAuth and serverAuth are both needed)", f.Cert, use)
		}
		if err != nil {
			text, _ := describeCertificateError(err, chain[0])
			return nil, &explainedError{fmt.Sprintf("pki: %s: %s", f.Cert, text), err}
		}
	}
	return id, nil
}

// loadKeyPair reads the private key of a certificate.
func loadKeyPair(f Files, chain []*x509.Certificate) (tls.Certificate, error) {
	info, err := os.Stat(f.Key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("pki: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return tls.Certificate{}, fmt.Errorf("pki: %s: every user of this machine can access the key (chmod 600 %[1]s)", f.Key)
	}
	key, err := readFile(f.Key)
	if err != nil {
		return tls.Certificate{}, err
	}
	var pems []byte
	for _, c := range chain {
		pems = append(pems, pem.EncodeToMemory(&pem.Block{Type: certificateType, Bytes: c.Raw})...)
	}
	cert, err := tls.X509KeyPair(pems, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("pki: %s: not the private key of %s: %w", f.Key, f.Cert, err)
	}
	return cert, nil
}
