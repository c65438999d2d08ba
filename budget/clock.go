package budget

import (
	"sync"
	"time"
)

// clock is a budget's time. It stands still while the budget waits for others.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer // nil: no limit
	left  time.Duration
	since time.Time
}

func (c *clock) start(limit time.Duration, end func()) {
	if limit > 0 {
		c.left, c.since, c.timer = limit, time.Now(), time.AfterFunc(limit, end)
	}
}

func (c *clock) stop() {
	if c.timer != nil {
		c.timer.Stop()
	}
}

// pause stops the clock while wait runs.
func (c *clock) pause(wait func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil || !c.timer.Stop() {
		return wait()
	}
	c.left -= time.Since(c.since)
	err := wait()
	c.since = time.Now()
	c.timer.Reset(max(0, c.left))
	return err
}
