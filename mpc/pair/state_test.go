package pair

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/ot"
)

// decoded is what both parties keep after a session, written and read.
func decoded(t *testing.T, m [2]*Material) (out [2]*State) {
	t.Helper()
	for rank := range m {
		s, err := DecodeState(rank, m[rank].Next().Encode())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Encode()); n > s.room() {
			t.Errorf("rank %d: %d bytes are encoded where there is room for %d", rank, n, s.room())
		}
		if !bytes.Equal(s.Encode(), m[rank].Next().Encode()) {
			t.Error("a state that is read is not the one that was written")
		}
		out[rank] = s
	}
	return out
}

// TestKeptState runs sessions that each begin with what the one before it has kept. No string occurs twice in all of them,
// keys are sent once, and a warm session sends no base transfers.
func TestKeptState(t *testing.T) {
	seen := map[uint64]bool{}
	key := []KeyRequest{{Owner: 1, Set: 1}}
	var kept [2]*State
	id := uint64(0)
	for i, c := range []struct {
		n    [2]int // transfers by receiver
		keys []KeyRequest
		most int64 // bytes
	}{
		{n: [2]int{70, 0}, most: 12_000 + 500},
		{n: [2]int{70, 0}, most: 128 * 15 / 8},               // two granules
		{n: [2]int{0, 100}, keys: key, most: 4096 + 400_000}, // the other direction is new, and so are keys
		{n: [2]int{100, 100}, keys: key, most: 1000},
		{n: [2]int{160_000, 5}, most: 300_000},              // a round
		{n: [2]int{ot.MaxBatch, 200}, keys: key, most: 500}, // from what is left
		{n: [2]int{450_000, 0}, most: 0},
		{n: [2]int{300_000, 64}, most: 152_000}, // a round without SoftSpoken
	} {
		var requests []Request
		for receiver, n := range c.n {
			id++
			requests = append(requests, Request{ID: id, Receiver: receiver, N: n})
		}
		m, sent, err := session(t, kept, true, requests, nil, c.keys...)
		if err != nil {
			t.Fatal(err)
		}
		if sent > c.most {
			t.Errorf("session %d sends %d bytes, want at most %d", i, sent, c.most)
		}
		checkTransfers(t, m, requests, seen)
		if len(c.keys) > 0 {
			checkKeys(t, m, 1, 1)
		}
		kept = decoded(t, m)
		if kept[0].String() != kept[1].String() {
			t.Errorf("session %d: one party keeps %v, the other one %v", i, kept[0], kept[1])
		}
		t.Logf("session %d sends %d bytes, and leaves %v", i, sent, kept[0])
	}
}

// checkKeys encrypts with a secret key and decrypts what the other party's public and switching keys make of it.
func checkKeys(t *testing.T, m [2]*Material, owner, set int) {
	t.Helper()
	c, secret, peer := he.Of(set), m[owner].Secret(set), m[1-owner].Peer(set)
	seed, answer := he.Seed{1}, he.Seed{2}
	word := []uint64{1 << 40}
	x, err := c.ReadCipher(seed, nil, 60, secret.Encrypt(seed, he.Seed{3}, nil, append(word, make([]uint64, c.N-1)...), 64, 60))
	if err != nil {
		t.Fatal(err)
	}
	one := &he.Plain{From: []int32{0, 1}, Runs: []he.Run{{Count: 1}}, Numbers: c.Numbers([]uint64{1}, 64, 1, 1)}
	sum := c.Combine([]*he.Input{c.Input(x, 1, 0, nil)}, []*he.Weights{c.Weights(one, 0)}, 1, 0, peer.Switch)
	shares, message := peer.Public.Respond(sum, answer, he.Seed{4}, nil, 64, 60)
	other, err := secret.Finish(answer, nil, 64, 60, message)
	if err != nil {
		t.Fatal(err)
	}
	if got := shares[0] + other[0]; got-word[0]+1<<30 > 1<<31 {
		t.Errorf("a key makes %x of %x", got, word[0])
	}
}

// TestStateRefused reads states that are cut, changed or another party's.
func TestStateRefused(t *testing.T) {
	m, _, err := session(t, [2]*State{}, true, []Request{{ID: 1, Receiver: 0, N: 70}}, nil, KeyRequest{Owner: 0, Set: 0})
	if err != nil {
		t.Fatal(err)
	}
	whole := m[1].Next().Encode()
	if _, err := DecodeState(0, whole); !errors.Is(err, errState) {
		t.Errorf("another party's: %v", err)
	}
	for _, n := range []int{0, 1, 5, 100, len(whole) / 2, len(whole) - 1} {
		if _, err := DecodeState(1, whole[:n]); !errors.Is(err, errState) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	if _, err := DecodeState(1, append(whole, 0)); !errors.Is(err, errState) {
		t.Errorf("a byte more: %v", err)
	}
}

// FuzzState reads states that anything may have changed: an error, or a state that is written as it was read.
func FuzzState(f *testing.F) {
	f.Add(newState(0).Encode())
	s := newState(1)
	s.keepOwn(1, he.Seed{7}, map[int]keyMessage{0: {size: 40}, 16: {size: 50}})
	f.Add(s.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		for rank := range 2 {
			if s, err := DecodeState(rank, data); err == nil {
				if _, err := DecodeState(rank, s.Encode()); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
