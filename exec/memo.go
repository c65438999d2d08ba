package exec

import "github.com/tacet-mpc/tacet/tensor"

// Memo keeps what operations on public values gave, by instance, so that a
// party evaluates them once and not in each of its walks. It keeps no more
// than memoBytes.
type Memo struct {
	results map[uint32][]*tensor.Array
	bytes   int64
}

const memoBytes = 256 << 20

func (m *Memo) get(id uint32) []*tensor.Array {
	if m == nil {
		return nil
	}
	return m.results[id]
}

func (m *Memo) put(id uint32, res []*tensor.Array) {
	if m == nil {
		return
	}
	for _, a := range res {
		m.bytes += int64(a.Len()) * int64(max(8, a.DType.Bits())) / 8
	}
	if m.bytes > memoBytes {
		return
	}
	if m.results == nil {
		m.results = map[uint32][]*tensor.Array{}
	}
	m.results[id] = res
}
