package fault

import (
	"math/rand/v2"
	"time"
)

// Direction is which way over a line.
type Direction int

// The directions: from who dials to who is dialled, and back.
const (
	Out  Direction = 1
	Back Direction = 2
	Both           = Out | Back
)

// Fault is what a line does to what goes over it. The zero Fault is none.
type Fault struct {
	Delay time.Duration // everything arrives so much later
	Rate  float64       // bytes a second; 0: no limit
	Loss  float64       // the share of segments (1460 bytes) that are held up, with all that follows
	Stall time.Duration // for how long: what it takes to send them again; default 200 ms
	// Hole takes everything and passes on nothing, ends of connections neither:
	// a host that is gone without a word. What fell into it is lost.
	Hole bool
	// Stop takes nothing, until it is lifted: a cable pulled out and put back.
	Stop bool
}

const (
	// segment is the unit of loss: what fits into one packet.
	segment = 1460
	// again is after how long TCP sends again what was not acknowledged.
	again = 200 * time.Millisecond
)

// clock says when pieces of one connection arrive in one direction.
type clock struct {
	random *rand.Rand
	at     int64     // bytes so far
	drawn  int64     // segments whose luck is known
	busy   time.Time // until when the line is
	last   time.Time // when the piece before arrives
}

// arrival is when a piece of n bytes arrives that is sent now.
func (c *clock) arrival(f Fault, n int) time.Time {
	now := time.Now()
	if c.busy.Before(now) {
		c.busy = now
	}
	if f.Rate > 0 {
		c.busy = c.busy.Add(time.Duration(float64(n) / f.Rate * float64(time.Second)))
	}
	due := c.busy.Add(f.Delay)
	if c.last.After(due) {
		due = c.last
	}
	for c.at += int64(n); c.drawn*segment < c.at; c.drawn++ {
		if c.random.Float64() < f.Loss {
			if f.Stall == 0 {
				f.Stall = again
			}
			due = due.Add(f.Stall)
		}
	}
	c.last = due
	return due
}
