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

// namePattern matches a certificate's name: a party name that can also be a DNS name.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)

// CheckName refuses a text that cannot be a certificate's name.
func CheckName(name string) error {
	_, err := netip.ParseAddr(name)
	if err == nil || !namePattern.MatchString(name) || strings.Contains(name, "..") {
		return fmt.Errorf("pki: %q is not a valid certificate name (at most 63 letters, digits, '.', '_' and '-'; no address)", name)
	}
	return nil
}

// PeerName returns the verified name of the other side; "" if it has none.
func PeerName(s tls.ConnectionState) string {
	if len(s.VerifiedChains) == 0 {
		return ""
	}
	return nameOf(s.PeerCertificates[0])
}

// nameOf returns a certificate's name: its CommonName if that is also one of its DNS names, else "".
func nameOf(c *x509.Certificate) string {
	name := c.Subject.CommonName
	if CheckName(name) != nil || !slices.Contains(c.DNSNames, name) {
		return ""
	}
	return name
}

// nameError says that a certificate has another name than expected.
type nameError struct{ want, got string }

func (e *nameError) Error() string {
	if e.got == "" {
		return "pki: the certificate has no name (its CommonName must be one of its DNS names)"
	}
	return fmt.Sprintf("pki: the certificate names %s, not %s", e.got, e.want)
}
