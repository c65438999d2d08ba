package pki

import (
	"crypto/tls"
	"fmt"
	"slices"
)

// Server returns a configuration for listeners. It requires and verifies client certificates and
// accepts only these ALPN protocols. PeerName returns the client's name.
//
// In TLS 1.3 a server verifies the client's certificate after the client's handshake has ended: a
// client learns of a refusal only at its first read.
func (id *Identity) Server(protos ...string) *tls.Config {
	c := id.config(protos)
	c.ClientAuth = tls.RequireAndVerifyClientCert
	c.ClientCAs = id.roots
	c.SessionTicketsDisabled = true
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if PeerName(s) == "" {
			return &nameError{}
		}
		return checkProtocol(s, protos)
	}
	return c
}

// Client returns a configuration for dialling. It accepts only a server with this certificate name,
// whatever its address, and only this ALPN protocol.
func (id *Identity) Client(name, proto string) *tls.Config {
	c := id.config([]string{proto})
	c.RootCAs = id.roots
	c.ServerName = name
	// By default crypto/tls sends no certificate if the server does not trust its CA;
	// the server would then report a missing certificate instead of the wrong CA.
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &id.cert, nil }
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if got := PeerName(s); got != name {
			return &nameError{name, got}
		}
		return checkProtocol(s, []string{proto})
	}
	return c
}

func (id *Identity) config(protos []string) *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{id.cert},
		NextProtos:   protos,
	}
}

// protocolError says that no ALPN protocol of this side was negotiated. crypto/tls accepts a peer that
// names no protocol at all.
type protocolError struct{ want []string }

func (e *protocolError) Error() string {
	return fmt.Sprintf("pki: none of the protocols %q was negotiated", e.want)
}

// checkProtocol returns an error unless one of protos was negotiated.
func checkProtocol(s tls.ConnectionState, protos []string) error {
	if !slices.Contains(protos, s.NegotiatedProtocol) {
		return &protocolError{protos}
	}
	return nil
}
