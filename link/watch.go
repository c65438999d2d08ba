package link

import (
	"errors"
	"fmt"
	"time"
)

// Watch is how parties know that those live from whom they hear nothing. It is
// an option of NewEndpoint; all parties should have the same. The zero Watch is
// none.
//
// Whatever arrives is a sign of life, but what TLS passes on in records (16 KiB
// at most) only when a record is whole.
type Watch struct {
	Beat    time.Duration // a peer that was sent nothing for so long is sent a beat
	Silence time.Duration // a peer from which nothing arrived for so long has failed
}

// ErrSilent is what the connection to a peer fails with that shows no sign of
// life any more.
var ErrSilent = errors.New("silent")

// parting is how long the end of a connection may take without a watch.
const parting = 5 * time.Second

func (w Watch) apply(e *Endpoint) { e.watch = w }

// linger is how long the end of a connection may take.
func (w Watch) linger() time.Duration {
	if w.Silence > 0 {
		return w.Silence
	}
	return parting
}

// start is when the watch's clock began.
var start = time.Now()

// now is the time of the watch's clock, in nanoseconds.
func now() int64 { return int64(time.Since(start)) }

// keep watches over the peers: it has beats sent to them and ends connections
// over which nothing comes.
func (e *Endpoint) keep() {
	for _, p := range e.peers {
		if p != nil {
			p.wrote.Store(now())
		}
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	due := now()
	for {
		select {
		case <-timer.C:
		case <-e.stop:
			return
		}
		if late := now() - due; e.watch.Silence > 0 && late > int64(e.watch.Silence)/2 {
			// It is this process that stood still. What peers have sent
			// meanwhile is to be read before they are judged.
			for _, p := range e.peers {
				if p != nil {
					p.wait(now())
				}
			}
		}
		wait := e.look()
		due = now() + int64(wait)
		timer.Reset(wait)
	}
}

// look does what is due and returns how long there is nothing to do.
func (e *Endpoint) look() time.Duration {
	wait := int64(time.Hour)
	at := now()
	for _, p := range e.peers {
		if p == nil || p.over() {
			continue
		}
		if beat := int64(e.watch.Beat); beat > 0 {
			left := p.wrote.Load() + beat - at
			if left <= 0 {
				p.poke()
				left = beat
			}
			wait = min(wait, left)
		}
		if silence := int64(e.watch.Silence); silence > 0 {
			left := silence
			if since := p.heard.Load(); since != busy {
				left += since - at
			}
			if left <= 0 {
				p.fail(&PeerError{p.rank, fmt.Errorf("%w for %g s", ErrSilent, e.watch.Silence.Seconds())})
				e.watching.Go(p.cut) // which may take its time
				left = silence
			}
			wait = min(wait, left)
		}
	}
	return time.Duration(wait)
}

// poke has the writer send a beat, unless it has something else to write.
func (p *peer) poke() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beat = true
	p.wake.Broadcast()
}

// wait begins the wait for the peer anew, if there is one.
func (p *peer) wait(at int64) {
	for {
		since := p.heard.Load()
		if since == busy || p.heard.CompareAndSwap(since, at) {
			return
		}
	}
}

// over reports whether nothing more is read from the peer.
func (p *peer) over() bool {
	select {
	case <-p.drained:
		return true
	default:
		return false
	}
}
