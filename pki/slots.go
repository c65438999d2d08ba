package pki

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/quota"
)

// HandshakeTime is the maximum duration of a TLS handshake. While many connections are in their handshakes,
// listeners allow less.
const HandshakeTime = 10 * time.Second

const (
	minHandshakeTime = time.Second
	maxHandshakes    = 256 // concurrent handshakes of a listener
	// maxPerAddress is the maximum number of concurrent handshakes with one network (Network). It leaves
	// room for others, and is large since all callers behind a proxy have its address.
	maxPerAddress = 192
)

// DeniedError says that a connection exceeded a limit of a Listener.
type DeniedError struct {
	Limit string // the limit: "time", "address", "handshakes" or "connections"
	text  string
}

// Error returns which limit the connection exceeded, on one line.
func (e *DeniedError) Error() string { return e.text }

// DenialCauses lists all values that DenialCause can return.
var DenialCauses = []string{"certificate", "handshake", "time", "address", "handshakes", "connections"}

// DenialCause returns the cause of a listener's refusal for metrics: the field Limit of a DeniedError,
// "certificate" for a refused certificate, or "handshake" for any other error of a handshake.
func DenialCause(err error) string {
	if d := (*DeniedError)(nil); errors.As(err, &d) {
		return d.Limit
	}
	if _, ok := describeRefusal(err); ok {
		return "certificate"
	}
	return "handshake"
}

// Network returns the network of the caller at address, a HOST:PORT: the host or, for an IPv6 address, its first
// 64 bits, since one caller may own all addresses below them. Listeners count connections by it.
func Network(address string) string {
	if a, err := netip.ParseAddrPort(address); err == nil {
		ip := a.Addr().Unmap().WithZone("")
		if ip.Is4() {
			return ip.String()
		}
		p, _ := ip.Prefix(64) // an IPv6 address has 64 bits
		return p.String()
	}
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

// slots holds the connections of a listener that are in their handshakes.
type slots struct {
	mu   sync.Mutex
	open []*slot // the oldest first
}

// slot is a connection in its handshake. Its context ends when the connection has to give way to
// others, or is too slow; the cause says which.
type slot struct {
	conn   net.Conn
	from   string // Network of the remote address
	since  time.Time
	ctx    context.Context
	cancel context.CancelCauseFunc
	stop   context.CancelFunc
}

// take gives a slot to a new connection. It ends slower handshakes than the present number of
// connections allows, and, if there is one connection too many, that of quota.Victim.
func (s *slots) take(ctx context.Context, conn net.Conn) *slot {
	now := time.Now()
	x := &slot{conn: conn, from: Network(conn.RemoteAddr().String()), since: now}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = append(s.open, x)
	limit := handshakeTime(len(s.open))
	deadline, stop := context.WithTimeoutCause(ctx, limit, &DeniedError{"time", fmt.Sprintf("no TLS handshake within %v", limit)})
	x.stop = stop
	x.ctx, x.cancel = context.WithCancelCause(deadline)
	for len(s.open) > 1 && now.Sub(s.open[0].since) > limit {
		s.evict(0, "time", fmt.Sprintf("no TLS handshake within %v (less than %v, because there are %d handshakes)",
			limit.Round(time.Millisecond), HandshakeTime, len(s.open)))
	}
	var from []string
	own, oldest := 0, -1
	for i, o := range s.open {
		from = append(from, o.from)
		if o.from == x.from {
			own++
			if oldest < 0 {
				oldest = i
			}
		}
	}
	switch {
	case own > maxPerAddress:
		s.evict(oldest, "address", fmt.Sprintf("closed before its TLS handshake ended: %d newer connections of %s are in theirs, the maximum",
			maxPerAddress, x.from))
	case len(s.open) > maxHandshakes:
		s.evict(quota.Victim(from), "handshakes", fmt.Sprintf("closed before its TLS handshake ended: %d newer connections are in theirs, the maximum",
			maxHandshakes))
	}
	return x
}

// evict ends the handshake of a connection. s.mu is held.
func (s *slots) evict(i int, limit, why string) {
	x := s.open[i]
	s.open = append(s.open[:i], s.open[i+1:]...)
	x.cancel(&DeniedError{limit, why})
	x.conn.Close()
}

// free frees the slot of a connection whose handshake is over. It returns false if it was evicted.
func (s *slots) free(x *slot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer x.stop()
	defer x.cancel(nil)
	for i, o := range s.open {
		if o == x {
			s.open = append(s.open[:i], s.open[i+1:]...)
			return true
		}
	}
	return false
}

// handshakeTime returns the time for a handshake while there are n: HandshakeTime up to half of
// maxHandshakes, then less in proportion, down to minHandshakeTime.
func handshakeTime(n int) time.Duration {
	const half = maxHandshakes / 2
	over := min(max(n-half, 0), half)
	return HandshakeTime - (HandshakeTime-minHandshakeTime)*time.Duration(over)/half
}
