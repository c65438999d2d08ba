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

// Files has the paths of an identity's PEM files, as configurations list them under tls.
type Files struct {
	Cert string // path of the certificate, which intermediate certificates may follow
	Key  string // path of the certificate's private key
	// CA is the path of the certificates of the trusted CAs, each of which may issue any name; "" if
	// Organisations says which CA may issue which names.
	CA string
	// Organisations says which CA may issue which names; nil if CA is set.
	Organisations []Organisation
}

// Paths returns a yamlfile.Field that reads the files of an identity (the key tls of a configuration) into f.
// Relative paths are relative to the configuration's folder.
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

// HasCA reports whether CA or Organisations is set.
func (f *Files) HasCA() bool { return f.CA != "" || f.Organisations != nil }

// CheckOwned returns an error if no organisation may issue name. Without Organisations every name is accepted.
func (f *Files) CheckOwned(name string) error {
	if f.Organisations == nil || slices.ContainsFunc(f.Organisations, func(o Organisation) bool { return o.owns(name) }) {
		return nil
	}
	return fmt.Errorf("no organisation under tls: ca may issue the name %s (add it to the names of its organisation)", name)
}

// Identity is a certificate with its private key, together with the CAs or organisations that its holder trusts.
// Its methods may be called from several goroutines, also while it is reloaded. Load makes it.
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

// CheckIdentity returns an error if, under the configured organisations, no certificate can have this identity
// (NAME, or NAME@ORGANISATION).
func (id *Identity) CheckIdentity(identity string) error {
	return id.current().trust.checkIdentity(identity)
}

// Load reads the files of an identity. It returns an error that names the file if one cannot be read, or if
// every peer would refuse the certificate, for instance because it has expired.
func Load(f Files) (*Identity, error) {
	s, err := load(f)
	if err != nil {
		return nil, err
	}
	return newIdentity(s), nil
}

// Reload reads the identity from f, which may name the same files or others. Later handshakes use the new
// certificates; open connections stay. If the files cannot be read or have another name, Reload returns an error
// and the identity stays as it was.
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
