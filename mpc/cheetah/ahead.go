package cheetah

import (
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
)

// ahead makes weights of contractions while messages of others are on their way, at most weightsAhead at a time. A contraction whose turn
// has not come when it needs its weights makes them itself: contractions never wait for each other.
type ahead struct {
	mu      sync.Mutex
	pending []*weights // in the order in which their numbers were there
	held    int        // that are made or in use, of those that were pending
	running bool
}

// weightsAhead bounds the number of contractions whose weights are made ahead or in use.
const weightsAhead = 2

// weights are the polynomials of a contraction's responses, by response and ciphertext; all blocks have the same.
type weights struct {
	once sync.Once
	make func() [][]*he.Weights
	list [][]*he.Weights
	err  error
	held bool // is counted in ahead.held; guarded by ahead.mu
}

// get returns the weights, which it makes on the first call.
func (w *weights) get() ([][]*he.Weights, error) {
	w.once.Do(func() {
		w.err = flow.Guard(func() error {
			w.list = w.make()
			return nil
		})
	})
	return w.list, w.err
}

// add has w made when its turn comes.
func (a *ahead) add(w *weights) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending = append(a.pending, w)
	a.next()
}

// next starts to make the first pending weights. a.mu is held.
func (a *ahead) next() {
	if a.running || len(a.pending) == 0 || a.held >= weightsAhead {
		return
	}
	w := a.pending[0]
	a.pending = a.pending[1:]
	a.running, w.held = true, true
	a.held++
	go func() {
		w.get() // the contraction sees the error
		a.mu.Lock()
		defer a.mu.Unlock()
		a.running = false
		a.next()
	}()
}

// take returns w for its contraction.
func (a *ahead) take(w *weights) ([][]*he.Weights, error) {
	a.mu.Lock()
	if i := slices.Index(a.pending, w); i >= 0 {
		a.pending = slices.Delete(a.pending, i, i+1)
	}
	a.mu.Unlock()
	return w.get()
}

// free ends the use of w, whose memory then serves others.
func (a *ahead) free(w *weights) {
	for _, row := range w.list {
		for _, x := range row {
			x.Free()
		}
	}
	w.list = nil
	a.mu.Lock()
	defer a.mu.Unlock()
	if w.held {
		w.held = false
		a.held--
	}
	a.next()
}
