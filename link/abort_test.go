package link

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// All peers receive the reason of an Abort, whatever else is being sent.
func TestAbort(t *testing.T) {
	overEach(t, 3, func(t *testing.T, ends []*Endpoint) {
		kept := Key{Online, 0, 9}
		ends[1].Send(0, kept, 2, []byte("kept"))
		arrives(t, ends[0], 1, kept)
		k := Key{Online, 0, 0}
		own := await(ends[1], 0, k)
		waits := map[int]<-chan received{0: await(ends[0], 1, k), 2: await(ends[2], 1, k)}
		other := await(ends[0], 2, k)
		for i := range uint32(20) {
			ends[1].Send(0, Key{Online, 1, i}, 0, make([]byte, 1<<20))
			ends[0].Send(1, Key{Online, 1, i}, 0, make([]byte, 1<<20))
		}
		within(t, "Abort", func() { ends[1].Abort("carol: silent for 5 s\non the way") })
		for rank, c := range waits {
			r := get(t, c)
			var pe *PeerError
			var a *Aborted
			if !errors.As(r.err, &pe) || pe.Rank != 1 || !errors.As(r.err, &a) || a.Reason != "carol: silent for 5 s on the way" {
				t.Errorf("party %d: %v", rank, r.err)
			}
		}
		if r := get(t, own); !errors.Is(r.err, ErrClosed) {
			t.Errorf("own wait: %v", r.err)
		}
		if r := get(t, await(ends[0], 1, kept)); r.err != nil || string(r.m.Data) != "kept" {
			t.Errorf("what had arrived: %q, %v", r.m.Data, r.err)
		}
		within(t, "a second Abort", func() { ends[1].Abort("again") })
		within(t, "Close", ends[1].Close)
		ends[2].Send(0, k, 0, nil)
		if r := get(t, other); r.err != nil {
			t.Errorf("another peer: %v", r.err)
		}
	})
}

// A peer that does not read delays Abort by the timeout at most.
func TestAbortWithoutReader(t *testing.T) {
	g := newGate()
	e := NewEndpoint(0, []io.ReadWriteCloser{nil, g}, Heartbeat{Timeout: 20 * time.Millisecond})
	e.Send(1, Key{Online, 0, 0}, 0, []byte{0})
	<-g.begun // and the write does not finish
	e.Send(1, Key{Online, 0, 1}, 0, []byte{0})
	within(t, "Abort", func() { e.Abort("enough") })
}

// What was sent before Close arrives, whatever the peer is sending.
func TestCloseDelivers(t *testing.T) {
	for range 20 {
		ends := wired(2, unbounded)
		for i := range uint32(50) {
			ends[1].Send(0, Key{Online, 1, i}, 0, make([]byte, 1<<16))
		}
		w := await(ends[1], 0, Key{Output, 0, 0})
		ends[0].Send(1, Key{Output, 0, 0}, 0, []byte("result"))
		within(t, "Close", ends[0].Close)
		if r := get(t, w); r.err != nil || string(r.m.Data) != "result" {
			t.Fatalf("%q, %v", r.m.Data, r.err)
		}
		within(t, "Close", ends[1].Close)
	}
}

// A reason is one bounded line of printable characters, on both sides.
func TestReasonsArePrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"bob: gone":                "bob: gone",
		" a\r\nb\tc\n":             "a  b c",
		"\x1b[31mred\x07":          "\ufffd[31mred\ufffd",
		"\xff\xfeé":                "\ufffd\ufffdé",
		strings.Repeat("a", 2000):  strings.Repeat("a", 1024),
		strings.Repeat("é€", 1000): strings.Repeat("é€", 204) + "é",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		raw := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 3000), func(b []byte) string { return string(b) }),
		).Draw(
			rt,
			"reason",
		)
		got := printable(raw)
		if len(got) > maxReason || !utf8.ValidString(got) || printable(got) != got ||
			strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			rt.Fatalf("%q became %q", raw, got)
		}
	})
	there, back := newPipe(Shape{}), newPipe(Shape{})
	e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil})
	w := await(e, 0, Key{Online, 0, 0})
	there.Write(wire(abortFrame("no\nlonger \x1b[2J")))
	if r := get(t, w); r.err == nil || r.err.Error() != "link: party 0: no longer \ufffd[2J" {
		t.Errorf("%v", r.err)
	}
	within(t, "Close", e.Close)
}

// A peer that violates the protocol is sent the reason.
func TestRefusals(t *testing.T) {
	two := append(encode(Key{Online, 1, 2}, Message{}), encode(Key{Online, 1, 2}, Message{})...)
	for _, c := range []struct {
		name string
		sent []byte
		want string
	}{
		{"a key twice", two, "sent online op 1 step 2 twice"},
		{"an unknown phase", encode(Key{Phase: 9}, Message{}), "sent a frame of phase 9 and 0 bytes"},
		{"too much", encode(Key{Phase: Setup}, Message{Data: make([]byte, 1<<20+1)}), "sent more than the plan says"},
	} {
		t.Run(c.name, func(t *testing.T) {
			there, back := newPipe(Shape{}), newPipe(Shape{})
			e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil})
			w := await(e, 0, Key{Online, 0, 0})
			there.Write(c.sent)
			if r := get(t, w); r.err == nil || r.err.Error() != "link: party 0: "+c.want {
				t.Errorf("%v", r.err)
			}
			said, err := io.ReadAll(struct{ io.Reader }{back})
			if want := wire(abortFrame("party 0 " + c.want)); err != nil || !bytes.Equal(said, want) {
				t.Errorf("the peer receives %q, %v", said, err)
			}
			there.close(io.EOF)
			within(t, "Close", e.Close)
		})
	}
}
