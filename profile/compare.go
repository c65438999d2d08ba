package profile

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// Compare prints two reports side by side: the phases, then the operations
// that differ, the largest difference first. Operations are the same where
// their number and name are, as in two runs of one program.
func Compare(w io.Writer, a, b *Report, by Order, most int) error {
	fmt.Fprintf(w, "A: %s, %s among %d, ring %d, fraction %d\nB: %s, %s among %d, ring %d, fraction %d\n",
		a.Program, a.Protocol, len(a.Parties), a.Ring, a.Fraction,
		b.Program, b.Protocol, len(b.Parties), b.Ring, b.Fraction)
	t := table(w)
	row(t, "", "A", "B", "change")
	ca, cb := a.online(), b.online()
	for _, l := range []struct {
		name string
		a, b float64
	}{
		{"input bytes", float64(sum(a.Input.BytesSent)), float64(sum(b.Input.BytesSent))},
		{"online bytes", float64(ca.bytes), float64(cb.bytes)},
		{"online messages", float64(ca.messages), float64(cb.messages)},
		{"online rounds", float64(ca.rounds), float64(cb.rounds)},
		{"online seconds", ca.seconds, cb.seconds},
		{"output bytes", float64(sum(a.Output.BytesSent)), float64(sum(b.Output.BytesSent))},
		{"offline bytes", float64(ca.offline), float64(cb.offline)},
	} {
		row(t, l.name, number(l.a), number(l.b), change(l.a, l.b))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print comparison: %w", err)
	}
	return compareOps(w, pairs(a, b), by, most)
}

// pair is one operation in two reports; nil where a report lacks it.
type pair struct {
	a, b           *Op
	costA, costB   cost
	id             int
	operation, loc string
}

// pairs matches the operations of two reports.
func pairs(a, b *Report) []pair {
	type key struct {
		id int
		op string
	}
	at := map[key]int{}
	var all []pair
	for i := range a.Ops {
		o := &a.Ops[i]
		at[key{o.ID, o.Op}] = len(all)
		all = append(all, pair{a: o, costA: o.cost(a.measured()), id: o.ID, operation: o.Op, loc: o.Loc})
	}
	for i := range b.Ops {
		o := &b.Ops[i]
		n, ok := at[key{o.ID, o.Op}]
		if !ok {
			n = len(all)
			all = append(all, pair{id: o.ID, operation: o.Op, loc: o.Loc})
		}
		all[n].b, all[n].costB = o, o.cost(b.measured())
	}
	return all
}

// difference is how far the costs of a pair are apart in what is sorted by.
func (by Order) difference(p pair) float64 {
	switch by {
	case ByRounds:
		return math.Abs(float64(p.costA.rounds - p.costB.rounds))
	case ByOffline:
		return math.Abs(float64(p.costA.offline - p.costB.offline))
	case BySeconds:
		return math.Abs(p.costA.seconds - p.costB.seconds)
	}
	return math.Abs(float64(p.costA.bytes - p.costB.bytes))
}

func compareOps(w io.Writer, all []pair, by Order, most int) error {
	all = slices.DeleteFunc(all, func(p pair) bool {
		a, b := p.costA, p.costB
		return a.bytes == b.bytes && a.rounds == b.rounds && a.offline == b.offline && by.difference(p) == 0
	})
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "every operation costs the same in both")
		return err
	}
	slices.SortStableFunc(all, func(p, q pair) int {
		return cmp.Or(cmp.Compare(by.difference(q), by.difference(p)), cmp.Compare(p.id, q.id))
	})
	rest := max(0, len(all)-most)
	t := table(w)
	row(t, "bytes A", "bytes B", "rounds A", "rounds B", "offline A", "offline B", "seconds A", "seconds B", "operation")
	for _, p := range all[:len(all)-rest] {
		only := ""
		if p.a == nil {
			only = "  (only in B)"
		} else if p.b == nil {
			only = "  (only in A)"
		}
		a, b := p.costA, p.costB
		row(t, a.bytes, b.bytes, a.rounds, b.rounds, a.offline, b.offline, seconds(a.seconds), seconds(b.seconds), p.operation+"  "+p.loc+only)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print operations: %w", err)
	}
	if rest > 0 {
		fmt.Fprintf(w, "and %d more\n", rest)
	}
	return nil
}

// number prints a count as it is and a time with its decimals.
func number(x float64) string {
	if x == math.Trunc(x) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4f", x)
}

// change prints how much larger b is than a.
func change(a, b float64) string {
	switch {
	case a == b:
		return "="
	case a == 0:
		return "new"
	}
	return fmt.Sprintf("%+.1f%%", 100*(b-a)/a)
}
