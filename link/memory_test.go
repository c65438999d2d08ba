package link

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestPipeIsAStream(t *testing.T) {
	const most, longest = 6, pipeSize + 5
	// All checks write the start of one stream and read into one buffer: new memory takes more time than what is tested.
	stream, buffer := make([]byte, most*longest), make([]byte, pipeSize)
	rand.NewChaCha8([32]byte{}).Read(stream)
	rapid.Check(t, func(rt *rapid.T) {
		writes := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 100, 70_000, 1 << 20, longest}), 0, most).Draw(rt, "writes")
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int{1, 3, 4096, 1 << 20, pipeSize}), 1, 4).Draw(rt, "reads")
		length := 0
		for _, n := range writes {
			length += n
		}
		want := stream[:length]
		p := newPipe(Shape{})
		go func() {
			rest := want
			for _, n := range writes {
				p.Write(rest[:n])
				rest = rest[n:]
			}
			p.close(io.EOF)
		}()
		got, small := 0, 0
		for i := 0; ; i++ {
			size := sizes[i%len(sizes)]
			if size < 4096 { // some small reads, not millions
				if small++; small > 1000 {
					size = 4096
				}
			}
			n, err := p.Read(buffer[:size])
			if n > len(want)-got || !bytes.Equal(buffer[:n], want[got:got+n]) {
				rt.Fatalf("%d bytes from byte %d of %d on became others", n, got, len(want))
			}
			got += n
			if err == io.EOF {
				break
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		if got != len(want) {
			rt.Fatalf("%d bytes became %d", len(want), got)
		}
	})
}

func TestPipeIsBounded(t *testing.T) {
	p := newPipe(Shape{})
	written := make(chan int)
	go func() {
		n, _ := p.Write(make([]byte, pipeSize+1))
		written <- n
	}()
	select {
	case <-written:
		t.Error("a full pipe takes more")
	case <-time.After(20 * time.Millisecond):
	}
	if n, err := p.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
	within(t, "the write", func() {
		if n := <-written; n != pipeSize+1 {
			t.Errorf("wrote %d", n)
		}
	})
}

func TestClosedPipe(t *testing.T) {
	p := newPipe(Shape{})
	p.Write([]byte("rest"))
	p.close(io.EOF)
	p.close(io.ErrClosedPipe) // the first counts
	if _, err := p.Write([]byte("x")); err != io.ErrClosedPipe {
		t.Errorf("write: %v", err)
	}
	b, err := io.ReadAll(struct{ io.Reader }{p})
	if string(b) != "rest" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	full := newPipe(Shape{})
	full.Write(make([]byte, pipeSize))
	failed := make(chan error)
	go func() { _, err := full.Write([]byte("x")); failed <- err }()
	full.close(io.EOF)
	within(t, "a blocked write", func() {
		if err := <-failed; err != io.ErrClosedPipe {
			t.Errorf("blocked write: %v", err)
		}
	})
}

func TestDuplexCloses(t *testing.T) {
	a, b := newPipe(Shape{}), newPipe(Shape{})
	x, y := duplex{a, b}, duplex{b, a}
	x.Write([]byte("bye"))
	x.Close()
	got, err := io.ReadAll(struct{ io.Reader }{y})
	if string(got) != "bye" || err != nil {
		t.Errorf("the peer read %q, %v", got, err)
	}
	if _, err := y.Write([]byte("late")); err == nil {
		t.Error("the peer can still write")
	}
	if _, err := x.Read(make([]byte, 1)); err != io.ErrClosedPipe {
		t.Errorf("own read: %v", err)
	}
}
