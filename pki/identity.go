package pki

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// Files are the paths of an identity's PEM files, as configurations list them under tls.
type Files struct {
	Cert string // the certificate, followed by intermediate certificates if there are any
	Key  string // its private key
	// CA is the path of the certificates of the trusted CAs, each of which may issue any name; "" if
	// Organisations says who may issue which.
	CA            string
	Organisations []Organisation
}

// Paths reads an identity's files from a configuration, with paths relative to it.
func Paths(f *Files) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		ca := func(key string, v yamlfile.Value) error {
			if v.IsMapping() {
				return organisations(&f.Organisations)(key, v)
			}
			return yamlfile.Path(&f.CA)(key, v)
		}
		return v.Mapping(key, yamlfile.Fields{"cert": yamlfile.Path(&f.Cert), "key": yamlfile.Path(&f.Key), "ca": ca})
	}
}

// HasCA reports whether the files name a CA or organisations.
func (f *Files) HasCA() bool { return f.CA != "" || f.Organisations != nil }

// CheckOwned refuses a name that no organisation owns. Without organisations every name is accepted.
func (f *Files) CheckOwned(name string) error {
	if f.Organisations == nil || slices.ContainsFunc(f.Organisations, func(o Organisation) bool { return o.owns(name) }) {
		return nil
	}
	return fmt.Errorf("no organisation under tls: ca may issue the name %s (add it to the names of its organisation)", name)
}

// Identity is a certificate with its private key, and the CAs that it trusts. It may be used while it
// is reloaded.
type Identity struct{ state atomic.Pointer[state] }

// state is what an Identity's files held when they were read.
type state struct {
	peer  Peer
	cert  tls.Certificate
	trust *trust
}

// newIdentity returns an identity with a state.
func newIdentity(s *state) *Identity {
	id := &Identity{}
	id.state.Store(s)
	return id
}

func (id *Identity) current() *state { return id.state.Load() }

// Name returns the certificate's name.
func (id *Identity) Name() string { return id.current().peer.Name }

// String returns the identity as policies spell it: NAME@ORGANISATION, or NAME without organisations.
func (id *Identity) String() string { return id.current().peer.String() }

// CheckIdentity returns an error if, under this configuration, no certificate can have the given identity
// (NAME, or NAME@ORGANISATION).
func (id *Identity) CheckIdentity(identity string) error {
	return id.current().trust.checkIdentity(identity)
}

// Load reads an identity and refuses one that every peer would refuse. Its errors name the file.
func Load(f Files) (*Identity, error) {
	s, err := load(f)
	if err != nil {
		return nil, err
	}
	return newIdentity(s), nil
}

// Reload reads the identity's files again, or other files. From then on handshakes use them; open
// connections stay. If they cannot be read or have another name, the identity stays as it was.
func (id *Identity) Reload(f Files) error {
	s, err := load(f)
	if err == nil && s.peer.Name != id.Name() {
		err = fmt.Errorf("pki: %s is the certificate of %s, not of %s", f.Cert, s.peer.Name, id.Name())
	}
	if err == nil {
		id.state.Store(s)
	}
	return err
}

func load(f Files) (*state, error) {
	chain, err := Read(f.Cert)
	if err != nil {
		return nil, err
	}
	trusted, err := loadTrust(f)
	if err != nil {
		return nil, err
	}
	cert, err := loadKeyPair(f, chain)
	if err != nil {
		return nil, err
	}
	if nameOf(chain[0]) == "" {
		return nil, fmt.Errorf("pki: %s: a certificate's CommonName must be one of its DNS names and a valid name, such as alice; the CommonName is %q, the DNS names are %q",
			f.Cert, chain[0].Subject.CommonName, chain[0].DNSNames)
	}
	s := &state{cert: cert, trust: trusted}
	for _, u := range []struct {
		usage x509.ExtKeyUsage
		of    string
	}{{x509.ExtKeyUsageClientAuth, "clients"}, {x509.ExtKeyUsageServerAuth, "servers"}} {
		s.peer, err = trusted.verify(chain, u.usage, time.Now())
		if e := (*RefusedError)(nil); errors.As(err, &e) {
			if e.Cause == WrongUse {
				e.text = fmt.Sprintf("the certificate is not for %s (clientAuth and serverAuth are both needed)", u.of)
			}
			e.text = f.Cert + ": " + e.text
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// loadKeyPair reads the private key of a certificate.
func loadKeyPair(f Files, chain []*x509.Certificate) (tls.Certificate, error) {
	key, err := readKeyFile(f.Key)
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

// readKeyFile reads a file with a private key, unless every user of the machine can.
func readKeyFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("pki: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("pki: %s: every user of this machine can access the key (chmod 600 %[1]s)", path)
	}
	return readFile(path)
}
