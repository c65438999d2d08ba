package pki

import (
	"crypto/x509"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// namePattern matches a certificate's name: a party name that can also be a DNS name.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)

// CheckName returns an error unless name can be a certificate's name: at most 63 letters, digits, dots,
// underscores and hyphens, and no IP address.
func CheckName(name string) error {
	_, err := netip.ParseAddr(name)
	if err == nil || !namePattern.MatchString(name) || strings.Contains(name, "..") {
		return fmt.Errorf("pki: %q is not a valid certificate name (at most 63 letters, digits, '.', '_' and '-'; no address)", name)
	}
	return nil
}

// nameOf returns a certificate's name: its CommonName if that is also one of its DNS names, else "".
func nameOf(c *x509.Certificate) string {
	name := c.Subject.CommonName
	if CheckName(name) != nil || !slices.Contains(c.DNSNames, name) {
		return ""
	}
	return name
}
