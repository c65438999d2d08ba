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
)

// PeerError says that the connection to a peer failed.
type PeerError struct {
	Rank int
	Err  error
}

func (e *PeerError) Error() string { return fmt.Sprintf("link: party %d: %v", e.Rank, e.Err) }

// Unwrap is the cause.
func (e *PeerError) Unwrap() error { return e.Err }

// Aborted is why a peer ended the connection, in its own words: one line.
type Aborted struct{ Reason string }

func (e *Aborted) Error() string { return e.Reason }

// ErrGone is what the connection to a peer fails with that closed its endpoint.
// One that died does not say so.
var ErrGone = errors.New("closed the connection")

// lost is a connection that ended without a word of the peer.
type lost struct {
	what string
	err  error
}

func (e *lost) Error() string { return e.what }

// Unwrap is the cause.
func (e *lost) Unwrap() error { return e.err }

// Lost says in words what an error means that a connection to a peer ended with,
// TLS or not: what a process leaves behind that died, a cable that was cut, bytes
// that were changed on the way. Other errors it passes on.
func Lost(err error) error {
	var op *net.OpError
	var header tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return &lost{"the connection broke off", err}
	case errors.As(err, &op) && op.Op == "local error": // crypto/tls, of what it cannot decrypt
		return &lost{fmt.Sprintf("the connection brought what the peer cannot have sent (%v)", op.Err), err}
	case errors.As(err, &header):
		return &lost{fmt.Sprintf("the connection brought what the peer cannot have sent (%v)", header), err}
	case errors.As(err, &op) && op.Op == "remote error":
		return &lost{fmt.Sprintf("ended the connection (%v)", op.Err), err}
	}
	return err
}

// maxReason bounds the reason of an abort, in bytes.
const maxReason = 1 << 10

// printable is a text as one line of at most maxReason bytes without anything
// that a terminal would not print.
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
