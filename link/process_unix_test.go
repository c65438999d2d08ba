//go:build unix

package link

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// childAddress makes this test binary a party in a process of its own, and has the address of the
// other party.
const childAddress = "TACET_LINK_TEST_PARTY"

func init() {
	addr := os.Getenv(childAddress)
	if addr == "" {
		return
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	e := NewEndpoint(1, []io.ReadWriteCloser{c, nil}, quick)
	e.Allow(0, 64<<20, 64<<20)
	e.Send(0, Key{Online, 0, 0}, 0, nil)
	gone := make(chan error)
	e.Await(0, nothing, func(_ Message, err error) { gone <- err })
	fmt.Println(<-gone)
	e.Close()
	os.Exit(0)
}

// A process that is stopped or killed is noticed by its peer, and notices itself when it continues.
func TestProcesses(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
		want   error
		says   string
	}{
		{"stopped", syscall.SIGSTOP, ErrSilent, "link: party 0: the connection broke off\n"},
		{"killed", syscall.SIGKILL, io.EOF, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), childAddress+"="+l.Addr().String())
			var says bytes.Buffer
			child.Stdout = &says
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			e := NewEndpoint(0, []io.ReadWriteCloser{nil, conn}, quick)
			w := await(e, 1, nothing)
			if r := get(t, await(e, 1, Key{Online, 0, 0})); r.err != nil {
				t.Fatal(r.err)
			}
			select { // it sends heartbeats only
			case r := <-w:
				t.Fatal(r.err)
			case <-time.After(2 * quick.Timeout):
			}
			if err := child.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			e.Send(1, Key{Online, 1, 0}, 0, make([]byte, 40<<20)) // more than the sockets' buffers hold
			r := get(t, w)
			var pe *PeerError
			if !errors.Is(r.err, c.want) || !errors.As(r.err, &pe) || pe.Rank != 1 {
				// A killed process resets connections with unread data.
				if c.want != io.EOF || !errors.Is(r.err, syscall.ECONNRESET) {
					t.Errorf("%v, want %v", r.err, c.want)
				}
			}
			within(t, "Close", e.Close)
			child.Process.Signal(syscall.SIGCONT)
			child.Wait()
			if says.String() != c.says {
				t.Errorf("it says %q, want %q", &says, c.says)
			}
		})
	}
}
