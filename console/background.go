package console

import (
	"context"
	"sync"
	"time"
)

// background computes values that may take long, one at a time, and remembers the newest ones.
type background[T any] struct {
	ctx   context.Context // ends when the server does
	most  int             // values that are remembered
	mu    sync.Mutex
	known map[string]*pending[T]
	order []string
	busy  sync.Mutex // held while a value is computed
}

// pending is a value, or the reason why there is none.
type pending[T any] struct {
	done  chan struct{} // closed when the fields below are set
	value T
	err   error
}

// get returns the value of a key, which make computes. It waits at most so long; a value that is not ready then is
// computed on, and a later call returns it.
func (b *background[T]) get(key string, wait time.Duration, make func(context.Context) (T, error)) (value T, ready bool, err error) {
	b.mu.Lock()
	x := b.known[key]
	if x == nil {
		x = &pending[T]{done: newSignal()}
		if b.known == nil {
			b.known = map[string]*pending[T]{}
		}
		b.known[key] = x
		b.order = append(b.order, key)
		for ; len(b.order) > b.most; b.order = b.order[1:] {
			delete(b.known, b.order[0])
		}
		go func() {
			defer close(x.done)
			b.busy.Lock()
			defer b.busy.Unlock()
			if x.err = context.Cause(b.ctx); x.err == nil {
				x.value, x.err = make(b.ctx)
			}
		}()
	}
	b.mu.Unlock()
	select {
	case <-x.done:
		return x.value, true, x.err
	case <-time.After(wait):
		return value, false, nil
	}
}

// peek returns the value of a key, if it is there.
func (b *background[T]) peek(key string) (value T, ok bool) {
	b.mu.Lock()
	x := b.known[key]
	b.mu.Unlock()
	if x == nil {
		return value, false
	}
	select {
	case <-x.done:
		return x.value, x.err == nil
	default:
		return value, false
	}
}

func newSignal() chan struct{} { return make(chan struct{}) }
