package conformance

import (
	"fmt"
	"math"
	"math/bits"
	"sync"
)

// counter counts the bytes that each party sends each other one.
type counter struct {
	mu     sync.Mutex
	counts map[[2]int]*[256]int64
}

func newCounter(int) *counter { return &counter{counts: map[[2]int]*[256]int64{}} }

func (c *counter) add(from, to int, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counts[[2]int{from, to}]
	if n == nil {
		n = &[256]int64{}
		c.counts[[2]int{from, to}] = n
	}
	for _, b := range data {
		n[b]++
	}
}

// worst is the largest deviation of a count from what uniform bytes have, in standard
// deviations: of ones among all bits, of ones at each place of a byte, and of the sum of
// squares over byte values (χ², of 255 degrees of freedom, by its normal approximation).
func (c *counter) worst() (z float64, what string) {
	note := func(x float64, format string, args ...any) {
		if x > z {
			z, what = x, fmt.Sprintf(format, args...)
		}
	}
	for link, counts := range c.counts {
		total, ones := int64(0), int64(0)
		var places [8]int64
		for b, n := range counts {
			total += n
			ones += n * int64(bits.OnesCount8(uint8(b)))
			for i := range places {
				places[i] += n * int64(b>>i&1)
			}
		}
		if total < 64 {
			continue
		}
		note(math.Abs(float64(2*ones-8*total))/math.Sqrt(float64(8*total)), "bits from %d to %d", link[0], link[1])
		for i, n := range places {
			note(math.Abs(float64(2*n-total))/math.Sqrt(float64(total)), "bits %d of bytes from %d to %d", i, link[0], link[1])
		}
		if total >= 5*256 {
			chi, each := 0.0, float64(total)/256
			for _, n := range counts {
				chi += (float64(n) - each) * (float64(n) - each) / each
			}
			note((chi-255)/math.Sqrt(2*255), "bytes from %d to %d", link[0], link[1])
		}
	}
	return z, what
}
