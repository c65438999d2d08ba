package pki

import (
	"crypto/tls"
	"fmt"
	"slices"
)

// Server is for listeners: it asks all who dial for a certificate and verifies
// it, and speaks the given protocols only. Who it was says PeerName.
//
// In TLS 1.3 a server judges the client's certificate after the client's
// handshake has ended: a client learns at its first read that it was refused.
func (id *Identity) Server(protos ...string) *tls.Config {
	c := id.config(protos)
	c.ClientAuth = tls.RequireAndVerifyClientCert
	c.ClientCAs = id.roots
	c.SessionTicketsDisabled = true
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if PeerName(s) == "" {
			return &wrongName{}
		}
		return agreed(s, protos)
	}
	return c
}

// Client is for dialling: whatever the address, only the one of that name is
// talked to, and only in that protocol.
func (id *Identity) Client(name, proto string) *tls.Config {
	c := id.config([]string{proto})
	c.RootCAs = id.roots
	c.ServerName = name
	// By default a certificate of a CA that the server does not trust is kept
	// back, and the server says that there is none instead of what is wrong.
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &id.cert, nil }
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if got := PeerName(s); got != name {
			return &wrongName{name, got}
		}
		return agreed(s, []string{proto})
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

// wrongProtocol says that the other side did not choose a protocol that this
// one speaks; with one that names none at all crypto/tls is content.
type wrongProtocol struct{ want []string }

func (e *wrongProtocol) Error() string {
	return fmt.Sprintf("pki: no protocol of %q was agreed on", e.want)
}

func agreed(s tls.ConnectionState, protos []string) error {
	if !slices.Contains(protos, s.NegotiatedProtocol) {
		return &wrongProtocol{protos}
	}
	return nil
}
