package link

import (
	"errors"
	"syscall"
	"testing"
)

// A payload that no peer would accept is refused before it is sent. It has an address range and no
// memory.
func TestTooLongPayload(t *testing.T) {
	data, err := syscall.Mmap(-1, 0, MaxPayload+1, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(data)
	ends := memory(t, 2)
	w := await(ends[0], 1, Key{Online, 0, 0})
	ends[0].Send(1, Key{Online, 1, 0}, 0, data)
	var pe *PeerError
	if r := get(t, w); !errors.As(r.err, &pe) || pe.Rank != 1 {
		t.Errorf("got %v", r.err)
	}
}
