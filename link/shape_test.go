package link

import (
	"bytes"
	"testing"
	"time"
)

func TestParseShape(t *testing.T) {
	for text, want := range map[string]Shape{
		"none": {}, "lan": {1e9, time.Millisecond}, "wan": {1e8, 10 * time.Millisecond}, "slow": {1e7, 100 * time.Millisecond},
		"1e9/1ms": {1e9, time.Millisecond}, "2500000/0s": {2.5e6, 0},
	} {
		if got, err := ParseShape(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "dialup", "1e9", "1e9/", "/1ms", "0/1ms", "-1/1ms", "1e9/-1ms", "nan/1ms", "inf/1ms", "1e9/1h", "1/1ms"} {
		if s, err := ParseShape(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}

// Arrival times follow the formula, whatever the machine's speed.
func TestArrival(t *testing.T) {
	s := Shape{Bits: 8e6, RoundTrip: 20 * time.Millisecond} // a byte each µs
	start := time.Unix(1000, 0)
	at, busy := s.arrival(start, time.Time{}, 5000)
	if got := at.Sub(start); got != 15*time.Millisecond {
		t.Errorf("the first piece takes %v", got)
	}
	at, busy = s.arrival(start.Add(time.Millisecond), busy, 1000) // queued behind the previous piece
	if got := at.Sub(start); got != 16*time.Millisecond {
		t.Errorf("the second arrives after %v", got)
	}
	at, _ = s.arrival(start.Add(time.Second), busy, 1000) // the line is free again
	if got := at.Sub(start); got != time.Second+11*time.Millisecond {
		t.Errorf("the third arrives after %v", got)
	}
	if got := s.Seconds(10, 1e6); got < 1.1-1e-9 || got > 1.1+1e-9 {
		t.Errorf("10 rounds and 1 MB take %v s", got)
	}
}

// What a shaped pipe carries is whole, in order, and not early; closing it wakes a reader that
// waits for arrivals.
func TestShapedPipe(t *testing.T) {
	p := newPipe(Shape{Bits: 1e9, RoundTrip: 10 * time.Millisecond})
	data := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	start := time.Now()
	go func() {
		for i := 0; i < len(data); i += 1000 {
			p.Write(data[i:min(i+1000, len(data))])
		}
	}()
	var got []byte
	buf := make([]byte, 777)
	for len(got) < len(data) {
		n, err := p.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, buf[:n]...)
	}
	if !bytes.Equal(got, data) {
		t.Error("the data changed")
	}
	if took := time.Since(start); took < 5*time.Millisecond {
		t.Errorf("arrived after %v, half a round trip is 5 ms", took)
	}
	slow := newPipe(Shape{Bits: 1e3, RoundTrip: time.Minute})
	slow.Write(data[:100])
	done := make(chan error)
	go func() {
		_, err := slow.Read(buf)
		for err == nil {
			_, err = slow.Read(buf)
		}
		done <- err
	}()
	slow.close(ErrClosed)
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Error("the reader waits for ever")
	}
}
