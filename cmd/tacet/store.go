package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party"
)

// storeCmd manages the stores that tacet offline writes.
type storeCmd struct {
	List   listCmd   `cmd:"" help:"List a store's sessions: their programs and settings, and whether they are ready."`
	Verify verifyCmd `cmd:"" help:"Read all ready sessions of a store, and list damaged files."`
	Prune  pruneCmd  `cmd:"" help:"Remove sessions that no run can use from a store."`
}

// storeFailed returns an error about a store's folder, as wrong usage if the folder does not exist.
func storeFailed(a app, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return badUsage{err}
	}
	return failed(a.ctx, err)
}

type listCmd struct {
	Dir  string `arg:"" name:"DIR" help:"The store, with a folder for each party."`
	JSON bool   `name:"json" help:"Print JSON, with all terms of the sessions."`
}

// Help returns the text that --help appends.
func (*listCmd) Help() string {
	return `A session is ready, in use (by a run), spent (by a run that ended), crashed (by a run that did not end), being made, or unfinished (its generation was interrupted). If the parties differ, the state at each is shown; a session can be used if it is ready at all parties.

Examples:

    tacet store list store
    tacet store list store --json`
}

// listed is a session as --json prints it.
type listed struct {
	Session string                 `json:"session"`
	Made    *time.Time             `json:"made,omitempty"`
	States  map[string]store.State `json:"states"`
	Bytes   int64                  `json:"bytes"`
	Program string                 `json:"program,omitempty"`
	Terms   map[string]string      `json:"terms,omitempty"`
	Damaged string                 `json:"damaged,omitempty"`
}

// Run lists the sessions.
func (c *listCmd) Run(a app) error {
	rows, parties, err := store.List(c.Dir)
	if err != nil {
		return storeFailed(a, err)
	}
	if c.JSON {
		out := make([]listed, len(rows))
		for i, r := range rows {
			out[i] = listed{Session: r.Session.String(), States: r.States, Bytes: r.Size}
			if h := r.Header; h != nil {
				out[i].Made, out[i].Program, out[i].Terms = &h.Made, h.Program, h.Terms
			}
			if r.Damaged != nil {
				out[i].Damaged = r.Damaged.Error()
			}
		}
		e := json.NewEncoder(a.stdout)
		e.SetIndent("", "  ")
		return e.Encode(out)
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	ready := 0
	fmt.Fprintln(t, "session\tmade\tbytes\tfor\tstate")
	for _, r := range rows {
		made, what := "-", "-"
		if h := r.Header; h != nil {
			made = h.Made.Local().Format("2006-01-02 15:04")
			what = fmt.Sprintf("%s, %s, ring %s, fraction %s, %s", h.Program, h.Terms["protocol"], h.Terms["ring"], h.Terms["fraction"], strings.Join(h.Parties, "+"))
		}
		state := string(r.State())
		if r.State() == store.Ready && len(r.States) == len(parties) {
			ready++
		}
		if state == "" || len(r.States) < len(parties) {
			var each []string
			for _, p := range parties {
				if s, ok := r.States[p]; ok {
					each = append(each, fmt.Sprintf("%s: %s", p, s))
				}
			}
			state = strings.Join(each, ", ")
		}
		if r.Damaged != nil {
			state += ", damaged"
		}
		fmt.Fprintf(t, "%v\t%s\t%d\t%s\t%s\n", r.Session, made, r.Size, what, state)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s of %s, %s\n", count(len(rows), "session"), strings.Join(parties, ", "), areReady(ready))
	return err
}

type verifyCmd struct {
	Dir    string `arg:"" name:"DIR" help:"The store, with a folder for each party."`
	Remove bool   `help:"Remove damaged files."`
}

// Help returns the text that --help appends.
func (*verifyCmd) Help() string {
	return `Reads every byte and compares checksums. The exit code is 1 if a file is damaged.

Examples:

    tacet store verify store
    tacet store verify store --remove`
}

// Run verifies the store.
func (c *verifyCmd) Run(a app) error {
	m := a.meter()
	files, damaged, err := store.Verify(a.ctx, c.Dir, c.Remove, func(bytes int64) {
		m.show(party.Progress{Phase: "verify", Done: int(bytes), Unit: "bytes"})
	})
	m.clear()
	if err != nil {
		return storeFailed(a, err)
	}
	for _, d := range damaged {
		fmt.Fprintln(a.stdout, oneLine(d))
	}
	if len(damaged) == 0 {
		_, err := fmt.Fprintf(a.stdout, "%s of ready sessions, all intact\n", count(files, "file"))
		return err
	}
	if c.Remove {
		return fmt.Errorf("%d of %s were damaged and have been removed", len(damaged), count(files, "file"))
	}
	return fmt.Errorf("%d of %s are damaged (tacet store verify %s --remove removes them)", len(damaged), count(files, "file"), c.Dir)
}

type pruneCmd struct {
	Dir   string        `arg:"" name:"DIR" help:"The store, with a folder for each party."`
	Older time.Duration `placeholder:"AGE" help:"Also remove ready sessions older than this, such as 720h."`
}

// Help returns the text that --help appends.
func (*pruneCmd) Help() string {
	return `Removes spent, crashed and unfinished sessions, and sessions that are ready at one party but missing or unusable at another whose folder is here. Sessions in use are not removed.

Examples:

    tacet store prune store
    tacet store prune store --older 720h`
}

// Run prunes the store.
func (c *pruneCmd) Run(a app) error {
	if c.Older < 0 {
		return badUsage{fmt.Errorf("--older: want a time such as 720h, got %v", c.Older)}
	}
	pruned, err := store.Prune(c.Dir, c.Older)
	type group struct {
		files int
		bytes int64
	}
	groups := map[string]*group{}
	var order []string
	for _, p := range pruned {
		key := p.Party + ": " + p.Why
		if groups[key] == nil {
			groups[key] = &group{}
			order = append(order, key)
		}
		groups[key].files++
		groups[key].bytes += p.Size
	}
	slices.Sort(order)
	for _, key := range order {
		fmt.Fprintf(a.stdout, "%s: removed %s, %d bytes\n", key, count(groups[key].files, "file"), groups[key].bytes)
	}
	if err != nil {
		return storeFailed(a, err)
	}
	if len(pruned) == 0 {
		_, err = fmt.Fprintln(a.stdout, "nothing to remove")
	}
	return err
}
