package exec

import (
	"sync"

	"github.com/tacet-mpc/tacet/tensor"
)

// Memo keeps the results of operations on public values, by operation instance, so that a party evaluates them in the
// first walk of a session and not again in later ones. It keeps up to 256 MiB; results beyond that are evaluated in
// each walk. The zero Memo is empty and ready for use. Later walks may use it concurrently, because it does not
// change after the first walk.
type Memo struct {
	// Once says that only one walk follows the first and that this walk does not evaluate values that one party alone
	// knows. Public results that are read only for such values are then not kept.
	Once bool

	results        map[uint32]kept
	bytes          int64
	firstWalkEnded bool

	mu   sync.Mutex
	own  map[uint32][]*tensor.Array // values that stay, of one party, that later walks read
	room int64                      // bytes of own
}

// kept is an operation's result: its values during the first walk, then their arrays; no arrays if nothing
// reads them.
type kept struct {
	values []*value
	arrays []*tensor.Array
}

const memoBytes = 256 << 20

// get returns what the first walk has kept for an instance.
func (m *Memo) get(id uint32) (arrays []*tensor.Array, ok bool) {
	if m == nil {
		return nil, false
	}
	k, ok := m.results[id]
	return k.arrays, ok && k.values == nil
}

// put keeps an instance's results. again says that they are arrays of an earlier instance, which take no further memory.
func (m *Memo) put(id uint32, values []*value, again bool) {
	if m == nil || m.firstWalkEnded {
		return
	}
	for _, v := range values {
		if !again {
			m.bytes += arrayBytes(v.array())
		}
	}
	if m.bytes > memoBytes {
		return
	}
	if m.results == nil {
		m.results = map[uint32]kept{}
	}
	m.results[id] = kept{values: values}
}

// arrayBytes is the size of an array's elements in memory.
func arrayBytes(a *tensor.Array) int64 { return int64(a.Len()) * int64(max(8, a.DType.Bits())) / 8 }

// spare records that a computation of one party alone read its operands.
func (m *Memo) spare(in []*value) {
	if m == nil || !m.Once {
		return
	}
	for _, v := range in {
		v.reads--
	}
}

// endFirstWalk ends the first walk.
func (m *Memo) endFirstWalk() {
	if m == nil || m.firstWalkEnded {
		return
	}
	m.firstWalkEnded = true
	for id, k := range m.results {
		arrays := make([]*tensor.Array, len(k.values))
		for i, v := range k.values {
			if v.reads > 0 || !m.Once {
				arrays[i] = v.array()
			}
		}
		m.results[id] = kept{arrays: arrays}
	}
}

// read returns the values of an instance that stay and that one party knows, as evaluated returns them. It calls evaluated once in all
// walks if it has room for its arrays.
func (m *Memo) read(id uint32, evaluated func() []*tensor.Array) []*tensor.Array {
	if m == nil {
		return evaluated()
	}
	m.mu.Lock()
	res, ok := m.own[id]
	m.mu.Unlock()
	if ok {
		return res
	}
	res = evaluated()
	bytes := int64(0)
	for _, a := range res {
		if a == nil {
			return res // the evaluation failed
		}
		bytes += arrayBytes(a)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, again := m.own[id]; !again && m.room+bytes <= memoBytes {
		if m.own == nil {
			m.own = map[uint32][]*tensor.Array{}
		}
		m.own[id] = res
		m.room += bytes
	}
	return res
}
