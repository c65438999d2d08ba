package offline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// A dealer that fails ends the run with its error.
func TestDealerFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, network := range []string{"none", "1e9/1ms"} {
		shape, _ := link.ParseShape(network)
		d := NewLocal(t.Context(), 2, make([]ring.Seed, 2), shape)[1]
		odd := &correlation.Manifest{Requests: []*correlation.Request{{ID: 7, Kind: 99, Op: "prog:9: op"}}}
		m, err := d.Begin(correlation.SessionID{}, &Request{Manifest: odd, MaxTail: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "dealer: ") || !strings.Contains(err.Error(), "prog:9: op") {
			t.Errorf("%s: got %v", network, err)
		}
		if _, err := m.Corrections().Take(7); err == nil || !strings.Contains(err.Error(), "prog:9: op") {
			t.Errorf("%s: taken: %v", network, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A run that ends early leaves nothing of the dealer behind.
func TestDealerIsStopped(t *testing.T) {
	defer goleak.VerifyNone(t)
	x := correlation.NewFresh(1, ring.Z(64), 1<<16)
	form := &correlation.Manifest{}
	for i := range 64 {
		form.Requests = append(form.Requests, &correlation.Request{
			ID: correlation.ID(2 + i), Kind: correlation.Product, Factors: []correlation.Factor{{Mask: x}}, Out: x.Ring, N: x.N,
		})
	}
	d := NewLocal(t.Context(), 2, make([]ring.Seed, 2), link.Shape{Bits: 1e6})[1] // minutes of it
	m, err := d.Begin(correlation.SessionID{}, &Request{Manifest: form})
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{})
	m.Corrections().Await(65, func() { close(called) })
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	<-called
	if _, err := m.Corrections().Take(65); !errors.Is(err, context.Canceled) {
		t.Errorf("what never came: %v", err)
	}
}
