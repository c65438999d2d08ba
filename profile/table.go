package profile

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// table returns a writer that aligns columns to the right.
func table(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// row writes the cells of a row; the last cell is text, aligned to the left.
func row(t *tabwriter.Writer, cells ...any) {
	last := len(cells) - 1
	for _, c := range cells[:last] {
		fmt.Fprintf(t, "%v\t", c)
	}
	if cells[last] != "" {
		fmt.Fprintf(t, "  %v", cells[last])
	}
	fmt.Fprintln(t)
}

// title returns the program, protocol, parties, numbers and network of the report.
func (r *Report) title() string {
	from := ""
	if r.ResumedFrom != "" {
		from = ", resumed from " + r.ResumedFrom
	}
	arithmetic := ""
	if r.Ring > 0 { // an intersection of sets computes with no numbers
		arithmetic = fmt.Sprintf(", ring %d, fraction %d", r.Ring, r.Fraction)
	}
	return fmt.Sprintf("%s: %s among %s%s, network %s%s", r.Program, r.Protocol, strings.Join(r.Parties, ", "), arithmetic, r.Network, from)
}

// label returns an operation's name, preceded by the pattern that it is computed as.
func (o *Op) label() string {
	if o.Pattern == "" {
		return o.Op
	}
	return fmt.Sprintf("%s (%s)", o.Pattern, o.Op)
}

// Summary prints the title of a report and the cost of each phase.
func Summary(w io.Writer, r *Report) error {
	if r.Join != nil {
		if err := Summary(w, r.Join); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, r.title())
	ran := r.hasRun()
	t := table(w)
	if ran {
		row(t, "phase", "bytes sent", "predicted", "rounds", "predicted", "seconds", "by party")
	} else {
		row(t, "phase", "bytes sent", "rounds", "by party")
	}
	for _, p := range r.phases() {
		switch {
		case !ran:
			row(t, p.name, p.bytes, p.rounds, p.byParty())
		case p.predicted == nil:
			row(t, p.name, p.bytes, "", p.rounds, "", seconds(p.seconds), p.byParty())
		default:
			row(t, p.name, p.bytes, p.predicted.bytes, p.rounds, p.predicted.rounds, seconds(p.seconds), p.byParty())
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print summary: %w", err)
	}
	messages := r.Online.Messages
	if !r.measured() {
		messages = r.Predicted.Online.Messages
	}
	fmt.Fprintf(w, "online messages: %s", numbers(messages))
	if r.PeakMemoryBytes > 0 {
		fmt.Fprintf(w, "; peak memory: %.1f MiB", float64(r.PeakMemoryBytes)/(1<<20))
	}
	fmt.Fprintln(w)
	if ran {
		fmt.Fprintln(w, r.verdict())
	} else if r.Expected() {
		fmt.Fprintln(w, "sorts compare shuffled rows: their online cost depends on a random order; the numbers are expected values")
	}
	return nil
}

// Ops prints at most so many operations of the report (most), the most expensive first, in the order by.
func Ops(w io.Writer, r *Report, by Order, most int) error {
	ops := r.sorted(by)
	rest := max(0, len(ops)-most)
	return r.print(w, ops[:len(ops)-rest], rest)
}

// perOrder is the number of operations that Highlights shows for each order.
const perOrder = 3

// Highlights prints the most expensive operations: the few first ones by each of bytes, rounds, offline bytes
// and time.
func Highlights(w io.Writer, r *Report) error {
	chosen := map[int]bool{}
	for _, by := range []Order{ByBytes, ByRounds, ByOffline, BySeconds} {
		dearest := r.sorted(by)
		for _, o := range dearest[:min(perOrder, len(dearest))] {
			if by.costOf(o.cost(r.measured())) > 0 {
				chosen[o.ID] = true
			}
		}
	}
	ops := r.sorted(BySeconds) // includes operations that cost only time
	rest := 0
	for _, o := range r.sorted(ByBytes) {
		if !chosen[o.ID] {
			rest++
		}
	}
	slices.SortStableFunc(ops, func(a, b Op) int { return ByBytes.compare(a.cost(r.measured()), b.cost(r.measured())) })
	ops = slices.DeleteFunc(ops, func(o Op) bool { return !chosen[o.ID] })
	return r.print(w, ops, rest)
}

// print prints a table of operations; rest is the number of operations not shown.
func (r *Report) print(w io.Writer, ops []Op, rest int) error {
	if len(ops) == 0 {
		_, err := fmt.Fprintln(w, "no operation has a cost")
		return err
	}
	all := float64(r.online().bytes)
	t := table(w)
	row(t, "bytes sent", "share", "messages", "rounds", "on path", "offline", "seconds", "calls", "operation")
	for i := range ops {
		o := &ops[i]
		c := o.cost(r.measured())
		row(
			t,
			c.bytes,
			fmt.Sprintf("%.1f%%", 100*ratio(float64(c.bytes), all)),
			c.messages,
			c.rounds,
			o.PathRounds,
			c.offline,
			seconds(c.seconds),
			o.Calls,
			strings.TrimSpace(o.label()+"  "+o.Loc+"  "+o.Name),
		)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print operations: %w", err)
	}
	if rest > 0 {
		fmt.Fprintf(w, "and %d more\n", rest)
	}
	return nil
}

// seconds formats a time, "-" for 0.
func seconds(s float64) string {
	if s == 0 {
		return "-"
	}
	return strconv.FormatFloat(s, 'f', 4, 64)
}

// numbers formats one number for each party.
func numbers(v []int64) string {
	text := make([]string, len(v))
	for i, x := range v {
		text[i] = strconv.FormatInt(x, 10)
	}
	return strings.Join(text, " + ")
}
