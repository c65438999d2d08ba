//go:build !linux

package link

import "time"

// newAlarm returns an alarm; release ends its use.
func newAlarm() *alarm { return newTimer() }

func (a *alarm) release() { a.timer.Stop() }

// set has wait return d from now, also if another time was set before.
func (a *alarm) set(d time.Duration) { a.timer.Reset(d) }

// wait waits for the time that was set.
func (a *alarm) wait() { <-a.timer.C }
