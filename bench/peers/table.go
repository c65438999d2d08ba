package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// table is the list of rows of all jobs and systems.
type table []row

var columns = []string{
	"job", "system", "seconds (min – median – max)", "offline s", "ratio to Tacet's online", "ratio to online and offline",
	"CPU s", "MB", "rounds", "memory MiB", "max error",
}

// cells formats a row for reading. If a system reports messages instead of rounds, the column of
// rounds has the number of messages with the suffix m.
func (r row) cells() []string {
	out := []string{r.job, r.system}
	if r.failed != "" {
		return append(out, "not run: "+r.failed)
	}
	offline, online, whole, rounds, off := "", "", "", "", ""
	if o := r.offline(); o.min > 0 {
		offline = fmt.Sprintf("%.4f", o.min)
	}
	if r.online != nil {
		online, whole = spreadOf(r.online).text("%.1f"), spreadOf(r.total).text("%.1f")
	}
	switch {
	case r.messages() > 0:
		rounds = strconv.Itoa(r.messages()) + " m"
	case r.rounds() > 0:
		rounds = strconv.Itoa(r.rounds())
	}
	if o := r.maxError(); o != nil {
		off = fmt.Sprintf("%.2g", *o)
	}
	return append(out, r.seconds().text("%.4f"), offline, online, whole, fmt.Sprintf("%.3f", r.cpu().min),
		fmt.Sprintf("%.2f", float64(r.bytes())/1e6), rounds, fmt.Sprintf("%.0f", float64(r.memory())/(1<<20)), off)
}

// Rows are printed as soon as they are measured, so column widths are fixed.
var widths = []int{-22, -8, 28, 9, 24, 28, 7, 8, 7, 10, 9}

func printCells(w io.Writer, cells []string) error {
	var b strings.Builder
	for i, c := range cells {
		fmt.Fprintf(&b, "%*s ", widths[i], c)
	}
	_, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	return err
}

func (table) heading(w io.Writer) error { return printCells(w, columns) }

func (r row) print(w io.Writer) error { return printCells(w, r.cells()) }

// formatOf returns the function that writes a file with that extension, nil if there is none.
func formatOf(name string) func(table, io.Writer) error {
	switch filepath.Ext(name) {
	case ".csv":
		return table.csv
	case ".md":
		return table.markdown
	}
	return nil
}

func (t table) save(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(formatOf(name)(t, f), f.Close())
}

func (t table) markdown(w io.Writer) error {
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	var b strings.Builder
	b.WriteString(line(columns) + "|---|---|" + strings.Repeat("---:|", len(columns)-2) + "\n")
	for _, r := range t {
		cells := r.cells()
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		for len(cells) < len(columns) {
			cells = append(cells, "")
		}
		b.WriteString(line(cells))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// csv writes the table for programs: column names contain units, and unknown numbers are empty.
func (t table) csv(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"job", "system", "not_run", "runs"}
	for _, of := range []string{"seconds", "offline_seconds", "cpu_seconds", "ratio_online", "ratio_online_and_offline"} {
		head = append(head, of+"_min", of+"_median", of+"_max")
	}
	head = append(head, "bytes_sent", "rounds", "messages", "peak_memory_bytes", "max_abs_error")
	if err := c.Write(head); err != nil {
		return err
	}
	for _, r := range t {
		if err := c.Write(r.record(len(head))); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func (r row) record(fields int) []string {
	out := []string{r.job, r.system, r.failed, strconv.Itoa(len(r.samples))}
	if r.failed != "" {
		return append(out, make([]string, fields-len(out))...)
	}
	three := func(v []float64) {
		if v == nil || spreadOf(v).max == 0 {
			out = append(out, "", "", "")
			return
		}
		for _, x := range []float64{spreadOf(v).min, spreadOf(v).median, spreadOf(v).max} {
			out = append(out, strconv.FormatFloat(x, 'g', 6, 64))
		}
	}
	three(column(r.samples, func(s sample) float64 { return s.seconds }))
	three(column(r.samples, func(s sample) float64 { return s.offline }))
	three(column(r.samples, func(s sample) float64 { return s.cpu }))
	three(r.online)
	three(r.total)
	for _, n := range []int64{r.bytes(), int64(r.rounds()), int64(r.messages()), r.memory()} {
		if n == 0 {
			out = append(out, "")
		} else {
			out = append(out, strconv.FormatInt(n, 10))
		}
	}
	if o := r.maxError(); o != nil {
		return append(out, strconv.FormatFloat(*o, 'g', 6, 64))
	}
	return append(out, "")
}
