package correlation

import (
	"sync"

	"github.com/tacet-mpc/tacet/ring"
)

// Kept holds values of owners' masks that several manifests of a session use, so that a dealer expands them once. It may be used
// concurrently.
type Kept struct {
	mu    sync.Mutex
	room  int64 // bytes that are left
	masks map[keptMask]ring.Vec
}

// keptMask is all that a mask's value depends on, beside the owner's seed.
type keptMask struct {
	id    ID
	owner int
	ring  ring.Ring
	n     int
}

// NewKept returns a Kept for up to limit bytes; masks beyond that are expanded for each manifest.
func NewKept(limit int64) *Kept { return &Kept{room: limit, masks: map[keptMask]ring.Vec{}} }

// value returns the value of an Owned mask, which p is the owner's stream of. Callers must not write to it.
func (k *Kept) value(m *Mask, p *ring.PRG) ring.Vec {
	name := keptMask{m.ID, m.Owner, m.Ring, m.N}
	k.mu.Lock()
	v, ok := k.masks[name]
	k.mu.Unlock()
	if ok {
		return v
	}
	v = m.seeded(p)
	k.mu.Lock()
	defer k.mu.Unlock()
	if first, ok := k.masks[name]; ok {
		return first // another manifest has expanded it meanwhile
	}
	if k.room >= m.memory() {
		k.room -= m.memory()
		k.masks[name] = v
	}
	return v
}
