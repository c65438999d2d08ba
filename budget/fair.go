package budget

import (
	"context"
	"math"
	"slices"
	"sync"
)

// fair is a number of places for which holders wait, such as submitters whose jobs are planned. A place that becomes
// free goes to the holder that has the fewest, of these to the one that was given one least recently, and then to the
// first that came: one who waits with very many tasks delays another's by one turn, not by all of them.
type fair struct {
	each int // maximum number of places that one holder has

	mu      sync.Mutex
	free    int
	turn    int
	has     map[string]int // places by holder
	served  map[string]int // the turn in which a holder that has a place or waits was last given one
	waiting []*waiter      // in the order of arrival
}

// waiter waits for a place.
type waiter struct {
	holder string
	given  chan struct{} // closed when it has a place
}

func newFair(places, each int) *fair {
	return &fair{free: places, each: each, has: map[string]int{}, served: map[string]int{}}
}

// take takes a place for a holder. It waits for one, and returns the cause if ctx ends before.
func (f *fair) take(ctx context.Context, holder string) error {
	w := &waiter{holder, make(chan struct{})}
	f.mu.Lock()
	f.waiting = append(f.waiting, w)
	f.grant()
	f.mu.Unlock()
	select {
	case <-w.given:
		return nil
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.waiting, w); i >= 0 {
		f.waiting = slices.Delete(f.waiting, i, i+1)
		f.forget(holder)
		return context.Cause(ctx)
	}
	return nil // it was given a place meanwhile
}

// give gives back a place of a holder.
func (f *fair) give(holder string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free++
	if f.has[holder]--; f.has[holder] == 0 {
		delete(f.has, holder)
	}
	f.grant()
	f.forget(holder)
}

// grant gives free places to those who wait.
func (f *fair) grant() {
	for f.free > 0 {
		next, fewest, oldest := -1, math.MaxInt, math.MaxInt
		for i, w := range f.waiting {
			has, served := f.has[w.holder], f.served[w.holder]
			if has < f.each && (has < fewest || has == fewest && served < oldest) {
				next, fewest, oldest = i, has, served
			}
		}
		if next < 0 {
			return
		}
		w := f.waiting[next]
		f.waiting = slices.Delete(f.waiting, next, next+1)
		f.free--
		f.turn++
		f.has[w.holder]++
		f.served[w.holder] = f.turn
		close(w.given)
	}
}

// forget removes what is known of a holder that neither has a place nor waits.
func (f *fair) forget(holder string) {
	if f.has[holder] == 0 && !slices.ContainsFunc(f.waiting, func(w *waiter) bool { return w.holder == holder }) {
		delete(f.served, holder)
	}
}
