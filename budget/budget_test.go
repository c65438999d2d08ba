package budget

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// op is an operation of no program.
type op struct{}

func (op) Place() (place, name string) { return "p.mlir:3:5", "stablehlo.iota" }

var settings = Settings{Memory: "limits: plan_memory", Operations: "limits: plan_operations", Iterations: "limits: plan_iterations", Time: "limits: plan_time"}

func TestLimits(t *testing.T) {
	_, b, cancel := New(t.Context(), Limits{Memory: 10 << 20, Operations: 100, Iterations: 2, Settings: settings})
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(b.Take(op{}, 8<<20))
	for _, c := range []struct {
		err  error
		want string
	}{
		{b.Take(op{}, 3<<20), "p.mlir:3:5: stablehlo.iota: needs 3.0 MiB of memory while the program is planned or its public values are computed," +
			" beside 8.0 MiB in use; the limit is 10.0 MiB (raise limits: plan_memory, or make the program smaller)"},
		{b.Take(op{}, math.MaxInt64), "p.mlir:3:5: stablehlo.iota: needs 8388608.0 TiB of memory while the program is planned or its public values are" +
			" computed, beside 8.0 MiB in use; the limit is 10.0 MiB (raise limits: plan_memory, or make the program smaller)"},
		{b.Fits(op{}, 11<<20, 0), "p.mlir:3:5: stablehlo.iota: needs 11.0 MiB of memory while the program is planned or its public values are computed," +
			" beside 0 B in use; the limit is 10.0 MiB (raise limits: plan_memory, or make the program smaller)"},
		{b.Spend(op{}, 101), "p.mlir:3:5: stablehlo.iota: needs 101 scalar operations on public values, after 0; the limit is 100" +
			" (raise limits: plan_operations, or make the program smaller)"},
	} {
		if c.err == nil || c.err.Error() != c.want || !errors.Is(c.err, problem.Limit) {
			t.Errorf("%v\nnot %s", c.err, c.want)
		}
		p := problem.Of(c.err)
		if p.Kind != problem.Limit || p.Place != "p.mlir:3:5" || p.Operation != "stablehlo.iota" || p.Remedy == "" {
			t.Errorf("%+v", p)
		}
	}
	b.Free(8 << 20)
	must(b.Take(op{}, 10<<20))
	if now, peak := b.Held(); now != 10<<20 || peak != 10<<20 {
		t.Errorf("%d bytes are held, %d were", now, peak)
	}
	must(b.Iterate(op{}))
	must(b.Iterate(op{}))
	const iterations = "p.mlir:3:5: stablehlo.iota: the loops over public values run more than 2 iterations (raise limits: plan_iterations, or make the program smaller)"
	if err := b.Iterate(op{}); err == nil || err.Error() != iterations {
		t.Error(err)
	}
	if operations, iterations := b.Spent(); operations != 2 || iterations != 3 {
		t.Errorf("%d operations and %d iterations are counted", operations, iterations)
	}
}

// A nil budget has no limits, and a context without a budget has a nil one.
func TestNone(t *testing.T) {
	b := From(t.Context())
	if b.Take(op{}, math.MaxInt64) != nil || b.Spend(op{}, math.MaxInt64) != nil || b.Iterate(op{}) != nil ||
		b.Holds("inputs", math.MaxInt64) != nil || b.Fits(op{}, math.MaxInt64, 1) != nil {
		t.Error("a nil budget has limits")
	}
	b.Free(1)
	if Forked(t.Context()) != t.Context() {
		t.Error("a context without a budget has another fork")
	}
}

// What is computed in a fork takes the same memory, and no operations of the budget from which it was forked.
func TestForked(t *testing.T) {
	ctx, b, cancel := New(t.Context(), Limits{Memory: 10, Operations: 10})
	defer cancel()
	own := From(Forked(ctx))
	if own.Take(nil, 6) != nil || b.Take(nil, 6) == nil || own.Spend(nil, 6) != nil || b.Spend(nil, 6) != nil {
		t.Error("memory is not shared, or operations are")
	}
}

func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, _, cancel := New(t.Context(), Limits{Time: time.Minute, Settings: settings})
		defer cancel()
		time.Sleep(59 * time.Second)
		if ctx.Err() != nil {
			t.Fatal("the time ended early")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		const want = "p.mlir:3:5: stablehlo.iota: planning the program and computing its public values took longer than 1m0s (raise limits: plan_time, or make the program smaller)"
		if err := Ended(ctx, op{}); err.Error() != want || !errors.Is(err, problem.Limit) {
			t.Error(err)
		}
		other, end := context.WithCancelCause(t.Context())
		end(errors.New("enough"))
		if err := Ended(other, op{}); err.Error() != "p.mlir:3:5: stablehlo.iota: stopped: enough" {
			t.Error(err)
		}
	})
}

// Only one budget of a pool has more than its share at a time; another one waits for it, and its clock stands still.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(100, 60, 4)
		l := Limits{Memory: 1000, Time: time.Minute}
		_, first, end, err := p.New(t.Context(), "carol", l)
		if err != nil || first.Take(op{}, 60) != nil || first.Take(op{}, 1) == nil {
			t.Fatal("the first budget cannot take the pool's largest part, or more")
		}
		ctx, second, end2, _ := p.New(t.Context(), "carol", l)
		defer end2()
		if second.Take(op{}, 10) != nil { // its share
			t.Fatal("a budget has no share")
		}
		took := make(chan error, 1)
		go func() { took <- second.Take(op{}, 20) }()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(took) > 0 || ctx.Err() != nil {
			t.Fatal("the second budget did not wait, or its time ended")
		}
		end()
		if err := <-took; err != nil {
			t.Error(err)
		}
		waiting, third, end3, _ := p.New(t.Context(), "carol", l)
		go func() { took <- third.Take(op{}, 20) }()
		synctest.Wait()
		end3()
		if err := <-took; !errors.Is(err, context.Canceled) || waiting.Err() == nil {
			t.Errorf("a budget that was given up goes on waiting: %v", err)
		}
	})
}

// A holder with many tasks that never end has all budgets but one; of its tasks that wait, none is served before another holder's.
func TestPoolIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(100, 60, 3)
		ends := make(chan func(), 100)
		var order []string
		begin := func(holder string) {
			go func() {
				_, b, end, err := p.New(t.Context(), holder, Limits{Memory: 60})
				if err != nil || b.Take(op{}, 60) != nil { // more than its share
					t.Error("no budget", err)
				}
				order = append(order, holder)
				ends <- end
			}()
			synctest.Wait()
		}
		for range 6 {
			begin("mallory")
		}
		begin("carol")
		for range 4 { // each has the large place until it ends
			(<-ends)()
			synctest.Wait()
		}
		if got := strings.Join(order, " "); !strings.HasPrefix(got, "mallory carol mallory mallory") {
			t.Errorf("served in the order %s", got)
		}
		for range 3 {
			(<-ends)()
			synctest.Wait()
		}
		if s := p.slots; s.free != 3 || len(s.has)+len(s.served)+len(s.waiting)+len(p.large.served) > 0 {
			t.Errorf("%+v is left", s)
		}
	})
}

func TestPoolIsFull(t *testing.T) {
	p := NewPool(100, 100, 1)
	_, _, end, err := p.New(t.Context(), "carol", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, _, _, err := p.New(ctx, "carol", Limits{}); err == nil || err.Error() != "enough" {
		t.Error(err)
	}
	end()
	end()
	if _, _, end, err = p.New(t.Context(), "carol", Limits{}); err != nil {
		t.Error(err)
	}
	end()
}

func TestSizes(t *testing.T) {
	huge := tensor.Shape{1 << 40, 1 << 40, 1 << 40}
	for _, c := range []struct{ got, want int64 }{
		{Mul(3, 4), 12}, {Mul(), 1}, {Mul(1<<62, 0), 0}, {Mul(1<<40, 1<<40), Most}, {Mul(Most, Most), Most},
		{Add(3, 4), 7}, {Add(Most, 1), Most}, {Add(math.MaxInt64, math.MaxInt64), Most},
		{Size(huge), Most}, {Size(tensor.Shape{1 << 40, 0}), 0}, {Size(nil), 1},
		{Bytes(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{3}}), 12}, {Bytes(tensor.Type{DType: tensor.Bool, Shape: huge}), Most},
	} {
		if c.got != c.want {
			t.Errorf("%d, not %d", c.got, c.want)
		}
	}
}
