package bytecode

import (
	"bytes"
	"encoding/binary"
)

// Find is the bytecode in data: data itself, or the module within what
// jax.export's Exported.serialize writes, a FlatBuffer one of whose fields
// holds it. It is nil where there is none.
func Find(data []byte) []byte {
	if Is(data) {
		return data
	}
	if len(data) < 8 || data[3] != 0 || data[7] != 0 {
		return nil // neither a text nor a serialised program of less than 16 MiB before its table
	}
	u32 := func(at int) int {
		if at < 0 || at > len(data)-4 {
			return -1
		}
		return int(binary.LittleEndian.Uint32(data[at:]))
	}
	u16 := func(at int) int {
		if at < 0 || at > len(data)-2 {
			return -1
		}
		return int(binary.LittleEndian.Uint16(data[at:]))
	}
	// The table says how far before it, or behind, its list of fields is: its
	// size, the table's size, and where in the table each field stands.
	table := u32(0)
	back := u32(table)
	if table < 0 || back < 0 {
		return nil
	}
	fields := table - int(int32(back))
	for i := 4; i < u16(fields); i += 2 {
		field := u16(fields + i)
		if field < 4 {
			continue // missing
		}
		distance := u32(table + field)
		if distance <= 0 {
			continue
		}
		vector := table + field + distance
		n := u32(vector)
		if n < len(Magic) || n > len(data)-vector-4 {
			continue
		}
		if b := data[vector+4 : vector+4+n]; bytes.HasPrefix(b, []byte(Magic)) {
			return b
		}
	}
	return nil
}
