package pki

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// explained is an error in other words.
type explained struct {
	text string
	err  error
}

func (e *explained) Error() string { return e.text }

// Unwrap is the cause.
func (e *explained) Unwrap() error { return e.err }

// Explain says in words why a TLS connection to a peer did not come about:
// whose certificate it is, what is wrong with it, and what can be done. It
// serves for errors of handshakes and, at clients, of the first read after
// one. A server that does not know yet who has dialled gives an address for
// the peer. What it has no words for it passes on with the peer's name, and
// what was explained already as it is.
func Explain(err error, peer string) error {
	if err == nil {
		return nil
	}
	if done := (*explained)(nil); errors.As(err, &done) {
		return done
	}
	text, ok := certificateFault(err, nil)
	if !ok {
		text, ok = handshakeFault(err)
	}
	if !ok {
		text = err.Error()
	}
	return &explained{peer + ": " + text, err}
}

// certificateFault says what is wrong with a certificate of the other side;
// leaf is the certificate in question where the error does not hold it.
func certificateFault(err error, leaf *x509.Certificate) (string, bool) {
	var (
		unverified *tls.CertificateVerificationError
		invalid    x509.CertificateInvalidError
		unknown    x509.UnknownAuthorityError
		host       x509.HostnameError
		name       *wrongName
	)
	if errors.As(err, &unverified) && len(unverified.UnverifiedCertificates) > 0 {
		leaf = unverified.UnverifiedCertificates[0]
	}
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return outOfDate(invalid.Cert), true
	case errors.As(err, &invalid) && invalid.Reason == x509.IncompatibleUsage:
		return "the certificate is not for this use (clientAuth and serverAuth are both needed)", true
	case errors.As(err, &unknown):
		if leaf == nil {
			leaf = unknown.Cert
		}
		return fmt.Sprintf("the certificate of %.80q is signed by %.80q, which is no CA that is trusted here (both sides need the same ca.crt)",
			leaf.Subject.CommonName, leaf.Issuer.CommonName), true
	case errors.As(err, &host):
		return fmt.Sprintf("the certificate there is that of %.80q, not of %.80q (a wrong address, or a wrong certificate)", host.Certificate.Subject.CommonName, host.Host), true
	case errors.As(err, &name) && name.got == "":
		return "the certificate there has no name (its CommonName must be one of its DNS names, such as alice)", true
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate there is that of %q, not of %q (a wrong address, or a wrong certificate)", name.got, name.want), true
	}
	return err.Error(), false
}

// outOfDate says that a certificate is not valid at this time.
func outOfDate(c *x509.Certificate) string {
	whose := fmt.Sprintf("the certificate of %.80q", c.Subject.CommonName)
	if c.IsCA {
		whose = fmt.Sprintf("the CA's certificate, of %.80q,", c.Subject.CommonName)
	}
	now := time.Now()
	if now.Before(c.NotBefore) {
		return fmt.Sprintf("%s is not valid before %s, and it is %s here (wait, or set the clock that is wrong)", whose, date(c.NotBefore), date(now))
	}
	return fmt.Sprintf("%s expired at %s, and it is %s here (issue a new one, or set the clock that is wrong)", whose, date(c.NotAfter), date(now))
}

// date is a time as errors show it.
func date(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// alerts are what the other side may say when it refuses.
var alerts = map[tls.AlertError]string{
	42:  "does not accept this side's certificate: another name or another CA is expected there (the log there says which)",
	43:  "does not accept this side's certificate: it is of another kind than expected there",
	45:  "says that this side's certificate has expired or is not valid yet (tacet cert show shows its dates; compare the clocks)",
	46:  "does not accept this side's certificate (the log there says why)",
	48:  "does not trust the CA of this side's certificate (both sides need the same ca.crt)",
	70:  "does not speak TLS 1.3",
	116: "wants a certificate from this side",
	120: "does not speak this side's protocol (another version, or a wrong address)",
}

// handshakeFault says what went wrong in a handshake other than the other
// side's certificate. Where crypto/tls has no types for its errors, their
// texts must do.
func handshakeFault(err error) (string, bool) {
	var (
		op      *net.OpError
		header  tls.RecordHeaderError
		proto   *wrongProtocol
		timeout net.Error
	)
	says := func(text string) bool { return strings.Contains(err.Error(), text) }
	if errors.As(err, &op) && op.Op == "remote error" {
		for code, text := range alerts {
			if op.Err.Error() == code.Error() {
				return text, true
			}
		}
		return "ended the handshake: " + op.Err.Error(), true
	}
	switch {
	case errors.As(err, &header):
		return "speaks no TLS (a wrong address, or not Tacet there)", true
	case says("unsupported versions"), says("unsupported protocol version"):
		return alerts[70], true
	case says("didn't provide a certificate"):
		return "showed no certificate", true
	case errors.As(err, &proto), says("unsupported application protocols"), says("unadvertised ALPN protocol"):
		return alerts[120], true
	case errors.As(err, &timeout) && timeout.Timeout():
		return "did not answer in time", true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "closed the connection during the handshake", true
	}
	return "", false
}
