package correlation

import (
	"fmt"
	"sync"
)

// Corrections is the source of corrections for the party that receives them: a Delivery while a dealer sends them, or
// a store of corrections that were dealt earlier. A correction is what the dealer adds to the parties' pseudo-random
// shares so that they sum to a dealt value (package comment).
type Corrections interface {
	// Await calls ready once: when the correction has arrived, or when it is certain that it will not arrive. ready
	// must not block.
	Await(id ID, ready func())
	// Take returns the correction and removes it. It does not block: if the correction has not arrived, will not
	// arrive or was taken before, it returns an error (ErrMissing or the reason). Call it after Await has called
	// ready.
	Take(id ID) ([]byte, error)
}

// Delivery implements Corrections: it holds corrections from their arrival (Put) to their use (Take).
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

// NewDelivery returns an empty Delivery. Put blocks while it holds more than limit bytes.
func NewDelivery(limit int64) *Delivery {
	d := &Delivery{limit: limit, arrived: map[ID][]byte{}, waiting: map[ID]func(){}}
	d.wake.L = &d.mu
	return d
}

// Put adds a correction that has arrived; data must not be changed later. Put blocks while the Delivery is full,
// unless Await waits for a correction that has not arrived: otherwise a full Delivery would deadlock if corrections
// are used in another order. After End, Put does nothing.
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

// End declares that no further corrections arrive. If err is not nil, it is the reason for which some are missing,
// and Take returns it for them; otherwise Take returns ErrMissing. Calls after the first do nothing.
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

// Await implements Corrections. It calls ready when the correction has arrived or End has been called.
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

// Take implements Corrections. The caller owns the returned slice.
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
