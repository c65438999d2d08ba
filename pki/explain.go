package pki

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

// explainedError is an error with an explanation as its text.
type explainedError struct {
	text string
	err  error
}

func (e *explainedError) Error() string { return e.text }

// Unwrap returns the cause.
func (e *explainedError) Unwrap() error { return e.err }

// Explain returns an error that says why a TLS connection to a peer failed: which certificate is wrong, why, and
// the remedy. It wraps err, which is an error of a handshake or, at clients, of the first read after one. peer
// is the peer's name or, at a server that does not know the name yet, its address. If there is no explanation,
// the result has err's text after the peer's name. An error that Explain has returned is returned unchanged, and
// nil for nil.
func Explain(err error, peer string) error {
	if err == nil {
		return nil
	}
	if done := (*explainedError)(nil); errors.As(err, &done) {
		return done
	}
	text, ok := describeRefusal(err)
	if !ok {
		text, ok = describeHandshakeError(err)
	}
	if !ok {
		text = err.Error()
	}
	return &explainedError{peer + ": " + text, err}
}

// describeRefusal describes what is wrong with a certificate of the other side; false if err is another
// error.
func describeRefusal(err error) (string, bool) {
	if e := (*RefusedError)(nil); errors.As(err, &e) {
		return e.text, true
	}
	if unverified := (*tls.CertificateVerificationError)(nil); errors.As(err, &unverified) && len(unverified.UnverifiedCertificates) > 0 {
		if e := refusal(err, unverified.UnverifiedCertificates[0]); e != nil {
			return e.text, true
		}
		return err.Error(), true
	}
	return "", false
}

// alerts describes the TLS alerts that a peer sends when it refuses a connection.
var alerts = map[tls.AlertError]string{
	42:  "does not accept this side's certificate: it expects another name or another CA (its log says which)",
	43:  "does not accept this side's certificate: it expects another kind of certificate",
	45:  "says that this side's certificate has expired or is not valid yet (tacet cert show prints its dates; compare the clocks)",
	46:  "does not accept this side's certificate (its log says why)",
	48:  "does not trust the CA of this side's certificate (both sides need the same ca.crt)",
	70:  "does not speak TLS 1.3",
	116: "requires a certificate from this side",
	120: "does not speak this side's protocol (another version, or a wrong address)",
}

// describeHandshakeError describes an error of a handshake other than a wrong certificate; false if
// there is no description. crypto/tls has no types for some errors: those are recognised by their
// texts.
func describeHandshakeError(err error) (string, bool) {
	var (
		op      *net.OpError
		header  tls.RecordHeaderError
		proto   *protocolError
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
		return "does not speak TLS (a wrong address, or another program)", true
	case says("unsupported versions"), says("unsupported protocol version"):
		return alerts[70], true
	case says("didn't provide a certificate"):
		return "presented no certificate", true
	case errors.As(err, &proto), says("unsupported application protocols"), says("unadvertised ALPN protocol"):
		return alerts[120], true
	case errors.As(err, &timeout) && timeout.Timeout():
		return "did not answer in time", true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "closed the connection during the handshake (if it has too many connections at once, its log says so)", true
	}
	return "", false
}
