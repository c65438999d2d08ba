package correlation

import (
	"fmt"
	"sync"
)

// Corrections is where the party that gets corrections takes them from: a
// Delivery while a dealer works, or what was dealt earlier.
type Corrections interface {
	// Await calls ready once, as soon as Take will not find the correction
	// missing because it is still on its way. ready does not block.
	Await(id ID, ready func())
	// Take gives a correction, once.
	Take(id ID) ([]byte, error)
}

// Delivery holds corrections between their arrival and their use.
type Delivery struct {
	limit int64

	mu      sync.Mutex
	wake    sync.Cond // something was taken or is waited for, or the end
	arrived map[ID][]byte
	held    int64 // bytes of these
	waiting map[ID]func()
	ended   bool
	err     error // what ended it early
}

// NewDelivery makes an empty one. It holds about limit bytes before Put waits.
func NewDelivery(limit int64) *Delivery {
	d := &Delivery{limit: limit, arrived: map[ID][]byte{}, waiting: map[ID]func(){}}
	d.wake.L = &d.mu
	return d
}

// Put adds a correction that has arrived; data must not be changed later. It
// waits while the delivery is full, unless somebody waits for what is still to
// come: what is asked for out of order must not stop what asks. After the end
// it does nothing.
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

// End says that nothing further comes, and why if that is too early.
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

// Await calls ready when the correction has arrived or nothing further comes.
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

// Take gives a correction that has arrived.
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
