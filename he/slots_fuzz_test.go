package he

import "testing"

// FuzzSlotMessages gives the reader of a response for slots any bytes: an error, or as many residues below the prime as there are slots.
func FuzzSlotMessages(f *testing.F) {
	s := SlotsOf(45, 1)
	sizes, ok := SlotSizes(45, 2)
	if !ok {
		f.Fatal("no room")
	}
	key := s.c.NewSecret(seedOf(1))
	whole := Bytes(s.N(), sizes.Answer)
	f.Add([]byte{}, 0)
	f.Add([]byte{255}, whole)
	f.Add([]byte{1, 2, 3}, whole-1)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 0 || size > whole+8 {
			size = whole
		}
		message := make([]byte, size)
		for i := range message {
			if len(data) > 0 {
				message[i] = data[i%len(data)]
			}
		}
		shares, err := s.Finish(key, 0, seedOf(60), sizes.Answer, message)
		if (err == nil) != (size == whole) {
			t.Errorf("a response of %d bytes, where %d are right: %v", size, whole, err)
		}
		if err == nil && len(shares) != s.N() {
			t.Errorf("%d shares of %d slots", len(shares), s.N())
		}
		for i, x := range shares {
			if x >= s.Prime(0) {
				t.Fatalf("share %d is %d, not below %d", i, x, s.Prime(0))
			}
		}
		if c, err := s.c.ReadCipher(seedOf(2), nil, sizes.Upload, message); err == nil {
			s.Combine(0, []*Cipher{c}, [][]uint64{make([]uint64, s.N())})
		}
	})
}
