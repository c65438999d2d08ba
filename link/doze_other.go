//go:build !linux

package link

import "time"

// doze waits for a short time.
func doze(d time.Duration) { time.Sleep(d) }
