package ot

import (
	"crypto/rand"
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// dealtAtRandom returns n transfers with random choices.
func dealtAtRandom(t *testing.T, delta Block, n int) (q []Block, c ring.Bits, r []Block) {
	t.Helper()
	v := ring.New(ring.Z(64), 2*n)
	ring.NewPRG(ring.NewSeed()).Vec(v, 1, 0)
	c = ring.NewBits(n)
	ring.NewPRG(ring.NewSeed()).Bits(c, 2, 0)
	for i := range n {
		q = append(q, Block(v.Words()[2*i:2*i+2]))
		r = append(r, q[i].Xor(delta.mask(uint64(c.Get(i)))))
	}
	return q, c, r
}

// TestSilent checks every transfer that the smallest set makes: the relation, and that no block is there twice. Choices
// are balanced, and the message's bits, too.
func TestSilent(t *testing.T) {
	testSilent(t, SilentSets[0])
	s := SilentSets[0].Making(50_000)
	if made := s.Made(); made < 50_000 || made >= 50_000+1<<s.Depth {
		t.Errorf("a set for 50000 transfers makes %d", made)
	}
	if all := SilentSets[0]; all.Making(1<<30) != all || all.Making(0).Trees != 1 {
		t.Error("a set does not make all, or less than a tree")
	}
	testSilent(t, s)
}

func testSilent(t *testing.T, s SilentSet) {
	delta := Block{0x0123456789abcdef, 0xfedcba9876543211}
	q, c, r := dealtAtRandom(t, delta, s.Takes())
	sentLists, message, err := s.SilentSend(delta, q, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	choices, gotLists, err := s.SilentReceive(c, r, message)
	if err != nil {
		t.Fatal(err)
	}
	sent, got := slices.Concat(sentLists...), slices.Concat(gotLists...)
	if len(sent) != s.Made() || len(got) != s.Made() || choices.Len() != s.Made() {
		t.Fatalf("%d, %d transfers", len(sent), len(got))
	}
	seen, ones := make(map[uint64]bool, s.Made()), 0
	for i, x := range sent {
		b := uint64(choices.Get(i))
		ones += int(b)
		if got[i] != x.Xor(delta.mask(b)) {
			t.Fatalf("transfer %d: %x and %x, choice %d", i, x, got[i], b)
		}
		if seen[x[0]] {
			t.Fatalf("transfer %d repeats a block", i)
		}
		seen[x[0]] = true
	}
	balanced := func(what string, ones, n int) {
		if z := math.Abs(float64(2*ones-n)) / math.Sqrt(float64(n)); z > 6 {
			t.Errorf("%s: %.1f standard deviations from half of the bits", what, z)
		}
	}
	balanced("choices", ones, s.Made())
	ones = 0
	for _, b := range message {
		ones += bits.OnesCount8(b)
	}
	balanced("message", ones, 8*len(message))
	if _, _, err := s.SilentReceive(c, r, message[1:]); !errors.Is(err, ErrMessage) {
		t.Errorf("a short message: %v", err)
	}
}

// TestSilentErrors finds the error in each tree: without the code, the choices of a tree are those of one leaf.
func TestSilentErrors(t *testing.T) {
	s := SilentSet{"test", 3, 64, 6, 128}
	delta := Block{5, 6}
	q, c, r := dealtAtRandom(t, delta, s.Takes())
	for i := range s.Secrets { // secrets that are 0 leave the trees as they are
		q[i], r[i] = Block{}, Block{}
		if c.Get(i) == 1 {
			c.Words()[i/64] &^= 1 << (i % 64)
		}
	}
	sentLists, message, err := s.SilentSend(delta, q, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	choices, gotLists, err := s.SilentReceive(c, r, message)
	if err != nil {
		t.Fatal(err)
	}
	sent, got := slices.Concat(sentLists...), slices.Concat(gotLists...)
	for tree := range s.Trees {
		count := 0
		for i := tree << s.Depth; i < (tree+1)<<s.Depth; i++ {
			b := uint64(choices.Get(i))
			count += int(b)
			if got[i] != sent[i].Xor(delta.mask(b)) {
				t.Errorf("leaf %d", i)
			}
		}
		if count != 1 {
			t.Errorf("tree %d has %d errors", tree, count)
		}
	}
}

// TestSilentSets holds the sets to 128 bits of security by their table, and wants weaker ones refused.
func TestSilentSets(t *testing.T) {
	for _, s := range SilentSets {
		if err := s.check(); err != nil || s.Secrets&(s.Secrets-1) != 0 || s.Takes() >= s.Made() {
			t.Errorf("%+v: %v", s, err)
		}
	}
	weak := SilentSet{"weak", 10, 64, 4, 120}
	if _, _, err := weak.SilentSend(Block{}, nil, rand.Reader); err == nil || !strings.Contains(err.Error(), "120 bits of security") {
		t.Errorf("%v", err)
	}
	if _, _, err := weak.SilentReceive(ring.NewBits(0), nil, nil); err == nil || !strings.Contains(err.Error(), "120 bits of security") {
		t.Errorf("%v", err)
	}
}
