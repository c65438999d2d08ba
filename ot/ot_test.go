package ot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/bits"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// stream is deterministic randomness.
type stream struct {
	prg *ring.PRG
	id  uint64
}

func seeded(seed byte) io.Reader { return &stream{prg: ring.NewPRG(ring.Seed{seed})} }

func (s *stream) Read(b []byte) (int, error) {
	for i := 0; i < len(b); i += 16 {
		s.id++
		x := s.prg.Seed(s.id, 0)
		copy(b[i:], x[:])
	}
	return len(b), nil
}

// dealt are base transfers that nobody ran: pairs, and what their receiver has.
func dealt(seed byte) (pairs [][2]Block, choices Block, keys []Block) {
	r := seeded(seed)
	next := func() Block {
		var b [BlockBytes]byte
		if _, err := io.ReadFull(r, b[:]); err != nil {
			panic(err)
		}
		return blockOf(b[:])
	}
	choices = next()
	for i := range Bases {
		p := [2]Block{next(), next()}
		pairs = append(pairs, p)
		keys = append(keys, p[choices[i/64]>>(i%64)&1])
	}
	return pairs, choices, keys
}

// begun is both sides of an extension, and the message that begins it.
func begun(t testing.TB, seed byte) (*Receiver, *Sender, []byte) {
	t.Helper()
	pairs, choices, keys := dealt(seed)
	r, trees, err := NewReceiver(pairs, seeded(seed+1))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSender(choices, keys, trees)
	if err != nil {
		t.Fatal(err)
	}
	return r, s, trees
}

// TestBaseTransfers checks that the receiver has the key that it chose of each pair, and not the other one.
func TestBaseTransfers(t *testing.T) {
	s, err := NewBaseSender(Curve(), seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	choices := Block{0x0123456789abcdef, 0xff00f0f0ccccaaaa}
	reply, keys, err := BaseReceive(Curve(), seeded(2), choices, s.Message())
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := s.Keys(reply)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Block]bool{}
	for i, k := range keys {
		c := choices[i/64] >> (i % 64) & 1
		if k != pairs[i][c] || k == pairs[i][1-c] || seen[pairs[i][0]] || seen[pairs[i][1]] {
			t.Errorf("transfer %d: the receiver chose %d and has %x of %x", i, c, k, pairs[i])
		}
		seen[pairs[i][0]], seen[pairs[i][1]] = true, true
	}
}

// goldens are hashes of transcripts with fixed seeds.
var goldens = map[string]string{
	"extension": "78a0d4aec0666fd93b4b15087180ca6b",
	"strings":   "e177fb400b1f8df4bf4d938561cd40b1",
}

func golden(t *testing.T, sum []byte, name string) {
	t.Helper()
	if got := hex.EncodeToString(sum[:16]); got != goldens[name] {
		t.Errorf("the transcript %q has the hash %s, want %s", name, got, goldens[name])
	}
}

// TestExtension checks the relation q = t ⊕ c·Δ of every transfer, in batches of several sizes, that no block occurs
// twice, and that choices are balanced. After two batches both parties continue with what they have kept.
func TestExtension(t *testing.T) {
	r, s, trees := begun(t, 3)
	h := sha256.New()
	h.Write(trees)
	seen := map[Block]bool{}
	ones, all := 0, 0
	for batch, n := range []int{64, 1024, 128, 64} {
		if batch == 2 {
			var errs [2]error
			r, errs[0] = KeptReceiver(r.Keep())
			s, errs[1] = KeptSender(s.Keep())
			if err := errors.Join(errs[:]...); err != nil {
				t.Fatal(err)
			}
			if _, err := KeptSender(s.Keep()[1:]); !errors.Is(err, ErrMessage) {
				t.Errorf("a state that is a byte short: %v", err)
			}
		}
		message, c, got := r.Extend(uint64(batch), n)
		if len(message) != BatchBytes(n) || len(got) != n {
			t.Fatalf("a batch of %d: %d bytes, %d blocks", n, len(message), len(got))
		}
		h.Write(message)
		q, err := s.Extend(uint64(batch), n, message)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			bit := c[i/64] >> (i % 64) & 1
			if q[i] != got[i].Xor(s.Delta().mask(bit)) {
				t.Fatalf("batch %d, transfer %d: q = %x, t = %x, c = %d", batch, i, q[i], got[i], bit)
			}
			if seen[q[i]] || q[i] == (Block{}) {
				t.Fatalf("block %x is repeated", q[i])
			}
			seen[q[i]] = true
			ones += int(bit)
		}
		all += n
	}
	if ones < all*2/5 || ones > all*3/5 {
		t.Errorf("%d of %d choices are 1", ones, all)
	}
	golden(t, h.Sum(nil), "extension")
}

// TestBatchMessagesAreUniform looks at what the sender of an extension receives: bits are balanced, and those of
// neighbouring groups are not correlated.
func TestBatchMessagesAreUniform(t *testing.T) {
	r, _, _ := begun(t, 5)
	const n = 1 << 13
	message, c, _ := r.Extend(9, n)
	rows := make([][]byte, trees-1)
	for b := range rows {
		rows[b] = message[b*n/8 : (b+1)*n/8]
	}
	choices := make([]byte, 0, n/8)
	for _, w := range c {
		choices = binary.LittleEndian.AppendUint64(choices, w)
	}
	for i, x := range append(rows, choices) {
		for _, y := range append(rows[:min(i, len(rows))], make([]byte, n/8)) {
			ones := 0
			for j := range x {
				ones += bits.OnesCount8(x[j] ^ y[j])
			}
			if off := 2*ones - n; off*off > 25*n { // five standard deviations
				t.Errorf("row %d: %d of %d bits differ", i, ones, n)
			}
		}
	}
}

// TestStrings checks that both sides have the strings that the choices choose, that words of one string are those of a
// longer piece, and that equal blocks under different numbers have different strings.
func TestStrings(t *testing.T) {
	r, s, _ := begun(t, 7)
	const n = 128
	message, c, got := r.Extend(0, n)
	q, err := s.Extend(0, n, message)
	if err != nil {
		t.Fatal(err)
	}
	hash := NewHash([BlockBytes]byte{1, 2, 3})
	choices := ring.NewBits(n)
	copy(choices.Words(), c)
	received := &Received{Hash: hash, First: 1000, Choices: choices, T: got}
	sent := &Sent{Hash: hash, Delta: s.Delta(), First: 1000, Q: q}
	const each = 5
	zero, one := sent.Words(0, n, 0, each)
	have := received.Words(0, n, 0, each)
	h := sha256.New()
	for i := range n {
		for j := range each {
			want, other := zero[i*each+j], one[i*each+j]
			if choices.Get(i) == 1 {
				want, other = other, want
			}
			if have[i*each+j] != want || want == other {
				t.Fatalf("transfer %d, word %d: %x, want %x, not %x", i, j, have[i*each+j], want, other)
			}
			h.Write(binary.LittleEndian.AppendUint64(nil, want))
		}
	}
	later := received.Words(3, 5, 2, 3)
	for i, w := range later {
		if want := have[(3+i/3)*each+2+i%3]; w != want {
			t.Errorf("word %d of a piece is %x, want %x", i, w, want)
		}
	}
	parts := &Received{Hash: hash, First: 1000, Choices: choices, T: got[:40], Rest: [][]Block{got[40:41], got[41:]}}
	if w := parts.Words(39, 101, 0, each); !slices.Equal(w, have[39*each:101*each]) {
		t.Error("strings depend on where blocks lie, at the receiver")
	}
	apart := &Sent{Hash: hash, Delta: s.Delta(), First: 1000, Q: q[:1], Rest: [][]Block{q[1:99], q[99:]}}
	if a, b := apart.Words(0, 128, 0, each); !slices.Equal(a, zero) || !slices.Equal(b, one) {
		t.Error("strings depend on where blocks lie, at the sender")
	}
	moved := &Received{Hash: hash, First: 1001, Choices: choices, T: got}
	if w := moved.Words(0, 1, 0, 1); w[0] == have[0] {
		t.Error("a string does not depend on its number")
	}
	golden(t, h.Sum(nil), "strings")
}

// TestHashVector compares the hash with its definition, written out with AES of the standard library.
func TestHashVector(t *testing.T) {
	key := [BlockBytes]byte{9}
	h := NewHash(key)
	pi := newCipher(blockOf(key[:]))
	x := Block{0x1122334455667788, 0x99aabbccddeeff00}
	var want [BlockBytes]byte
	in := x.bytes()
	pi.Encrypt(in[:], in[:]) // π(x)
	tweaked := blockOf(in[:]).Xor(Block{42, 1}).bytes()
	pi.Encrypt(want[:], tweaked[:])
	w := blockOf(want[:]).Xor(blockOf(in[:]))
	var got [2]uint64
	h.words(got[:], []Block{x}, Block{}, 42, 2, 2)
	if got != w {
		t.Errorf("%x, want %x", got, w)
	}
}

// TestTranspose compares with bit by bit.
func TestTranspose(t *testing.T) {
	var a, b [64]uint64
	r := seeded(11)
	for i := range a {
		var x [8]byte
		if _, err := r.Read(x[:]); err != nil {
			t.Fatal(err)
		}
		a[i] = binary.LittleEndian.Uint64(x[:])
	}
	b = a
	transpose(&b)
	for i := range a {
		for j := range b {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("bit %d of word %d", j, i)
			}
		}
	}
}

// TestTreesHideOneSeed checks for every position that the sender has all seeds but that one.
func TestTreesHideOneSeed(t *testing.T) {
	seeds, sums := grow(Block{5, 6})
	for missing := range uint64(leaves) {
		var away [depth]Block
		for l := range depth {
			away[l] = sums[l][1^missing>>(depth-1-l)&1]
		}
		got := regrow(missing, away)
		for i, s := range got {
			at := uint64(i) ^ missing
			if at == missing {
				if s != (Block{}) {
					t.Fatalf("missing %d: it is known", missing)
				}
			} else if s != seeds[at] {
				t.Fatalf("missing %d: seed %d differs", missing, at)
			}
		}
	}
}

// TestMalformed wants named errors of messages that are not what the protocol sends.
func TestMalformed(t *testing.T) {
	s, err := NewBaseSender(Curve(), seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	neutral, err := Curve().Identity().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	_, choices, keys := dealt(1)
	_, sender, _ := begun(t, 1)
	for name, f := range map[string]func() error{
		"short point": func() error { _, _, err := BaseReceive(Curve(), seeded(1), choices, make([]byte, 31)); return err },
		"no point": func() error {
			_, _, err := BaseReceive(Curve(), seeded(1), choices, bytes.Repeat([]byte{255}, 32))
			return err
		},
		"neutral point": func() error { _, _, err := BaseReceive(Curve(), seeded(1), choices, neutral); return err },
		"short reply":   func() error { _, err := s.Keys(make([]byte, BaseReplyBytes-1)); return err },
		"no points":     func() error { _, err := s.Keys(bytes.Repeat([]byte{255}, BaseReplyBytes)); return err },
		"short trees":   func() error { _, err := NewSender(choices, keys, make([]byte, TreeBytes-1)); return err },
		"long trees":    func() error { _, err := NewSender(choices, keys, make([]byte, TreeBytes+1)); return err },
		"short batch":   func() error { _, err := sender.Extend(0, 64, make([]byte, BatchBytes(64)-1)); return err },
	} {
		if err := f(); !errors.Is(err, ErrMessage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzMessages gives each parser bytes of somebody who may send anything: an error, or a result that is of no use to
// the sender of the bytes, but no panic.
func FuzzMessages(f *testing.F) {
	s, err := NewBaseSender(Curve(), seeded(1))
	if err != nil {
		f.Fatal(err)
	}
	_, choices, keys := dealt(1)
	_, sender, trees := begun(f, 1)
	f.Add(s.Message())
	f.Add(trees)
	f.Add(make([]byte, BatchBytes(64)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == PointBytes {
			reply, _, err := BaseReceive(Curve(), seeded(1), choices, data)
			if (err == nil) != (len(reply) == BaseReplyBytes) {
				t.Errorf("%d bytes and %v", len(reply), err)
			}
		}
		whole := bytes.Repeat(append(data, 0), BaseReplyBytes)[:BaseReplyBytes]
		if _, err := s.Keys(whole); err != nil && !errors.Is(err, ErrMessage) {
			t.Error(err)
		}
		if _, err := NewSender(choices, keys, data); (err == nil) != (len(data) == TreeBytes) {
			t.Error(err)
		}
		if _, err := sender.Extend(1, 64, data); (err == nil) != (len(data) == BatchBytes(64)) {
			t.Error(err)
		}
	})
}

func BenchmarkExtend(b *testing.B) {
	r, s, _ := begun(b, 3)
	const n = MaxBatch
	b.SetBytes(n)
	for i := 0; b.Loop(); i++ {
		message, _, _ := r.Extend(uint64(i), n)
		if _, err := s.Extend(uint64(i), n, message); err != nil {
			b.Fatal(err)
		}
	}
}
