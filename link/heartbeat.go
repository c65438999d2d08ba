package link

import (
	"errors"
	"fmt"
	"time"
)

// Heartbeat is an option of NewEndpoint that detects dead peers. All parties should have the same. The zero
// Heartbeat detects none.
//
// Anything that arrives is a sign of life. TLS passes on a record (16 KiB at most) only when it is complete.
type Heartbeat struct {
	Interval time.Duration // a peer to which nothing was sent for this time is sent a heartbeat
	Timeout  time.Duration // a peer from which nothing has arrived for this time has failed
}

// ErrSilent is the error, wrapped in a PeerError, of a connection on which nothing has arrived for
// Heartbeat.Timeout.
var ErrSilent = errors.New("silent")

// defaultLinger is the time that closing a connection may take without a Heartbeat.
const defaultLinger = 5 * time.Second

func (w Heartbeat) apply(e *Endpoint) { e.heartbeat = w }

// linger is the time that closing a connection may take.
func (w Heartbeat) linger() time.Duration {
	if w.Timeout > 0 {
		return w.Timeout
	}
	return defaultLinger
}

// epoch is the zero of the clock of now.
var epoch = time.Now()

// now is the time since epoch, in nanoseconds.
func now() int64 { return int64(time.Since(epoch)) }

// monitorPeers requests heartbeats to idle peers and ends connections from which nothing arrives.
func (e *Endpoint) monitorPeers() {
	for _, p := range e.peers {
		if p != nil {
			p.lastWrite.Store(now())
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
		if late := now() - due; e.heartbeat.Timeout > 0 && late > int64(e.heartbeat.Timeout)/2 {
			// This process itself was stopped. What peers have sent meanwhile must be read before
			// their timeouts are checked.
			for _, p := range e.peers {
				if p != nil {
					p.restartTimeout(now())
				}
			}
		}
		wait := e.checkPeers()
		due = now() + int64(wait)
		timer.Reset(wait)
	}
}

// checkPeers does what is due and returns the time until something is due again.
func (e *Endpoint) checkPeers() time.Duration {
	wait := int64(time.Hour)
	at := now()
	for _, p := range e.peers {
		if p == nil || p.isDrained() {
			continue
		}
		if interval := int64(e.heartbeat.Interval); interval > 0 {
			left := p.lastWrite.Load() + interval - at
			if left <= 0 {
				p.requestHeartbeat()
				left = interval
			}
			wait = min(wait, left)
		}
		if timeout := int64(e.heartbeat.Timeout); timeout > 0 {
			left := timeout
			if since := p.idleSince.Load(); since != busy {
				left += since - at
			}
			if left <= 0 {
				p.fail(&PeerError{p.rank, fmt.Errorf("%w for %g s", ErrSilent, e.heartbeat.Timeout.Seconds())})
				e.monitor.Go(p.closeNow) // may block
				left = timeout
			}
			wait = min(wait, left)
		}
	}
	return time.Duration(wait)
}

// requestHeartbeat makes the writer send a heartbeat, unless it has something else to write.
func (p *peer) requestHeartbeat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heartbeatDue = true
	p.wake.Broadcast()
}

// restartTimeout restarts the timeout for the peer, if it is running.
func (p *peer) restartTimeout(at int64) {
	for {
		since := p.idleSince.Load()
		if since == busy || p.idleSince.CompareAndSwap(since, at) {
			return
		}
	}
}

// isDrained reports whether nothing more is read from the peer.
func (p *peer) isDrained() bool {
	select {
	case <-p.drained:
		return true
	default:
		return false
	}
}
