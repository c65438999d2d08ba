package profile

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// table starts a table whose columns are as wide as their cells, numbers to
// the right.
func table(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// row writes cells; the last one, a text, stands to the left.
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

// Summary prints who ran what, and what each phase cost.
func Summary(w io.Writer, r *Report) error {
	fmt.Fprintf(w, "%s: %s among %s, ring %d, fraction %d, network %s\n",
		r.Program, r.Protocol, strings.Join(r.Parties, ", "), r.Ring, r.Fraction, r.Network)
	online, perParty, messages := r.online(), r.Online.BytesSent, r.Online.Messages
	offline := r.Offline
	if !r.measured() {
		perParty, messages = r.Predicted.Online.BytesSent, r.Predicted.Online.Messages
		offline.BytesSent = online.offline
	}
	t := table(w)
	row(t, "phase", "bytes sent", "rounds", "seconds", "by party")
	row(t, "input", sum(r.Input.BytesSent), r.Input.Rounds, seconds(r.Input.Seconds), numbers(r.Input.BytesSent))
	row(t, "online", online.bytes, online.rounds, seconds(online.seconds), numbers(perParty))
	row(t, "output", sum(r.Output.BytesSent), r.Output.Rounds, seconds(r.Output.Seconds), numbers(r.Output.BytesSent))
	from := ""
	if offline.Session != "" {
		from = "before, from the store"
	}
	row(t, "offline", offline.BytesSent, offline.Rounds, seconds(offline.Seconds), from)
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print summary: %w", err)
	}
	fmt.Fprintf(w, "online messages: %s", numbers(messages))
	if r.PeakMemoryBytes > 0 {
		fmt.Fprintf(w, "; peak memory: %.1f MiB", float64(r.PeakMemoryBytes)/(1<<20))
	}
	fmt.Fprintln(w)
	return nil
}

// Ops prints the dearest operations, at most the given number of them.
func Ops(w io.Writer, r *Report, by Order, most int) error {
	ops := r.sorted(by)
	rest := max(0, len(ops)-most)
	ops = ops[:len(ops)-rest]
	if len(ops) == 0 {
		_, err := fmt.Fprintln(w, "no operation costs anything")
		return err
	}
	t := table(w)
	row(t, "bytes sent", "messages", "rounds", "offline", "seconds", "calls", "operation")
	for _, o := range ops {
		c := o.cost(r.measured())
		row(t, c.bytes, c.messages, c.rounds, c.offline, seconds(c.seconds), o.Calls, o.Op+"  "+o.Loc)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print operations: %w", err)
	}
	if rest > 0 {
		fmt.Fprintf(w, "and %d more\n", rest)
	}
	return nil
}

// seconds prints a time, "-" where none was measured.
func seconds(s float64) string {
	if s == 0 {
		return "-"
	}
	return strconv.FormatFloat(s, 'f', 4, 64)
}

// numbers prints one number for each party.
func numbers(v []int64) string {
	text := make([]string, len(v))
	for i, x := range v {
		text[i] = strconv.FormatInt(x, 10)
	}
	return strings.Join(text, " + ")
}
