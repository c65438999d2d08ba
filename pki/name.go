package pki

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// identity is what a name looks like: what parties of jobs may be called, and
// a host's labels.
var identity = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)

// CheckName refuses what cannot be a certificate's name.
func CheckName(name string) error {
	_, err := netip.ParseAddr(name)
	if err == nil || !identity.MatchString(name) || strings.Contains(name, "..") {
		return fmt.Errorf("pki: %q is no name for a certificate (letters, digits, '.', '_' and '-', 63 at most, and no address)", name)
	}
	return nil
}

// PeerName is the verified name of the other side, "" if it has none.
func PeerName(s tls.ConnectionState) string {
	if len(s.VerifiedChains) == 0 {
		return ""
	}
	return nameOf(s.PeerCertificates[0])
}

// nameOf is a certificate's name: its CommonName if that is one of its DNS
// names too, or else "".
func nameOf(c *x509.Certificate) string {
	name := c.Subject.CommonName
	if CheckName(name) != nil || !slices.Contains(c.DNSNames, name) {
		return ""
	}
	return name
}

// wrongName says that a certificate is not of whom was expected there.
type wrongName struct{ want, got string }

func (e *wrongName) Error() string {
	if e.got == "" {
		return "pki: the certificate has no name (CommonName and DNS name alike)"
	}
	return fmt.Sprintf("pki: the certificate is %s's, not %s's", e.got, e.want)
}
