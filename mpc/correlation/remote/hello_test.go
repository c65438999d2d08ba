package remote

import (
	"strings"
	"testing"
)

// TestNamedTwice checks that a hello which lists a party twice is refused.
func TestNamedTwice(t *testing.T) {
	h := &Hello{Participant: seat(0), Length: 1}
	h.Parties = []string{"alice", "bob", "alice"}
	if _, err := h.encode(); err == nil || !strings.Contains(err.Error(), "must be distinct") {
		t.Error(err)
	}
}

// FuzzHello checks that hellos and announcements of further manifests that are accepted satisfy check, and
// are the same when they are encoded and decoded again.
func FuzzHello(f *testing.F) {
	h := &Hello{Participant: seat(1), Length: 7}
	text, err := h.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, []byte(`{"manifest":"`+strings.Repeat("0f", 32)+`","length":12}`))
	f.Add([]byte(`{"version":1,"parties":["a","a"]}`), []byte(`{"manifest":"","length":-1}`))
	f.Fuzz(func(t *testing.T, hello, next []byte) {
		h, err := decodeHello(hello)
		if err != nil {
			return
		}
		same := func() {
			text, err := h.encode()
			if err != nil {
				t.Fatalf("an accepted hello: %v", err)
			}
			again, err := decodeHello(text)
			if err != nil {
				t.Fatal(err)
			}
			if field, a, b := h.Differs(again); field != "" || h.Rank != again.Rank {
				t.Errorf("%s: %q and %q", field, a, b)
			}
		}
		same()
		if h.setNext(next) == nil {
			same()
		}
	})
}
