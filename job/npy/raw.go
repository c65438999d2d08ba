package npy

import (
	"encoding/binary"
	"unsafe"
)

// raw returns the memory of an array's elements as bytes, in the machine's byte order; nil for booleans,
// of which a file may hold other bytes than 0 and 1. Reading and writing it at once is several times
// faster than converting element by element.
func raw(data any) []byte {
	switch v := data.(type) {
	case []int8:
		return memory(v)
	case []uint8:
		return v
	case []int16:
		return memory(v)
	case []uint16:
		return memory(v)
	case []int32:
		return memory(v)
	case []uint32:
		return memory(v)
	case []int64:
		return memory(v)
	case []uint64:
		return memory(v)
	case []float32:
		return memory(v)
	case []float64:
		return memory(v)
	case []complex64:
		return memory(v)
	case []complex128:
		return memory(v)
	}
	return nil
}

func memory[T any](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// sameOrder reports whether a file's byte order is the machine's.
func sameOrder(big bool) bool {
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	const probe = 0x0102
	var b [2]byte
	binary.NativeEndian.PutUint16(b[:], probe)
	return order.Uint16(b[:]) == probe
}
