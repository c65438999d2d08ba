package pki

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
	"time"
)

// Server returns a TLS configuration for listeners. It requires and verifies client certificates, and negotiates
// only these ALPN protocols. Identity.Peer returns the client.
//
// In TLS 1.3 a server verifies the client's certificate after the client's handshake has ended: a client learns
// of a refusal only at its first read.
func (id *Identity) Server(protos ...string) *tls.Config {
	c, _ := id.server(protos)
	return c
}

// server returns Server's configuration for one connection, and the client, which is set when its
// handshake has succeeded.
func (id *Identity) server(protos []string) (*tls.Config, *Peer) {
	c, peer := id.config(protos), new(Peer)
	c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &id.current().cert, nil }
	c.SessionTicketsDisabled = true
	// verify decides; crypto/tls checks the chain before it only because its own check can tell the
	// client by an alert whether the CA or the time is wrong. With pinned keys the CA need not be known.
	c.ClientAuth = tls.RequireAnyClientCert
	if pool := id.current().trust.pool(); pool != nil {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, pool
	}
	c.VerifyConnection = func(s tls.ConnectionState) error {
		p, err := id.current().trust.verify(s.PeerCertificates, x509.ExtKeyUsageClientAuth, time.Now())
		if err != nil {
			return err
		}
		*peer = p
		return checkProtocol(s, protos)
	}
	return c, peer
}

// Client returns a TLS configuration for dialling. It accepts only a server with this certificate name, whatever
// its address, and negotiates only the ALPN protocol proto.
func (id *Identity) Client(name, proto string) *tls.Config {
	c := id.config([]string{proto})
	c.ServerName = name
	c.InsecureSkipVerify = true // crypto/tls knows no organisations: VerifyConnection verifies the chain
	// By default crypto/tls sends no certificate if the server does not trust its CA;
	// the server would then report a missing certificate instead of the wrong CA.
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &id.current().cert, nil }
	c.VerifyConnection = func(s tls.ConnectionState) error {
		p, err := id.current().trust.verify(s.PeerCertificates, x509.ExtKeyUsageServerAuth, time.Now())
		if err != nil {
			return err
		}
		if p.Name != name {
			return refuse(WrongName, s.PeerCertificates[0], nil,
				"the server's certificate names %q, not %q (a wrong address, or a wrong certificate)", p, name)
		}
		return checkProtocol(s, []string{proto})
	}
	return c
}

func (id *Identity) config(protos []string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: protos}
}

// Peer returns the client of the connection with state s, which a listener with this identity has accepted. If
// the client's certificate is refused by now, because it has expired or its CA, name or key was removed, the
// error is a *RefusedError.
func (id *Identity) Peer(s tls.ConnectionState) (Peer, error) {
	return id.current().trust.verify(s.PeerCertificates, x509.ExtKeyUsageClientAuth, time.Now())
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
