package link

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Shape is a speed to which a connection is slowed down. In each direction, all data together gets Bits a
// second, and is delayed by half of RoundTrip. The zero Shape has no limits.
type Shape struct {
	Bits      float64       // bits a second; 0: no limit
	RoundTrip time.Duration // time from sending a message until an answer to it can arrive
}

// Shapes has the named networks: bits a second and round trip, by name.
var Shapes = map[string]Shape{
	"none": {},
	"lan":  {1e9, time.Millisecond},
	"wan":  {1e8, 10 * time.Millisecond},
	"slow": {1e7, 100 * time.Millisecond},
}

// ParseShape returns the shape with a name of Shapes, or the one that a text BITS_PER_S/RTT such as "1e9/1ms"
// describes.
func ParseShape(text string) (Shape, error) {
	if s, ok := Shapes[text]; ok {
		return s, nil
	}
	bits, trip, ok := strings.Cut(text, "/")
	b, err := strconv.ParseFloat(bits, 64)
	d, err2 := time.ParseDuration(trip)
	if !ok || err != nil || err2 != nil || !(b >= minBits && b <= maxBits) || d < 0 || d > maxTrip {
		return Shape{}, fmt.Errorf("unknown network %q (want none, lan, wan, slow, or BITS_PER_S/RTT such as 1e9/1ms: 1e3 to 1e13 bit/s, at most one minute)", text)
	}
	return Shape{b, d}, nil
}

// Limits of shapes.
const (
	minBits = 1e3
	maxBits = 1e13
	maxTrip = time.Minute
)

// Seconds returns the least time in seconds that so many rounds, one after the other, and so many bytes in one
// direction take.
func (s Shape) Seconds(rounds int, bytes int64) float64 {
	t := float64(rounds) * s.RoundTrip.Seconds() / 2
	if s.Bits > 0 {
		t += float64(bytes) * 8 / s.Bits
	}
	return t
}

// Zero reports whether the shape is the zero Shape, which has no limits.
func (s Shape) Zero() bool { return s == Shape{} }

// arrival is the time at which a piece of n bytes arrives that is written at now, on a line that is
// busy until free; busy is the end of its transmission.
func (s Shape) arrival(now, free time.Time, n int) (at, busy time.Time) {
	if free.Before(now) {
		free = now
	}
	if s.Bits > 0 {
		free = free.Add(time.Duration(float64(n) * 8 / s.Bits * float64(time.Second)))
	}
	return free.Add(s.RoundTrip / 2), free
}
