package fourier

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// A file of tables is text:
//
//	tacet fourier tables, units of 2^-48
//	table sigmoid from -13.2 to 13.2 period 33 error 1.298e-06 harmonics 20
//	140737488355328
//	-12 87340712342
//	…
//	alias log2/10 log2
//	end 29
//
// The lines of a table are its constant, then the cosine's and the sine's coefficient of each
// harmonic. An alias is a second name of a table above it. The last line has the number of names.
const (
	frac   = 48
	header = "tacet fourier tables, units of 2^-48"
)

//go:embed small.txt
var small string

//go:embed large.txt
var large string

// tables reads a class's file at its first use.
var tables = [...]func() map[string]*Table{
	Small: sync.OnceValue(func() map[string]*Table { return mustRead(small, Small) }),
	Large: sync.OnceValue(func() map[string]*Table { return mustRead(large, Large) }),
}

func mustRead(text string, class Class) map[string]*Table {
	ts, err := read(text)
	if err != nil {
		panic(fmt.Sprintf("fourier: %v.txt: %v; regenerate it with go generate", class, err))
	}
	return ts
}

// read reads a file of tables and refuses everything that Write does not write.
func read(text string) (map[string]*Table, error) {
	r := &reader{lines: strings.Split(text, "\n"), tables: map[string]*Table{}}
	if line := r.next(); line != header {
		return nil, r.errorf("%q is not the first line of tables", line)
	}
	for {
		switch fields := strings.Split(r.next(), " "); fields[0] {
		case "table":
			r.table(fields)
		case "alias":
			r.alias(fields)
		case "end":
			if n := len(r.tables); len(fields) != 2 || fields[1] != strconv.Itoa(n) {
				r.fail("%d names, which is not the number in the last line", n)
			}
			if r.next() != "" || r.at != len(r.lines) {
				r.fail("text after the end")
			}
			return r.tables, r.err
		default:
			r.fail("%q is neither table, alias nor end", fields[0])
		}
		if r.err != nil {
			return nil, r.err
		}
	}
}

// reader reads lines and keeps the first error.
type reader struct {
	lines  []string
	at     int // lines read
	tables map[string]*Table
	err    error
}

func (r *reader) next() string {
	if r.at == len(r.lines) {
		return ""
	}
	r.at++
	return r.lines[r.at-1]
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", r.at, fmt.Errorf(format, args...))
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = r.errorf(format, args...)
	}
}

// table reads a table; fields are its first line's.
func (r *reader) table(fields []string) {
	if len(fields) != 12 || fields[2] != "from" || fields[4] != "to" || fields[6] != "period" || fields[8] != "error" || fields[10] != "harmonics" {
		r.fail("a table's line is malformed")
		return
	}
	t := &Table{Name: fields[1], Frac: frac, A: r.float(fields[3]), B: r.float(fields[5]), Period: r.float(fields[7]), Err: r.float(fields[9])}
	harmonics := r.integer(fields[11])
	if !(t.A < t.B && t.B-t.A < t.Period && t.Period < 1<<20 && 0 < t.Err && t.Err < 1) || harmonics < 1 {
		r.fail("table %s has an invalid interval, period, error or number of harmonics", t.Name)
		return
	}
	t.C = []int64{r.integer(r.next())}
	for n := int64(0); n < harmonics && r.err == nil; n++ {
		cos, sin, _ := strings.Cut(r.next(), " ")
		t.C = append(t.C, r.integer(cos))
		t.S = append(t.S, r.integer(sin))
	}
	t.Sum = t.sum()
	r.add(t.Name, t)
}

func (r *reader) alias(fields []string) {
	if len(fields) != 3 || r.tables[fields[2]] == nil {
		r.fail("an alias must have a name and name a table above it")
		return
	}
	r.add(fields[1], r.tables[fields[2]])
}

func (r *reader) add(name string, t *Table) {
	if name == "" || r.tables[name] != nil {
		r.fail("table name %q is empty or used twice", name)
		return
	}
	r.tables[name] = t
}

func (r *reader) float(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		r.fail("%w", err)
	}
	return x
}

func (r *reader) integer(s string) int64 {
	x, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		r.fail("%w", err)
	}
	return x
}

// Alias is a second name, Name, of the table called Of.
type Alias struct{ Name, Of string }

// Write writes tables and aliases to w in the format of small.txt and large.txt. All tables must have Frac 48.
func Write(w io.Writer, tables []*Table, aliases []Alias) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, header)
	for _, t := range tables {
		if t.Frac != frac {
			return fmt.Errorf("fourier: write table %s: %d fraction bits, not %d", t.Name, t.Frac, frac)
		}
		fmt.Fprintf(out, "table %s from %v to %v period %v error %.4g harmonics %d\n%d\n", t.Name, t.A, t.B, t.Period, t.Err, t.N(), t.C[0])
		for n, s := range t.S {
			fmt.Fprintln(out, t.C[n+1], s)
		}
	}
	for _, a := range aliases {
		fmt.Fprintf(out, "alias %s %s\n", a.Name, a.Of)
	}
	fmt.Fprintln(out, "end", len(tables)+len(aliases))
	return out.Flush()
}
