package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/node/audit"
)

// auditCmd prints a node's audit log and verifies it.
type auditCmd struct {
	File string `arg:"" name:"FILE" help:"The log: audit.log in the node's state folder."`
}

// Help returns the text that --help appends.
func (*auditCmd) Help() string {
	return `Each line of the log holds the hash of the line before; all hashes are verified. The exit code is 1 if the chain is broken. The last line's hash is printed at the end: keep it elsewhere to detect later that lines at the end were removed.

The file itself is JSON, one event a line, with full ids and digests.

Examples:

    tacet audit state/audit.log`
}

// Run prints the events up to the first break of the chain.
func (c *auditCmd) Run(a app) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "time\tevent\tactor\tjob\tdetails")
	s, err := audit.Read(c.File, func(e audit.Event) error {
		_, err := fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", e.Time.Format("2006-01-02 15:04:05"), e.Kind, dash(e.Actor), dash(fmt.Sprintf("%.8s", e.Job)), dash(eventDetails(e)))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return badUsage{err}
	}
	if ferr := t.Flush(); err == nil {
		err = ferr
	}
	if err != nil {
		return fmt.Errorf("%w (intact before it: %s)", err, count(s.Events, "event"))
	}
	if s.IncompleteBytes > 0 {
		fmt.Fprintf(a.stdout, "%d bytes of an incomplete line follow; its event never took effect\n", s.IncompleteBytes)
	}
	_, err = fmt.Fprintf(a.stdout, "%s, the chain is intact, head %s\n", count(s.Events, "event"), s.Head)
	return err
}

// eventDetails returns an event's details other than actor and time.
func eventDetails(e audit.Event) string {
	var out []string
	add := func(what, value string) {
		if value != "" {
			out = append(out, what+value)
		}
	}
	add("program ", fmt.Sprintf("%.15s", e.Program))
	add("session ", fmt.Sprintf("%.8s", e.Session))
	add("rule ", e.Rule)
	add("sha256 ", fmt.Sprintf("%.8s", e.Policy))
	for _, in := range e.Inputs {
		add("uses ", fmt.Sprintf("%q (sha256 %.8s)", in.Name, in.SHA256))
	}
	add("request ", fmt.Sprintf("%.8s", e.Request))
	add("kept: ", strings.Join(e.Kept, ", "))
	add("resumes job ", fmt.Sprintf("%.8s", e.Resumes))
	add("from ", e.From)
	for _, l := range e.Learned {
		what := fmt.Sprintf("result %d", l.Result)
		if l.Result < 0 {
			what = "an intermediate value"
		}
		add(what+", "+l.Type+", by ", strings.Join(l.By, "+"))
	}
	add("", oneLine(errors.New(e.Reason)))
	return strings.Join(out, "; ")
}

// dash returns s, or a dash for "".
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
