package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Comparison has the costs of two reports, A and B, side by side: totals by phase, and the operations whose
// costs differ, the largest difference first.
type Comparison struct {
	A      string     `json:"a"`      // title of report A
	B      string     `json:"b"`      // title of report B
	Totals []Quantity `json:"totals"` // costs of the phases
	Ops    []OpPair   `json:"ops"`    // operations whose costs differ
	by     Order
}

// Quantity is one number in the two reports of a Comparison.
type Quantity struct {
	Name  string   `json:"name"`            // what the number is
	A     float64  `json:"a"`               // value in report A
	B     float64  `json:"b"`               // value in report B
	Ratio *float64 `json:"ratio,omitempty"` // B/A; nil if A is 0
}

// OpPair has the costs of one operation in two reports. A or B is nil if that report has no such operation.
type OpPair struct {
	Op    string   `json:"op"`              // name of the operation
	A     *Side    `json:"a,omitempty"`     // cost in report A
	B     *Side    `json:"b,omitempty"`     // cost in report B
	Ratio *float64 `json:"ratio,omitempty"` // B/A of the cost by which the comparison is sorted; nil if there is none
}

// Side has the cost of an operation in one of two compared reports, summed over all parties.
type Side struct {
	ID           int     `json:"id"`             // id of the operation in that report
	Loc          string  `json:"loc"`            // place of the operation in the program text
	Name         string  `json:"name,omitempty"` // the operation's name in the program text
	BytesSent    int64   `json:"bytes_sent"`
	Messages     int64   `json:"messages"`
	Rounds       int     `json:"rounds"` // online rounds of all its calls
	OfflineBytes int64   `json:"offline_bytes"`
	Seconds      float64 `json:"seconds"` // local computation
}

func side(r *Report, i int) *Side {
	if i < 0 {
		return nil
	}
	o := &r.Ops[i]
	c := o.cost(r.measured())
	return &Side{o.ID, o.Loc, o.Name, c.bytes, c.messages, c.rounds, c.offline, c.seconds}
}

// Compare compares two reports. It sorts the operations by the difference of the cost that by names.
func Compare(a, b *Report, by Order) *Comparison {
	c := &Comparison{A: a.title(), B: b.title(), by: by}
	add := func(name string, x, y float64) {
		c.Totals = append(c.Totals, Quantity{name, x, y, quotient(x, y)})
	}
	pa, pb := a.phases(), b.phases()
	// A plan's times are those of its declared network.
	timed := a.hasRun() && b.hasRun() || a.Online.Seconds > 0 && b.Online.Seconds > 0 && a.Network == b.Network
	for i := range pa {
		add(pa[i].name+" bytes", float64(pa[i].bytes), float64(pb[i].bytes))
		if pa[i].name == "online" {
			add("online messages", float64(a.online().messages), float64(b.online().messages))
		}
		add(pa[i].name+" rounds", float64(pa[i].rounds), float64(pb[i].rounds))
		if timed {
			add(pa[i].name+" seconds", pa[i].seconds, pb[i].seconds)
		}
	}
	if timed {
		add("peak memory bytes", float64(a.PeakMemoryBytes), float64(b.PeakMemoryBytes))
	}
	for _, m := range match(a, b) {
		p := OpPair{A: side(a, m[0]), B: side(b, m[1])}
		if m[0] >= 0 {
			p.Op = a.Ops[m[0]].label()
		} else {
			p.Op = b.Ops[m[1]].label()
		}
		x, y := p.A.costs(), p.B.costs()
		p.Ratio = quotient(by.costOf(x), by.costOf(y))
		if x.bytes != y.bytes || x.messages != y.messages || x.rounds != y.rounds || x.offline != y.offline || by.costOf(x) != by.costOf(y) {
			c.Ops = append(c.Ops, p)
		}
	}
	slices.SortStableFunc(c.Ops, func(p, q OpPair) int {
		return cmp.Compare(math.Abs(by.costOf(q.A.costs())-by.costOf(q.B.costs())), math.Abs(by.costOf(p.A.costs())-by.costOf(p.B.costs())))
	})
	return c
}

// costs returns the operation's cost, zero for a nil Half.
func (h *Side) costs() cost {
	if h == nil {
		return cost{}
	}
	return cost{h.BytesSent, h.Messages, h.OfflineBytes, h.Rounds, h.Seconds}
}

func quotient(a, b float64) *float64 {
	if a == 0 {
		return nil
	}
	q := b / a
	return &q
}

// JSON returns the comparison as indented JSON that ends with a newline.
func (c *Comparison) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("profile: encode comparison: %w", err)
	}
	return append(b, '\n'), nil
}

// Print prints the totals and at most so many operations (most).
func (c *Comparison) Print(w io.Writer, most int) error {
	fmt.Fprintf(w, "A: %s\nB: %s\n", c.A, c.B)
	t := table(w)
	row(t, "", "A", "B", "B/A", "")
	for _, q := range c.Totals {
		row(t, q.Name, number(q.A), number(q.B), times(q.A, q.B), "")
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print comparison: %w", err)
	}
	fmt.Fprintln(w)
	if len(c.Ops) == 0 {
		_, err := fmt.Fprintln(w, "every operation costs the same in both")
		return err
	}
	rest := max(0, len(c.Ops)-most)
	t = table(w)
	row(t, string(c.by)+": B/A", "bytes A", "bytes B", "rounds A", "rounds B", "offline A", "offline B", "seconds A", "seconds B", "operation")
	for _, p := range c.Ops[:len(c.Ops)-rest] {
		x, y := p.A.costs(), p.B.costs()
		row(
			t,
			times(c.by.costOf(x), c.by.costOf(y)),
			x.bytes,
			y.bytes,
			x.rounds,
			y.rounds,
			x.offline,
			y.offline,
			seconds(x.seconds),
			seconds(y.seconds),
			p.Op+"  "+p.locations(),
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

// locations returns the locations of a pair.
func (p OpPair) locations() string {
	switch {
	case p.B == nil:
		return p.A.Loc + "  (only in A)"
	case p.A == nil:
		return p.B.Loc + "  (only in B)"
	case p.A.Loc != p.B.Loc:
		return p.A.Loc + "  (in B " + p.B.Loc + ")"
	}
	return p.A.Loc
}

// number formats a count without decimals and a time with four.
func number(x float64) string {
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// times formats the ratio b/a.
func times(a, b float64) string {
	switch {
	case a == b:
		return "="
	case a == 0:
		return "new"
	}
	return fmt.Sprintf("×%.3g", b/a)
}
