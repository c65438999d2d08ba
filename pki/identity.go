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

// Files are the paths of what an identity consists of: PEM, as configs name
// them under tls.
type Files struct {
	Cert string // the certificate, and those between it and the CA's if there are any
	Key  string // its private key
	CA   string // the certificates of those who are trusted to issue
}

// Paths reads an identity's files in a configuration, relative to it.
func Paths(f *Files) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		return v.Mapping(key, yamlfile.Fields{"cert": yamlfile.Path(&f.Cert), "key": yamlfile.Path(&f.Key), "ca": yamlfile.Path(&f.CA)})
	}
}

// Identity is who this side is, and whom it trusts to say who others are.
type Identity struct {
	name  string
	cert  tls.Certificate
	roots *x509.CertPool
}

// Name is the certificate's name.
func (id *Identity) Name() string { return id.name }

// Expires is when the certificate ends.
func (id *Identity) Expires() time.Time { return id.cert.Leaf.NotAfter }

// Load reads an identity and refuses at once what every peer would refuse. Its
// errors name the file.
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
			return nil, fmt.Errorf("pki: %s: the certificate of %q is no CA's", f.CA, c.Subject.CommonName)
		}
		roots.AddCert(c)
	}
	cert, err := pair(f, chain)
	if err != nil {
		return nil, err
	}
	id := &Identity{nameOf(chain[0]), cert, roots}
	if id.name == "" {
		return nil, fmt.Errorf("pki: %s: a certificate's CommonName must be one of its DNS names and a name, such as alice; it is %q, and they are %q",
			f.Cert, chain[0].Subject.CommonName, chain[0].DNSNames)
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	for usage, whose := range map[x509.ExtKeyUsage]string{x509.ExtKeyUsageClientAuth: "clients", x509.ExtKeyUsageServerAuth: "servers"} {
		_, err := chain[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{usage}})
		if invalid := (x509.CertificateInvalidError{}); errors.As(err, &invalid) && invalid.Reason == x509.IncompatibleUsage {
			return nil, fmt.Errorf("pki: %s: the certificate is not for %s (clientAuth and serverAuth are both needed)", f.Cert, whose)
		}
		if err != nil {
			text, _ := certificateFault(err, chain[0])
			return nil, &explained{fmt.Sprintf("pki: %s: %s", f.Cert, text), err}
		}
	}
	return id, nil
}

// pair reads the private key of a certificate.
func pair(f Files, chain []*x509.Certificate) (tls.Certificate, error) {
	info, err := os.Stat(f.Key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("pki: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return tls.Certificate{}, fmt.Errorf("pki: %s: everybody on this machine may use the key (chmod 600 %[1]s)", f.Key)
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
		return tls.Certificate{}, fmt.Errorf("pki: %s: no key that fits %s: %w", f.Key, f.Cert, err)
	}
	return cert, nil
}
