package pki

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outcome is the outcome of a handshake at both sides: the error and the peer's name.
type outcome struct {
	err  error
	name string
}

// connectPair connects a client to a server over TCP. client makes the client's side of the connection; it
// returns nil if it does not speak TLS. A client whose handshake succeeds sends a message before it
// waits for an answer, as Tacet's clients do.
func connectPair(t *testing.T, server *tls.Config, client func(net.Conn) *tls.Conn) (there, here outcome) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan outcome, 1)
	go func() {
		raw, err := l.Accept()
		if err != nil {
			done <- outcome{err: err}
			return
		}
		defer raw.Close()
		c := tls.Server(raw, server)
		if err := Handshake(t.Context(), c, "client"); err != nil {
			done <- outcome{err: err}
			return
		}
		_, err = io.Copy(c, io.LimitReader(c, 5))
		done <- outcome{Explain(err, "client"), nameOf(c.ConnectionState().PeerCertificates[0])}
	}()
	raw, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	raw.SetDeadline(time.Now().Add(10 * time.Second))
	c := client(raw)
	if c == nil {
		_, err = raw.Write([]byte("GET / HTTP/1.0\r\n\r\n"))
		here.err = err
		raw.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, raw)
		return <-done, here
	}
	if here.err = Handshake(t.Context(), c, "bob"); here.err == nil {
		_, err := c.Write([]byte("hello"))
		if err == nil {
			_, err = io.ReadFull(c, make([]byte, 5))
		}
		here = outcome{Explain(err, "bob"), nameOf(c.ConnectionState().PeerCertificates[0])}
	}
	raw.Close()
	return <-done, here
}

// dials returns a client that dials correctly for the expected name and protocol.
func dials(c *tls.Config) func(net.Conn) *tls.Conn {
	return func(raw net.Conn) *tls.Conn { return tls.Client(raw, c) }
}

const proto = "tacet-session/1"

func TestTwoMeet(t *testing.T) {
	_, ids := issued(t, "Alice_1", "bob")
	alice, bob := ids[0], ids[1]
	there, here := connectPair(t, bob.Server("http/1.1", proto), dials(alice.Client("bob", proto)))
	if there.err != nil || here.err != nil || there.name != "Alice_1" || here.name != "bob" {
		t.Errorf("server: %+v; client: %+v", there, here)
	}
	if there, here = connectPair(t, alice.Server(proto), dials(bob.Client("Alice_1", proto))); there.err != nil || here.err != nil {
		t.Errorf("server: %+v; client: %+v", there, here)
	}
	o := newOwn(t)
	carol, err := Load(o.leaf(x509.Certificate{Subject: pkix.Name{CommonName: "carol"}, DNSNames: []string{"carol"}}))
	if err != nil {
		t.Fatal(err)
	}
	there, here = connectPair(t, carol.Server(proto), dials(carol.Client("carol", proto)))
	if there.err != nil || here.err != nil || there.name != "carol" || here.name != "carol" {
		t.Errorf("with a chain: server: %+v; client: %+v", there, here)
	}
}

// A peer with the wrong name, CA, protocol or TLS version is refused, and both sides explain why.
func TestUntrustedPeers(t *testing.T) {
	dir, ids := issued(t, "alice", "bob", "mallory")
	alice, bob, mallory := ids[0], ids[1], ids[2]
	_, foreign := issued(t, "alice", "bob")
	past := Options{From: time.Now().Add(-2 * day), Valid: day}
	future := Options{From: time.Now().Add(day), Valid: day}
	changed := func(c *tls.Config, f func(*tls.Config)) *tls.Config { f(c); return c }
	for _, c := range []struct {
		name        string
		server      *tls.Config
		client      func(net.Conn) *tls.Conn
		there, here string // each side's message; "" if it sees no error
	}{
		{"another name", mallory.Server(proto), dials(alice.Client("bob", proto)),
			"client: does not accept this side's certificate", `bob: the server's certificate names "mallory", not "bob"`},
		{"another's host name", issueHost(t, dir, "eve", "bob").Server(proto), dials(alice.Client("bob", proto)),
			"client: does not accept this side's certificate", `bob: the server's certificate names "eve", not "bob"`},
		{"an expired client", bob.Server(proto), dials(issue(t, dir, "late", past).Client("bob", proto)),
			`client: the certificate of "late" expired at `, "bob: says that this side's certificate has expired or is not valid yet"},
		{"an expired server", issue(t, dir, "late2", past).Server(proto), dials(alice.Client("late2", proto)),
			"client: does not accept this side's certificate", `bob: the certificate of "late2" expired at `},
		{"a client from the future", bob.Server(proto), dials(issue(t, dir, "early", future).Client("bob", proto)),
			`client: the certificate of "early" is not valid before `, "bob: says that this side's certificate has expired or is not valid yet"},
		{"a client of another CA", bob.Server(proto), dials(newIdentity(&state{Peer{"alice", ""}, foreign[0].current().cert, bob.current().trust}).Client("bob", proto)),
			`client: the certificate of "alice" is signed by "tacet CA `, "bob: does not trust the CA of this side's certificate"},
		{"a server of another CA", foreign[1].Server(proto), dials(alice.Client("bob", proto)),
			"client: does not accept this side's certificate", `bob: the certificate of "bob" is signed by "tacet CA `},
		{"no certificate", bob.Server(proto), dials(changed(alice.Client("bob", proto), func(c *tls.Config) { c.GetClientCertificate = nil })),
			"client: presented no certificate", "bob: requires a certificate from this side"},
		{"a certificate without a name", bob.Server(proto), dials(nameless(t, dir).Client("bob", proto)),
			"client: the certificate has no name", "bob: does not accept this side's certificate"},
		{"no TLS", bob.Server(proto), func(net.Conn) *tls.Conn { return nil },
			"client: does not speak TLS", ""},
		{"TLS 1.2", bob.Server(proto), dials(changed(alice.Client("bob", proto), func(c *tls.Config) { c.MinVersion, c.MaxVersion = 0, tls.VersionTLS12 })),
			"client: does not speak TLS 1.3", "bob: does not speak TLS 1.3"},
		{"a server of TLS 1.2", changed(bob.Server(proto), func(c *tls.Config) { c.MinVersion, c.MaxVersion = 0, tls.VersionTLS12 }), dials(alice.Client("bob", proto)),
			"client: does not speak TLS 1.3", "bob: does not speak TLS 1.3"},
		{"another protocol", bob.Server(proto), dials(alice.Client("bob", "tacet-session/2")),
			"client: does not speak this side's protocol", "bob: does not speak this side's protocol"},
		{"a client without a protocol", bob.Server(proto), dials(changed(alice.Client("bob", proto), func(c *tls.Config) { c.NextProtos, c.VerifyConnection = nil, nil })),
			"client: does not speak this side's protocol", "bob: does not accept this side's certificate"},
		{"a server without a protocol", changed(bob.Server(), func(c *tls.Config) { c.VerifyConnection = nil }), dials(alice.Client("bob", proto)),
			"client: does not accept this side's certificate", "bob: does not speak this side's protocol"},
	} {
		t.Run(c.name, func(t *testing.T) {
			there, here := connectPair(t, c.server, c.client)
			for _, side := range []struct {
				name, want string
				got        outcome
			}{{"server", c.there, there}, {"client", c.here, here}} {
				switch {
				case side.want == "":
					if side.got.err != nil {
						t.Errorf("%s: %v", side.name, side.got.err)
					}
				case side.got.err == nil || !strings.HasPrefix(side.got.err.Error(), side.want) || strings.Contains(side.got.err.Error(), "\n"):
					t.Errorf("%s: %v, want %s", side.name, side.got.err, side.want)
				case errors.Unwrap(side.got.err) == nil:
					t.Errorf("%s: the cause of %v is lost", side.name, side.got.err)
				}
			}
		})
	}
}

// issueHost returns an identity with a further host name.
func issueHost(t *testing.T, dir, name, host string) *Identity {
	t.Helper()
	f, err := Issue(dir, name, Options{}, host)
	if err != nil {
		t.Fatal(err)
	}
	id, err := Load(f)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// nameless returns an identity whose certificate has no DNS name.
func nameless(t *testing.T, dir string) *Identity {
	t.Helper()
	ca, err := loadCA(dir)
	if err != nil {
		t.Fatal(err)
	}
	id := issue(t, dir, "named", Options{})
	c, err := newTemplate(time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	c.Subject = pkix.Name{CommonName: "alice"}
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	raw, err := x509.CreateCertificate(nil, c, ca.cert, id.current().cert.Leaf.PublicKey, ca.signer)
	if err != nil {
		t.Fatal(err)
	}
	s := *id.current()
	s.cert.Certificate, s.cert.Leaf = [][]byte{raw}, nil
	return newIdentity(&s)
}

func TestExplainOthers(t *testing.T) {
	if Explain(nil, "bob") != nil {
		t.Error("nothing is something")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, refused := net.Dial("tcp", l.Addr().String())
	for _, c := range []struct {
		err  error
		want string
	}{
		{refused, "bob: dial tcp " + l.Addr().String() + ": connect: connection refused"},
		{context.DeadlineExceeded, "bob: did not answer in time"},
		{io.EOF, "bob: closed the connection during the handshake (if it has too many connections at once, its log says so)"},
		{io.ErrClosedPipe, "bob: io: read/write on closed pipe"},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(80)}, "bob: ended the handshake: tls: internal error"},
	} {
		got := Explain(c.err, "bob")
		if got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("%v, want %s", got, c.want)
		}
		if again := Explain(fmt.Errorf("get: %w", got), "bob"); again != got {
			t.Errorf("explained again: %v", again)
		}
	}
}

// A client that sends nothing or disconnects does not block others.
func TestHandshakeEnds(t *testing.T) {
	_, ids := issued(t, "alice")
	for _, c := range []struct {
		name string
		act  func(net.Conn)
		want string
	}{
		{"silent", func(net.Conn) {}, "peer: did not answer in time"},
		{"gone", func(c net.Conn) { c.Close() }, "peer: closed the connection during the handshake (if it has too many connections at once, its log says so)"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		raw, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		other, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		c.act(other)
		if err := Handshake(ctx, tls.Server(raw, ids[0].Server(proto)), "peer"); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		cancel()
		if _, err := raw.Write([]byte{0}); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: the connection is open: %v", c.name, err)
		}
		other.Close()
	}
}
