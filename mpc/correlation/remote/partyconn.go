package remote

import (
	"bufio"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// PartyConn is the dealer's end of the connection to one party. Hello is what the party sent first.
type PartyConn struct {
	Hello
	line *line
}

// helloTimeouts is the number of heartbeat timeouts that a party may take to send its hello: a
// party that trickles it is dropped.
const helloTimeouts = 2

// Accept takes over conn, reads the hello of the party at its other end and returns the connection. w sets the
// heartbeats and timeouts. After an error the connection is closed, and the party has been sent the reason.
func Accept(conn net.Conn, w link.Heartbeat) (*PartyConn, error) {
	g := &PartyConn{line: newLine(conn, w)}
	if w.Timeout > 0 {
		g.line.deadline.Store(time.Now().Add(helloTimeouts * w.Timeout).UnixNano())
	}
	h, err := g.hello()
	g.line.deadline.Store(0)
	if err != nil {
		g.End(err.Error())
		return nil, err
	}
	g.Hello = *h
	return g, nil
}

func (g *PartyConn) hello() (*Hello, error) {
	kind, n, err := g.line.next()
	if err != nil {
		return nil, err
	}
	if kind != frameHello {
		return nil, &unexpectedFrame{kind, n}
	}
	data, err := g.line.body(n)
	if err != nil {
		return nil, err
	}
	return decodeHello(data)
}

// Manifest reads the correlation manifest, at the party that sends it, and checks it against the digest of the hello.
// It returns an error if the manifest is beyond the limits l, malformed or another one. held is the size of the
// manifest's maps in bytes.
func (g *PartyConn) Manifest(l correlation.Limits) (f *correlation.Manifest, held int64, err error) {
	if g.Length > l.Bytes {
		return nil, 0, fmt.Errorf("a correlation manifest of %d bytes is more than the dealer takes, %d (limits: manifest in its configuration)", g.Length, l.Bytes)
	}
	l.Bytes = g.Length
	frames := &frameReader{line: g.line, kind: frameManifest}
	// Deflate lengthens incompressible data by far less than an eighth.
	packed := bufio.NewReaderSize(io.LimitReader(frames, g.Length+g.Length/8+1024), maxFrame)
	z, sum := flate.NewReader(packed), sha256.New()
	f, held, err = correlation.DecodeManifest(io.TeeReader(z, sum), l)
	if frames.err != nil {
		return nil, 0, frames.err
	}
	if err != nil {
		return nil, 0, err
	}
	if [32]byte(sum.Sum(nil)) != g.Digest || packed.Buffered() > 0 || frames.left > 0 {
		return nil, 0, errors.New("the correlation manifest does not match the digest of the hello")
	}
	return f, held, nil
}

// SendSeed sends the party the seed that it shares with the dealer.
func (g *PartyConn) SendSeed(s ring.Seed) error { return g.line.write(frameSeed, s[:]) }

// Records returns a writer to which the dealer writes the records of corrections (correlation.WriteRecord).
func (g *PartyConn) Records() io.Writer { return frameWriter{g.line, frameRecords} }

// SendDone tells the party that all corrections of the manifest have been sent.
func (g *PartyConn) SendDone() error { return g.line.write(frameDone, nil) }

// Next blocks until the party needs nothing more, and returns nil, or until the party has ended the session or is
// lost, and returns the reason. In a service's session the party may send a further manifest: then more is true, and
// the fields Digest and Length are those of that manifest.
func (g *PartyConn) Next() (more bool, err error) {
	kind, n, err := g.line.next()
	if err == nil && kind == frameNext && g.Service {
		data, err := g.line.body(n)
		if err == nil {
			err = g.Hello.setNext(data)
		}
		return true, err
	}
	if err == nil && (kind != frameBye || n != 0) {
		return false, &unexpectedFrame{kind, n}
	}
	g.line.peerDone = true
	return false, err
}

// SendEnd tells the party that the dealer ends the session early, with the reason as text. Use it instead of End if
// another goroutine reads from the party (Manifest, Next); that goroutine then closes the connection.
func (g *PartyConn) SendEnd(reason string) { g.line.end(reason) }

// End tells the party that the dealer ends the session early, with the reason as text, and closes the connection. It
// sends nothing if the party has left.
func (g *PartyConn) End(reason string) {
	if !g.line.peerDone {
		g.line.end(reason)
	}
	g.Close()
}

// Close closes the connection: at once if the party has left, otherwise when the party has read what was sent, but
// after one second at the latest.
func (g *PartyConn) Close() { g.line.finish() }
