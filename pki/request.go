package pki

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

const (
	requestType    = "CERTIFICATE REQUEST"
	requestTypeOld = "NEW CERTIFICATE REQUEST" // as some programs write it
	// maxRequest is the maximum size, in bytes, of a file with a request; maxHosts the maximum number
	// of further hosts in it.
	maxRequest = 1 << 16
	maxHosts   = 16
	// minRSA and maxRSA bound the sizes of RSA keys, in bits.
	minRSA, maxRSA = 2048, 8192
)

// Request is a certificate request (PKCS #10): a name and a public key, signed with the private key, which stays
// with its owner. ReadRequest and ParseRequest check the signature.
type Request struct {
	Name        string   // name for which a certificate is requested
	Hosts       []string // further DNS names and IP addresses that it asks for
	Fingerprint string   // fingerprint of the public key, as KeyFingerprint returns it
	path        string
	csr         *x509.CertificateRequest
}

// RequestFiles has the paths of a new request and of its private key.
type RequestFiles struct{ Request, Key string }

// NewRequest creates, in the folder dir, a certificate request for a name: NAME.csr, which the CA of the name's
// organisation signs, and NAME.key, a new private key that never leaves this machine. With renew it uses the key
// of an existing NAME.key, so that pins of the key stay valid. hosts are further DNS names and IP addresses that
// the request asks for. Existing files are an error unless force is set.
func NewRequest(dir, name string, renew, force bool, hosts ...string) (*Request, RequestFiles, error) {
	f := RequestFiles{filepath.Join(dir, name+".csr"), filepath.Join(dir, name+".key")}
	if err := CheckName(name); err != nil {
		return nil, f, err
	}
	if filepath.Base(f.Key) == caKey {
		return nil, f, fmt.Errorf("pki: %s is the key of a CA: choose another name", f.Key)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, f, fmt.Errorf("pki: %w", err)
	}
	var files []file
	key, err := newKey()
	if renew {
		key, err = readKey(f.Key)
	} else if err == nil {
		var secret file
		secret, err = keyFile(f.Key, key)
		files = append(files, secret)
	}
	if err != nil {
		return nil, f, err
	}
	text, err := requestText(name, hosts, key)
	if err != nil {
		return nil, f, err
	}
	r, err := ParseRequest(f.Request, text)
	if err != nil {
		return nil, f, err
	}
	request := file{f.Request, 0o644, text}
	if renew { // the request of the present certificate is replaced
		return r, f, write(true, request)
	}
	return r, f, write(force, append(files, request)...)
}

// requestText returns a request in PEM.
func requestText(name string, hosts []string, key crypto.Signer) ([]byte, error) {
	t := &x509.CertificateRequest{Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else if h != name {
			t.DNSNames = append(t.DNSNames, h)
		}
	}
	raw, err := x509.CreateCertificateRequest(rand.Reader, t, key)
	if err != nil {
		return nil, fmt.Errorf("pki: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: requestType, Bytes: raw}), nil
}

// readKey reads a private key.
func readKey(path string) (crypto.Signer, error) {
	text, err := readKeyFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (without --renew, a request creates a key)", err)
	}
	if err != nil {
		return nil, err
	}
	for {
		var block *pem.Block
		block, text = pem.Decode(text)
		if block == nil {
			return nil, fmt.Errorf("pki: %s: contains no private key", path)
		}
		if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if signer, ok := key.(crypto.Signer); ok {
				return signer, nil
			}
		}
		if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
			return key, nil
		}
		if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
			return key, nil
		}
	}
}

// ReadRequest reads a request from a file, as ParseRequest does.
func ReadRequest(path string) (*Request, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseRequest(path, text)
}

// ParseRequest parses a request in PEM. It returns an error for a request that no CA should sign: one with an
// invalid name or hosts, a weak key, or a signature of another key. path is the file's name in errors.
func ParseRequest(path string, text []byte) (*Request, error) {
	if len(text) > maxRequest {
		return nil, fmt.Errorf("pki: %s: longer than %d bytes, so not a certificate request", path, maxRequest)
	}
	block, rest := pem.Decode(text)
	switch {
	case block == nil:
		return nil, fmt.Errorf("pki: %s: contains no PEM certificate request", path)
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, fmt.Errorf("pki: %s: other data after the certificate request", path)
	case block.Type != requestType && block.Type != requestTypeOld:
		return nil, fmt.Errorf("pki: %s: contains a %.40q instead of a certificate request", path, block.Type)
	}
	c, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("pki: %s: %w", path, err)
	}
	if err := checkKey(c.PublicKey); err != nil {
		return nil, fmt.Errorf("pki: %s: %w", path, err)
	}
	if err := c.CheckSignature(); err != nil {
		return nil, fmt.Errorf("pki: %s: the request is not signed with the key that it names, so it was changed or is another's: %w",
			path, err)
	}
	r := &Request{Name: c.Subject.CommonName, Fingerprint: fingerprint(sha256.Sum256(c.RawSubjectPublicKeyInfo)), path: path, csr: c}
	if CheckName(r.Name) != nil {
		return nil, fmt.Errorf("pki: %s: the CommonName %.80q is not a valid certificate name", path, r.Name)
	}
	if len(c.DNSNames)+len(c.IPAddresses) > maxHosts+1 {
		return nil, fmt.Errorf("pki: %s: %d hosts; at most %d are accepted", path, len(c.DNSNames)+len(c.IPAddresses), maxHosts)
	}
	for _, h := range c.DNSNames {
		if CheckName(h) != nil {
			return nil, fmt.Errorf("pki: %s: the host %.80q is not a valid name", path, h)
		}
		if h != r.Name {
			r.Hosts = append(r.Hosts, h)
		}
	}
	for _, ip := range c.IPAddresses {
		r.Hosts = append(r.Hosts, ip.String())
	}
	return r, nil
}

// checkKey refuses a public key that is weak or of an unknown type.
func checkKey(public any) error {
	switch key := public.(type) {
	case *rsa.PublicKey:
		if n := key.N.BitLen(); n < minRSA || n > maxRSA {
			return fmt.Errorf("an RSA key of %d bits; %d to %d are accepted", n, minRSA, maxRSA)
		}
	case *ecdsa.PublicKey:
		if n := key.Curve.Params().BitSize; n < 256 {
			return fmt.Errorf("an ECDSA key of %d bits; 256 and more are accepted", n)
		}
	case ed25519.PublicKey:
	default:
		return errors.New("a key of an unknown type; ECDSA, Ed25519 and RSA are accepted")
	}
	return nil
}
