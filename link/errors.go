package link

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/tacet-mpc/tacet/problem"
)

// PeerError says that the connection to the peer of rank Rank has failed, for the reason Err. Its kind is
// problem.PeerLost.
type PeerError struct {
	Rank int
	Err  error
}

// Error returns the peer's rank and the text of Err, such as "link: party 1: closed the connection".
func (e *PeerError) Error() string { return fmt.Sprintf("link: party %d: %v", e.Rank, e.Err) }

// Unwrap returns Err.
func (e *PeerError) Unwrap() error { return e.Err }

// Is reports whether target is problem.PeerLost, the kind of every PeerError.
func (e *PeerError) Is(target error) bool { return target == problem.PeerLost }

// Describe sets the kind of p if it is empty.
func (e *PeerError) Describe(p *problem.Problem) { p.SetKind(problem.PeerLost) }

// Aborted is the error of a connection whose peer has aborted. Reason is the peer's reason, one line of text.
type Aborted struct{ Reason string }

// Error returns the reason that the peer gave.
func (e *Aborted) Error() string { return e.Reason }

// ErrGone is the error, wrapped in a PeerError, of a connection whose peer has closed its endpoint in an orderly
// way. If a peer died, the connection breaks off and has another error.
var ErrGone = errors.New("closed the connection")

// lostError is the error of a connection that ended without a reason from the peer.
type lostError struct {
	what string
	err  error
}

func (e *lostError) Error() string { return e.what }

// Unwrap is the cause.
func (e *lostError) Unwrap() error { return e.err }

// Lost returns an error with a clear text if err, with which a connection to a peer ended, is one that a dead
// process, an interrupted connection or corrupted bytes cause, over TLS or not. It returns other errors
// unchanged.
func Lost(err error) error {
	var op *net.OpError
	var header tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE),
		errors.Is(err, io.ErrClosedPipe):
		return &lostError{"the connection broke off", err}
	case errors.As(err, &op) && op.Op == "local error": // what crypto/tls returns for records that it cannot decrypt
		return &lostError{fmt.Sprintf("the connection delivered corrupted data (%v)", op.Err), err}
	case errors.As(err, &header):
		return &lostError{fmt.Sprintf("the connection delivered corrupted data (%v)", header), err}
	case errors.As(err, &op) && op.Op == "remote error":
		return &lostError{fmt.Sprintf("ended the connection (%v)", op.Err), err}
	}
	return err
}

// maxReason bounds the reason of an abort, in bytes.
const maxReason = 1 << 10

// printable is a text as one line of at most maxReason bytes without unprintable characters.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n', r == '\r', r == '\t':
			r = ' '
		case !unicode.IsPrint(r):
			r = utf8.RuneError
		}
		if b.Len()+utf8.RuneLen(r) > maxReason {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
