//go:build !linux

package link

import "time"

// sleepShort sleeps for a short time.
func sleepShort(d time.Duration) { time.Sleep(d) }
