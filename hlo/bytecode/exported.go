package bytecode

import (
	"bytes"
	"encoding/binary"
)

// Find returns the bytecode in data, without a copy: data itself, or the module within the output of jax.export's
// Exported.serialize, which is a FlatBuffer with the module in one of its fields. It returns nil if there is none.
func Find(data []byte) []byte {
	if Is(data) {
		return data
	}
	if len(data) < 8 || data[3] != 0 || data[7] != 0 {
		return nil // not text, and a serialised program has less than 16 MiB before its table
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
	// A table starts with the signed distance to its list of fields, which contains the list's
	// size, the table's size, and the position of each field in the table.
	table := u32(0)
	back := u32(table)
	if table < 0 || back < 0 {
		return nil
	}
	fields := table - int(int32(back))
	for i := 4; i < u16(fields); i += 2 {
		field := u16(fields + i)
		if field < 4 {
			continue // the field is missing
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
