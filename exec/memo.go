package exec

import "github.com/tacet-mpc/tacet/tensor"

// Memo keeps what operations on public values gave, by instance, so that a
// party evaluates them once and not in each of its walks. It keeps no more
// than memoBytes. After the first walk nothing of it changes: others may go on
// side by side.
type Memo struct {
	// Once says that one walk comes after the first, and computes nothing of what
	// one party knows: what goes into that alone is not kept.
	Once bool

	results map[uint32]kept
	bytes   int64
	settled bool // the first walk has ended
}

// kept is what an operation gave: its values while the first walk goes on, then
// their arrays, none if nobody asks for them.
type kept struct {
	values []*value
	arrays []*tensor.Array
}

const memoBytes = 256 << 20

// get gives what the first walk has kept.
func (m *Memo) get(id uint32) (arrays []*tensor.Array, ok bool) {
	if m == nil {
		return nil, false
	}
	k, ok := m.results[id]
	return k.arrays, ok && k.values == nil
}

func (m *Memo) put(id uint32, values []*value) {
	if m == nil || m.settled {
		return
	}
	for _, v := range values {
		m.bytes += int64(v.arr.Len()) * int64(max(8, v.arr.DType.Bits())) / 8
	}
	if m.bytes > memoBytes {
		return
	}
	if m.results == nil {
		m.results = map[uint32]kept{}
	}
	m.results[id] = kept{values: values}
}

// spare notes that operands were read for what one party knows alone.
func (m *Memo) spare(in []*value) {
	if m == nil || !m.Once {
		return
	}
	for _, v := range in {
		v.reads--
	}
}

// settle ends the first walk.
func (m *Memo) settle() {
	if m == nil || m.settled {
		return
	}
	m.settled = true
	for id, k := range m.results {
		arrays := make([]*tensor.Array, len(k.values))
		for i, v := range k.values {
			if v.reads > 0 || !m.Once {
				arrays[i] = v.arr
			}
		}
		m.results[id] = kept{arrays: arrays}
	}
}
