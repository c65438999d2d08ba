package pki

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// A listener returns callers with name and protocol, and reports refused connections.
func TestListen(t *testing.T) {
	_, ids := issued(t, "alice", "bob")
	_, strangers := issued(t, "alice")
	refused := make(chan error, 1)
	l, err := Listen("127.0.0.1:0", ids[1], func(from string, err error) { refused <- err }, "one/1", "two/1")
	if err != nil {
		t.Fatal(err)
	}
	dialled := make(chan error, 1)
	go func() {
		c, err := Dial(t.Context(), ids[0], "bob", l.Address(), "two/1")
		if err == nil {
			_, err = c.Write([]byte("hello"))
			c.Close()
		}
		dialled <- err
	}()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "alice" || c.Proto != "two/1" {
		t.Errorf("%s has called for %s", c.Name, c.Proto)
	}
	if text, err := io.ReadAll(c); err != nil || string(text) != "hello" {
		t.Errorf("%q, %v", text, err)
	}
	c.Close()
	if err := <-dialled; err != nil {
		t.Error(err)
	}
	if c, err := Dial(t.Context(), strangers[0], "bob", l.Address(), "one/1"); err == nil {
		c.Close()
		t.Error("another CA's bob is taken for bob")
	}
	if err := <-refused; err == nil {
		t.Error("a stranger was let in")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if _, err := Dial(t.Context(), ids[0], "bob", l.Address(), "one/1"); err == nil || !strings.Contains(err.Error(), "cannot reach bob: ") {
		t.Error(err)
	}
}

// Close ends a handshake in progress and a waiting Accept.
func TestListenCloses(t *testing.T) {
	_, ids := issued(t, "alice")
	l, err := Listen("127.0.0.1:0", ids[0], func(string, error) {}, "one/1")
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := net.Dial("tcp", l.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	accepted := make(chan error, 1)
	go func() { _, err := l.Accept(); accepted <- err }()
	l.Close()
	if err := <-accepted; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}
