package pki

import (
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"time"
)

// Cause is the property of a certificate for which it was refused.
type Cause string

// The properties for which certificates are refused.
const (
	WrongName Cause = "name" // the certificate has no name, another name than expected, or one that no organisation may issue
	WrongCA   Cause = "CA"   // its CA is unknown, or may not issue its name
	WrongTime Cause = "time" // the certificate, or that of its CA, has expired or is not valid yet
	WrongUse  Cause = "use"  // the certificate is not for clients, or not for servers
	WrongKey  Cause = "key"  // its key is not the one that is pinned for its name
)

// RefusedError says for which property a certificate was refused, and what to do.
type RefusedError struct {
	Cause Cause // the property
	// Name is the certificate's CommonName. It is text that the other side has chosen, unless Cause is WrongTime
	// or WrongUse.
	Name string
	text string
	err  error
}

// Error returns why the certificate was refused, on one line.
func (e *RefusedError) Error() string { return "pki: " + e.text }

// Unwrap returns the error of package x509; nil if there is none.
func (e *RefusedError) Unwrap() error { return e.err }

// refuse returns a RefusedError about a certificate.
func refuse(cause Cause, c *x509.Certificate, err error, format string, args ...any) *RefusedError {
	return &RefusedError{cause, c.Subject.CommonName, fmt.Sprintf(format, args...), err}
}

// Fingerprint returns the SHA-256 hash of a certificate: "sha256:" and 64 hexadecimal digits.
func Fingerprint(c *x509.Certificate) string { return fingerprint(sha256.Sum256(c.Raw)) }

// KeyFingerprint returns the SHA-256 hash of a certificate's public key in the form in which configurations pin
// it: "sha256:" and 64 hexadecimal digits. It stays the same when a certificate is renewed with its key.
func KeyFingerprint(c *x509.Certificate) string {
	return fingerprint(sha256.Sum256(c.RawSubjectPublicKeyInfo))
}

// short returns the part of a fingerprint that messages show.
func short(fingerprint string) string { return fingerprint[:len("sha256:")+16] + "…" }

// describeCA names a CA in messages: its CommonName and fingerprint.
func describeCA(c *x509.Certificate) string {
	return fmt.Sprintf("%.80q %s", c.Subject.CommonName, short(Fingerprint(c)))
}

// refusal returns the RefusedError for an error of x509's Verify about a leaf; nil for another error.
func refusal(err error, leaf *x509.Certificate) *RefusedError {
	var (
		invalid x509.CertificateInvalidError
		unknown x509.UnknownAuthorityError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return refuse(WrongTime, leaf, err, "%s", describeExpiry(invalid.Cert, "", time.Now()))
	case errors.As(err, &invalid) && invalid.Reason == x509.IncompatibleUsage:
		return refuse(WrongUse, leaf, err, "the certificate is not for this use (clientAuth and serverAuth are both needed)")
	case errors.As(err, &unknown):
		return refuse(WrongCA, leaf, err,
			"the certificate of %.80q is signed by %.80q, a CA that is not trusted here (both sides need the same ca.crt)",
			leaf.Subject.CommonName, leaf.Issuer.CommonName)
	}
	return nil
}

// describeExpiry describes a certificate that is not valid at a time. organisation is the owner of the
// leaf's name; "" if there is none.
func describeExpiry(c *x509.Certificate, organisation string, now time.Time) string {
	of := fmt.Sprintf("%.80q", c.Subject.CommonName)
	if organisation != "" {
		of += " of " + organisation
	}
	what := "the certificate of " + of
	if c.IsCA {
		what = "the CA's certificate, of " + of + ","
	}
	if now.Before(c.NotBefore) {
		return fmt.Sprintf("%s is not valid before %s, and it is %s here (wait, or set the clock that is wrong)",
			what, date(c.NotBefore), date(now))
	}
	return fmt.Sprintf("%s expired at %s, and it is %s here (issue a new one, or set the clock that is wrong)",
		what, date(c.NotAfter), date(now))
}

// date formats a time for messages.
func date(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
