package correlation

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
)

func TestRecords(t *testing.T) {
	s := NewSessionID()
	var b bytes.Buffer
	sizes := []int{0, 1, 1000}
	for i, n := range sizes {
		if err := WriteRecord(&b, s, ID(i), bytes.Repeat([]byte{7}, n)); err != nil {
			t.Fatal(err)
		}
	}
	if want := 3*RecordOverhead + 1001; b.Len() != want {
		t.Errorf("%d bytes, want %d", b.Len(), want)
	}
	any := func(ID) int64 { return math.MaxInt64 }
	wire := b.Bytes()
	r := bytes.NewReader(wire)
	for i, n := range sizes {
		if id, data, err := ReadRecord(r, s, any); id != ID(i) || len(data) != n || err != nil {
			t.Errorf("record %d: %v with %d bytes, %v", i, id, len(data), err)
		}
	}
	if _, _, err := ReadRecord(r, s, any); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	for name, c := range map[string]struct {
		wire  []byte
		s     SessionID
		limit int64
		want  error
	}{
		"another session's": {wire, NewSessionID(), 1000, ErrDamaged},
		"none expected":     {wire, s, -1, ErrDamaged},
		"half a header":     {wire[:9], s, 1000, io.ErrUnexpectedEOF},
		"too long":          {wire[RecordOverhead:], s, 0, ErrDamaged},
		"half its data":     {wire[2*RecordOverhead+1 : 2*RecordOverhead+500], s, 1000, io.ErrUnexpectedEOF},
		"without its data":  {wire[2*RecordOverhead+1 : 3*RecordOverhead+1], s, 1000, io.ErrUnexpectedEOF},
	} {
		if _, _, err := ReadRecord(bytes.NewReader(c.wire), c.s, func(ID) int64 { return c.limit }); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestSessionIDs(t *testing.T) {
	a, b := NewSessionID(), NewSessionID()
	if a == b {
		t.Error("twice the same")
	}
	if bytes.Compare(a[:6], b[:6]) > 0 {
		t.Error("the older sorts behind the younger")
	}
	if got, err := ParseSessionID(a.String()); got != a || err != nil {
		t.Errorf("%v became %v, %v", a, got, err)
	}
	for _, text := range []string{"", "00", a.String() + "0", "g" + a.String()[1:], "A" + a.String()[1:]} {
		if _, err := ParseSessionID(text); err == nil {
			t.Errorf("%q is an id", text)
		}
	}
}

// For any input, no record is accepted that was not written, and none allocates more than the
// limit.
func FuzzReadRecord(f *testing.F) {
	var s SessionID
	var b bytes.Buffer
	if err := WriteRecord(&b, s, 5, []byte("correction")); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(slices.Concat(b.Bytes(), b.Bytes()[:20]))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, wire []byte) {
		r := bytes.NewReader(wire)
		for {
			at := len(wire) - r.Len()
			id, data, err := ReadRecord(r, s, func(ID) int64 { return 100 })
			if err != nil {
				return
			}
			var again bytes.Buffer
			if err := WriteRecord(&again, s, id, data); err != nil || len(data) > 100 || !bytes.Equal(again.Bytes(), wire[at:len(wire)-r.Len()]) {
				t.Fatalf("%v of %d bytes, %v", id, len(data), err)
			}
		}
	})
}
