package pki

import (
	"crypto/x509"
	"fmt"
	"time"
)

// WarnBefore is the time before the end of a certificate from which on its expiry is warned of.
const WarnBefore = 30 * day

// Expiry says until when a certificate is valid.
type Expiry struct {
	Of           string    `json:"of"` // the identity, or the CommonName of a CA
	CA           bool      `json:"ca,omitempty"`
	Organisation string    `json:"organisation,omitempty"`
	Fingerprint  string    `json:"fingerprint"`
	Expires      time.Time `json:"expires"`
	Warning      string    `json:"warning,omitempty"` // set from WarnBefore on
}

// Expiries returns until when the identity's certificate is valid, followed by the certificates of the
// CAs that it trusts.
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

// OpenTrust returns the CAs that may each issue any name, if there are several; else nil. Only one
// organisation can be kept apart from strangers so.
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
