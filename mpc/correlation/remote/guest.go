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

// Guest is the dealer's end of a connection to a party.
type Guest struct {
	Hello
	line *line
}

// helloTime is how many times the silence a party may take for its hello: who
// goes on and on with it is no party.
const helloTime = 2

// Accept reads what a party says first. The connection is the guest's from now
// on; after an error it is closed, and the party knows why.
func Accept(conn net.Conn, w link.Watch) (*Guest, error) {
	g := &Guest{line: newLine(conn, w)}
	if w.Silence > 0 {
		g.line.until.Store(time.Now().Add(helloTime * w.Silence).UnixNano())
	}
	h, err := g.hello()
	g.line.until.Store(0)
	if err != nil {
		g.End(err.Error())
		return nil, err
	}
	g.Hello = *h
	return g, nil
}

func (g *Guest) hello() (*Hello, error) {
	kind, n, err := g.line.next()
	if err != nil {
		return nil, err
	}
	if kind != frameHello {
		return nil, &otherKind{kind, n}
	}
	data, err := g.line.body(n)
	if err != nil {
		return nil, err
	}
	return decodeHello(data)
}

// Form reads the order form of the party that sends it, within limits, and
// compares it with the digest. held is what its maps take, bytes.
func (g *Guest) Form(l correlation.Limits) (f *correlation.Form, held int64, err error) {
	if g.Length > l.Bytes {
		return nil, 0, fmt.Errorf("an order form of %d bytes is more than the dealer takes, %d (limits: form in its configuration)", g.Length, l.Bytes)
	}
	l.Bytes = g.Length
	frames := &joined{line: g.line, kind: frameForm}
	// Deflated, nothing gets much longer.
	packed := bufio.NewReaderSize(io.LimitReader(frames, g.Length+g.Length/8+1024), maxFrame)
	z, sum := flate.NewReader(packed), sha256.New()
	f, held, err = correlation.DecodeForm(io.TeeReader(z, sum), l)
	if frames.err != nil {
		return nil, 0, frames.err
	}
	if err != nil {
		return nil, 0, err
	}
	if [32]byte(sum.Sum(nil)) != g.Digest || packed.Buffered() > 0 || frames.left > 0 {
		return nil, 0, errors.New("the order form that came is not the one that was announced")
	}
	return f, held, nil
}

// Give gives the party its seed.
func (g *Guest) Give(s ring.Seed) error { return g.line.write(frameSeed, s[:]) }

// Records is what the records of corrections are written to.
func (g *Guest) Records() io.Writer { return pieces{g.line, frameRecords} }

// Finish tells the party that all has been dealt.
func (g *Guest) Finish() error { return g.line.write(frameDone, nil) }

// Next reads until the party needs nothing more, or has ended the session or is
// lost: then it says why. In a session of turns it may order more: then the
// guest has that order's digest and length.
func (g *Guest) Next() (more bool, err error) {
	kind, n, err := g.line.next()
	if err == nil && kind == frameNext && g.Turns {
		data, err := g.line.body(n)
		if err == nil {
			err = g.Hello.next(data)
		}
		return true, err
	}
	if err == nil && (kind != frameBye || n != 0) {
		return false, &otherKind{kind, n}
	}
	g.line.heard = true
	return false, err
}

// Tell says why the session ends to a party that somebody reads from (Form,
// Next), who then closes it.
func (g *Guest) Tell(reason string) { g.line.end(reason) }

// End says why the session ends, and closes it.
func (g *Guest) End(reason string) {
	if !g.line.heard {
		g.line.end(reason)
	}
	g.Close()
}

// Close hangs up: at once where the party has left, and else when it has heard
// what it was told.
func (g *Guest) Close() { g.line.part() }
