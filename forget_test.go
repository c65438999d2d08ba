package tacet_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet"
)

// TestRunDropsInputs: when the input phase begins, nothing holds the arrays of owned arguments any more.
func TestRunDropsInputs(t *testing.T) {
	var dropped atomic.Int32
	sharing := false
	watched := func() tacet.Spec {
		s := scoreSpec()
		for _, a := range s.Args {
			runtime.AddCleanup(a.Data, func(struct{}) { dropped.Add(1) }, struct{}{})
		}
		s.Progress = func(p tacet.Progress) {
			if p.Phase != "input" {
				return
			}
			sharing = true
			for end := time.Now().Add(30 * time.Second); dropped.Load() < 2 && time.Now().Before(end); {
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		}
		return s
	}
	if _, err := tacet.Run(t.Context(), watched()); err != nil {
		t.Fatal(err)
	}
	if got := dropped.Load(); !sharing || got < 2 {
		t.Errorf("%d of 2 arrays were dropped before the input phase", got)
	}
}
