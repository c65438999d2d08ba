package correlation

import (
	"fmt"
	"sync"
)

// Corrections is the source of corrections of the party that receives them: a Delivery while a
// dealer works, or a store of corrections dealt earlier.
type Corrections interface {
	// Await calls ready once, as soon as the correction has arrived or cannot arrive any more: Take
	// then fails only if it never will. ready must not block.
	Await(id ID, ready func())
	// Take returns a correction, once.
	Take(id ID) ([]byte, error)
}

// Delivery holds corrections between their arrival and their use.
type Delivery struct {
	limit int64

	mu      sync.Mutex
	wake    sync.Cond // signals: a correction was taken, one is waited for, or the end
	arrived map[ID][]byte
	held    int64 // total length of arrived
	waiting map[ID]func()
	ended   bool
	err     error // the reason of an early end
}

// NewDelivery makes an empty Delivery. Put blocks while it holds more than limit bytes.
func NewDelivery(limit int64) *Delivery {
	d := &Delivery{limit: limit, arrived: map[ID][]byte{}, waiting: map[ID]func(){}}
	d.wake.L = &d.mu
	return d
}

// Put adds a correction that has arrived; data must not be changed later. Put blocks while the
// delivery is full, unless Await waits for a correction that has not arrived: with corrections used
// out of order, a full delivery would otherwise deadlock. After End, Put does nothing.
func (d *Delivery) Put(id ID, data []byte) {
	d.mu.Lock()
	for d.held > d.limit && len(d.waiting) == 0 && !d.ended {
		d.wake.Wait()
	}
	if d.ended {
		d.mu.Unlock()
		return
	}
	d.arrived[id] = data
	d.held += int64(len(data))
	ready := d.waiting[id]
	delete(d.waiting, id)
	d.mu.Unlock()
	if ready != nil {
		ready()
	}
}

// End declares that no further corrections arrive; err, if not nil, is why that is too early.
func (d *Delivery) End(err error) {
	d.mu.Lock()
	if d.ended {
		d.mu.Unlock()
		return
	}
	d.ended, d.err = true, err
	waiting := d.waiting
	d.waiting = nil
	d.wake.Broadcast()
	d.mu.Unlock()
	for _, ready := range waiting {
		ready()
	}
}

// Await calls ready when the correction has arrived or after End.
func (d *Delivery) Await(id ID, ready func()) {
	d.mu.Lock()
	_, there := d.arrived[id]
	if !there && !d.ended {
		d.waiting[id] = ready
		d.wake.Broadcast()
		d.mu.Unlock()
		return
	}
	d.mu.Unlock()
	ready()
}

// Take returns a correction that has arrived.
func (d *Delivery) Take(id ID) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	data, ok := d.arrived[id]
	if !ok {
		if d.err != nil {
			return nil, d.err
		}
		return nil, fmt.Errorf("%w: %v", ErrMissing, id)
	}
	delete(d.arrived, id)
	d.held -= int64(len(data))
	d.wake.Broadcast()
	return data, nil
}
