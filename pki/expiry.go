package pki

import (
	"crypto/x509"
	"fmt"
	"time"
)

// WarnBefore is the time before a certificate's end at which warnings of its expiry begin.
const WarnBefore = 30 * day

// Expiry says until when one certificate is valid.
type Expiry struct {
	Of           string    `json:"of"`                     // the identity of the certificate's holder, or the CommonName of a CA
	CA           bool      `json:"ca,omitempty"`           // the certificate is that of a CA
	Organisation string    `json:"organisation,omitempty"` // organisation of the holder; "" for none
	Fingerprint  string    `json:"fingerprint"`            // as the function Fingerprint returns it
	Expires      time.Time `json:"expires"`                // end of the validity
	Warning      string    `json:"warning,omitempty"`      // text that warns of the expiry; "" before WarnBefore
}

// Expiries returns until when certificates are valid: first the identity's own, then those of the CAs that it
// trusts.
func (id *Identity) Expiries() []Expiry {
	s := id.current()
	out := []Expiry{newExpiry(s.cert.Leaf, s.peer.String(), s.peer.Organisation)}
	for _, a := range s.trust.organisations {
		for _, c := range a.cas {
			out = append(out, newExpiry(c, c.Subject.CommonName, a.Name))
		}
	}
	return out
}

func newExpiry(c *x509.Certificate, of, organisation string) Expiry {
	return Expiry{of, c.IsCA, organisation, Fingerprint(c), c.NotAfter.UTC(), expiryWarning(c, time.Now())}
}

// expiryWarning returns what to say about a certificate's end at a time; "" if it is far.
func expiryWarning(c *x509.Certificate, now time.Time) string {
	remedy := "request and sign a new one: tacet cert request --renew, tacet cert sign"
	if c.IsCA {
		remedy = "create a new CA, and list both until all certificates are replaced"
	}
	switch left := c.NotAfter.Sub(now); {
	case left > WarnBefore:
		return ""
	case left <= 0:
		return fmt.Sprintf("expired at %s (%s)", date(c.NotAfter), remedy)
	default:
		return fmt.Sprintf("expires in %d days, at %s (%s)", int(left/day), date(c.NotAfter), remedy)
	}
}

// OpenTrust returns the names of the CAs that may each issue any name, if there are at least two; otherwise nil.
// With such a configuration the holders of one CA could take the names of another's.
func (id *Identity) OpenTrust() []string {
	var out []string
	for _, a := range id.current().trust.organisations {
		for _, c := range a.cas {
			if a.any {
				out = append(out, describeCA(c))
			}
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
