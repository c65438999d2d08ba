package fault

import (
	"math/rand/v2"
	"time"
)

// Direction says in which direction of a Line, which forwards all connections from one side to another, traffic is affected.
type Direction int

// The directions of a line.
const (
	Out  Direction = 1          // from the side that dials to the other side
	Back Direction = 2          // from the other side back to the side that dials
	Both           = Out | Back // both directions
)

// Fault is the behaviour of a line. The zero Fault forwards everything at once.
type Fault struct {
	Delay time.Duration // added to the time at which bytes arrive
	Rate  float64       // bytes a second; 0: no limit
	Loss  float64       // fraction, from 0 to 1, of segments of 1460 bytes that stall, and everything behind them with them
	Stall time.Duration // duration of a stall, as for a retransmission; 0 for 200 ms
	// Hole accepts everything and forwards nothing, not even the end of a connection, as if the
	// other host had disappeared. The data are lost.
	Hole bool
	// Stop accepts nothing until Set replaces the fault, as if a cable had been unplugged for a time.
	Stop bool
}

const (
	// segment is the unit of loss: the data of one packet.
	segment = 1460
	// retransmitAfter is the time after which TCP retransmits an unacknowledged segment.
	retransmitAfter = 200 * time.Millisecond
)

// clock computes when pieces of one connection arrive in one direction.
type clock struct {
	random *rand.Rand
	at     int64     // bytes so far
	drawn  int64     // segments for which a loss has been drawn
	busy   time.Time // end of the transmission of everything so far
	last   time.Time // arrival of the previous piece
}

// arrival is the time at which a piece of n bytes arrives that is sent now.
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
				f.Stall = retransmitAfter
			}
			due = due.Add(f.Stall)
		}
	}
	c.last = due
	return due
}
