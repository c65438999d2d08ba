package link

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// encode is a frame as it is sent.
func encode(k Key, m Message) []byte { return wire(newFrame(k, m)) }

func wire(f frame) []byte { return append(f.header[:], f.data...) }

// claiming is the header of a frame with a payload of so many bytes.
func claiming(k Key, size uint32) []byte {
	f := newFrame(k, Message{})
	binary.LittleEndian.PutUint32(f.header[headerSize-4:], size)
	return f.header[:]
}

// readFrame reads one frame.
func readFrame(r io.Reader, admit func(int64) error) (Key, Message, error) {
	return (&frames{r: r}).next(admit)
}

// anySize admits every message.
func anySize(int64) error { return nil }

func anyKey(rt *rapid.T) Key {
	return Key{Phase(rapid.Uint8Range(0, uint8(Phases)-1).Draw(rt, "phase")), rapid.Uint32().Draw(rt, "op"), rapid.Uint32().Draw(rt, "step")}
}

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var wire bytes.Buffer
		var keys []Key
		var ms []Message
		for range rapid.IntRange(0, 5).Draw(rt, "frames") {
			keys = append(keys, anyKey(rt))
			ms = append(ms, Message{rapid.Int32().Draw(rt, "clock"), rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(rt, "data")})
			wire.Write(encode(keys[len(keys)-1], ms[len(ms)-1]))
		}
		var r io.Reader = &wire
		if rapid.Bool().Draw(rt, "byte by byte") {
			r = iotest.OneByteReader(r)
		}
		for i, want := range ms {
			k, m, err := readFrame(r, anySize)
			if err != nil || k != keys[i] || m.Clock != want.Clock || !bytes.Equal(m.Data, want.Data) {
				rt.Fatalf("frame %d: %v %v %v", i, k, m, err)
			}
		}
		if _, _, err := readFrame(r, anySize); err != io.EOF {
			rt.Fatalf("at the end: %v", err)
		}
	})
}

func TestFrameSizes(t *testing.T) {
	const chunk = 1 << 20
	for _, n := range []int{0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3*chunk + 7} {
		data := bytes.Repeat([]byte{0xa5, 1, 2}, n/3+1)[:n]
		_, m, err := readFrame(bytes.NewReader(encode(Key{}, Message{Data: data})), anySize)
		if err != nil || !bytes.Equal(m.Data, data) || cap(m.Data) != n {
			t.Errorf("%d bytes: %d of %d, %v", n, len(m.Data), cap(m.Data), err)
		}
	}
}

func TestTruncatedFrame(t *testing.T) {
	whole := encode(Key{Output, 1 << 20, 3}, Message{-7, []byte("payload")})
	for n := range whole {
		_, m, err := readFrame(bytes.NewReader(whole[:n]), anySize)
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if err != want || m.Data != nil {
			t.Errorf("%d of %d bytes: %q, %v", n, len(whole), m.Data, err)
		}
	}
	broken := errors.New("broken")
	for n := range whole {
		if _, _, err := readFrame(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken)), anySize); !errors.Is(err, broken) {
			t.Errorf("%d bytes and an error: %v", n, err)
		}
	}
}

// Besides messages there are heartbeats and leave frames, which are empty, and aborts, which hold a
// bounded reason.
func TestPhases(t *testing.T) {
	for p := range 256 {
		_, _, err := readFrame(bytes.NewReader(encode(Key{Phase: Phase(p)}, Message{})), anySize)
		if known := p < int(Phases) || Phase(p) == phaseHeartbeat || Phase(p) == phaseAbort || Phase(p) == phaseLeave; known != (err == nil) {
			t.Errorf("phase %d: %v", p, err)
		}
	}
	for _, c := range []struct {
		name string
		k    Key
		m    Message
		ok   bool
	}{
		{"a heartbeat of an operation", Key{phaseHeartbeat, 1, 0}, Message{}, false},
		{"a heartbeat of a step", Key{phaseHeartbeat, 0, 1}, Message{}, false},
		{"a heartbeat with a clock", Key{Phase: phaseHeartbeat}, Message{Clock: 1}, false},
		{"a heartbeat with data", Key{Phase: phaseHeartbeat}, Message{Data: []byte{0}}, false},
		{"a leave of an operation", Key{phaseLeave, 1, 0}, Message{}, false},
		{"a leave with data", Key{Phase: phaseLeave}, Message{Data: []byte{0}}, false},
		{"an abort of an operation", Key{phaseAbort, 1, 0}, Message{}, false},
		{"an abort with a clock", Key{Phase: phaseAbort}, Message{Clock: -1}, false},
		{"an abort with a reason", Key{Phase: phaseAbort}, Message{Data: make([]byte, maxReason)}, true},
		{"an abort with a long story", Key{Phase: phaseAbort}, Message{Data: make([]byte, maxReason+1)}, false},
	} {
		_, _, err := readFrame(bytes.NewReader(encode(c.k, c.m)), func(int64) error { return ErrExcess })
		var v *violation
		if c.ok != (err == nil) || !c.ok && !errors.As(err, &v) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A message that is not admitted is refused before its payload is read.
func TestNotAdmitted(t *testing.T) {
	r := bytes.NewReader(encode(Key{Input, 1, 2}, Message{Data: make([]byte, 100)}))
	_, _, err := readFrame(r, func(size int64) error {
		if size > 99 {
			return ErrExcess
		}
		return nil
	})
	if !errors.Is(err, ErrExcess) || r.Len() != 100 {
		t.Errorf("%v, %d bytes are left", err, r.Len())
	}
}

// A false length allocates no more memory than the bytes that arrive need.
func TestFalseLength(t *testing.T) {
	for _, c := range []struct{ claimed, arrived, most int }{
		{1 << 10, 0, 8 << 10},
		{MaxPayload, 0, 2 << 20},
		{MaxPayload, 3 << 20, 12 << 20},
		{MaxPayload + 1, 1 << 20, 8 << 10},
		{1<<32 - 1, 1 << 20, 8 << 10},
	} {
		wire := append(claiming(Key{}, uint32(c.claimed)), make([]byte, c.arrived)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := readFrame(bytes.NewReader(wire), anySize)
		runtime.ReadMemStats(&after)
		if err == nil || err == io.EOF {
			t.Errorf("%d of %d bytes: %v", c.arrived, c.claimed, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(c.most) {
			t.Errorf("%d of %d bytes took %d bytes of memory", c.arrived, c.claimed, took)
		}
	}
}

func TestNames(t *testing.T) {
	for k, want := range map[Key]string{
		{Setup, 0, 1}:  "setup op 0 step 1",
		{Input, 2, 0}:  "input op 2 step 0",
		{Online, 7, 3}: "online op 7 step 3",
		{Output, 1, 1}: "output op 1 step 1",
	} {
		if k.String() != want {
			t.Errorf("got %q, want %q", k, want)
		}
	}
}

// Any input is read as a frame that encodes to it, or refused.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte{})
	f.Add(encode(Key{Online, 1, 2}, Message{3, []byte("payload")}))
	f.Add(encode(Key{Phase: Phases}, Message{}))
	f.Add(append(wire(heartbeatFrame), wire(abortFrame("carol: silent for 5 s"))...))
	f.Add(append(encode(Key{}, Message{}), encode(Key{}, Message{1, []byte{0}})...))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 1})
	f.Fuzz(func(t *testing.T, wire []byte) {
		r := bytes.NewReader(wire)
		for at := 0; ; {
			k, m, err := readFrame(r, anySize)
			if err != nil {
				if (err == io.EOF) != (at == len(wire)) {
					t.Fatalf("at byte %d of %d: %v", at, len(wire), err)
				}
				return
			}
			end := len(wire) - r.Len()
			if k.Phase >= Phases && k.Phase < phaseLeave || !bytes.Equal(encode(k, m), wire[at:end]) {
				t.Fatalf("bytes %d to %d read as %v and %v", at, end, k, m)
			}
			at = end
		}
	})
}
