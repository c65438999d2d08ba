package link

import (
	"errors"
	"testing"
	"time"
)

// forever is a shape over which nothing arrives while a test runs.
var forever = Shape{1e3, time.Minute}

// A message arrives when its last byte has: after those before it on its line, and half a round trip later. Other lines are not in its way.
func TestShapedIsNotEarly(t *testing.T) {
	shape := Shape{Bits: 8e7, RoundTrip: 20 * time.Millisecond} // ten bytes each µs
	ends := closing(t, Shaped(3, shape))
	if ends[0].InMemory() {
		t.Error("messages take time, and InMemory says that they take none")
	}
	const size = 100_000 // 10 ms
	var short, first, second time.Duration
	at := func(e *Endpoint, from int, k Key, took *time.Duration, start time.Time) <-chan struct{} {
		done := make(chan struct{})
		e.Await(from, k, func(m Message, err error) {
			if *took = time.Since(start); err != nil {
				t.Error(err)
			}
			close(done)
		})
		return done
	}
	start := time.Now()
	for _, c := range []<-chan struct{}{
		at(ends[1], 0, Key{Online, 0, 0}, &first, start),
		at(ends[1], 0, Key{Online, 0, 1}, &second, start),
		at(ends[2], 0, Key{Online, 0, 0}, &short, start),
	} {
		defer func() { <-c }()
	}
	ends[0].Send(1, Key{Online, 0, 0}, 0, make([]byte, size))
	ends[0].Send(1, Key{Online, 0, 1}, 0, make([]byte, size))
	ends[0].Send(2, Key{Online, 0, 0}, 0, nil) // is awaited first, though it is sent last
	t.Cleanup(func() {
		for _, c := range []struct {
			name      string
			got, want time.Duration
		}{{"short", short, 10 * time.Millisecond}, {"first", first, 20 * time.Millisecond}, {"second", second, 30 * time.Millisecond}} {
			if c.got < c.want {
				t.Errorf("%s: arrived after %v, the line takes %v", c.name, c.got, c.want)
			}
		}
		if short > first || first > second {
			t.Errorf("arrived after %v, %v and %v", short, first, second)
		}
	})
}

// What is on a line when its sender closes arrives at once, before the end; what is on the line of one that aborts does not.
func TestShapedEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(e *Endpoint)
		want error
	}{
		{"Close", (*Endpoint).Close, ErrGone},
		{"Abort", func(e *Endpoint) { e.Abort("enough") }, &Aborted{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ends := closing(t, Shaped(3, forever))
			var waits []<-chan received
			for i := range uint32(3) {
				waits = append(waits, await(ends[1], 0, Key{Online, 0, i}))
			}
			other := await(ends[1], 2, Key{Online, 0, 0})
			ends[0].Send(1, Key{Online, 0, 1}, 0, []byte("b"))
			ends[0].Send(1, Key{Online, 0, 0}, 0, []byte("a"))
			ends[2].Send(1, Key{Online, 0, 0}, 0, []byte("other"))
			c.end(ends[0])
			var a *Aborted
			for i, w := range waits {
				r := get(t, w)
				if c.want == ErrGone && i < 2 {
					if r.err != nil || string(r.m.Data) != []string{"a", "b"}[i] {
						t.Errorf("message %d: %q, %v", i, r.m.Data, r.err)
					}
				} else if c.want == ErrGone && !errors.Is(r.err, ErrGone) || c.want != ErrGone && !errors.As(r.err, &a) {
					t.Errorf("message %d: %q, %v", i, r.m.Data, r.err)
				}
			}
			if len(other) > 0 {
				t.Error("what another party has sent arrives with it")
			}
			ends[2].Close()
			if r := get(t, other); r.err != nil || string(r.m.Data) != "other" {
				t.Errorf("the other party's: %q, %v", r.m.Data, r.err)
			}
		})
	}
}

// Send blocks while too many bytes are on a line, until they have arrived or either end closes.
func TestShapedSendBlocks(t *testing.T) {
	for name, shape := range map[string]Shape{"arrives": {Bits: 8 * maxQueued * 10}, "own end": forever, "other end": forever} {
		t.Run(name, func(t *testing.T) {
			ends := closing(t, Shaped(2, shape))
			ends[0].Send(1, Key{Online, 0, 0}, 0, make([]byte, maxQueued+1)) // a tenth of a second
			sent := make(chan struct{})
			go func() {
				ends[0].Send(1, Key{Online, 0, 1}, 0, nil)
				close(sent)
			}()
			select {
			case <-sent:
				t.Error("Send does not block above the bound")
			case <-time.After(20 * time.Millisecond):
			}
			switch name {
			case "own end":
				ends[0].Close()
			case "other end":
				ends[1].Close()
			}
			within(t, "the blocked Send", func() { <-sent })
		})
	}
}

// What a party may send is limited by Allow, on a simulated network too.
func TestShapedAllow(t *testing.T) {
	ends := closing(t, Shaped(2, Shape{RoundTrip: time.Millisecond}))
	ends[1].Allow(0, 10, 15)
	waits := []<-chan received{await(ends[1], 0, Key{Online, 0, 0}), await(ends[1], 0, Key{Online, 0, 1})}
	for i := range uint32(2) {
		ends[0].Send(1, Key{Online, 0, i}, 0, make([]byte, 10))
	}
	if r := get(t, waits[0]); r.err != nil {
		t.Error(r.err)
	}
	if r := get(t, waits[1]); !errors.Is(r.err, ErrExcess) {
		t.Errorf("more than allowed: %v", r.err)
	}
}
