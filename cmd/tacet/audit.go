package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/pki"
)

// auditCmd prints a node's audit log and verifies it.
type auditCmd struct {
	File     string `arg:"" optional:"" name:"FILE" help:"The log: audit.log in the node's state folder."`
	Cert     string `placeholder:"FILE" help:"The party's certificate: the log's head must be signed by its key."`
	Kept     string `placeholder:"FILE" help:"Signed heads of the log that were kept elsewhere: heads.json in the state folder of a peer's node, or what --heads printed."`
	Party    string `placeholder:"NAME" help:"The party whose log it is (default: the one that signed its head)."`
	Unsigned bool   `help:"Accept a log without a signed head, as nodes before version 0.2 wrote it."`
	Heads    bool   `help:"Print the signed heads of the logs of a cluster's nodes now, as JSON for --kept."`
	clusterFlag
}

// Help returns the text that --help appends.
func (*auditCmd) Help() string {
	return `Each line of the log holds the hash of the line before, and audit.head, the file beside it, the hash of the last line, signed by the node's key. The exit code is 1 if a line was changed, removed or inserted, lines are missing at the end, or the signed head is missing; the error names the line.

The node itself could write its log anew, and a restored backup has an older head: heads that others have kept show that. Nodes keep those of their peers (heads.json) after each job.

A log that has become large goes on in another file: FILE is the present one, and earlier ones beside it (FILE.000001, …) are read before it.

The file itself is JSON, one event a line, with full ids and digests.

Examples:

    tacet audit state/audit.log
    tacet audit state/audit.log --cert alice.crt --kept heads.json
    tacet audit --heads --cluster cluster.yaml > heads.json`
}

// Run prints the events up to the first break of the chain.
func (c *auditCmd) Run(a app) error {
	if c.Heads {
		return c.printHeads(a)
	}
	if c.File == "" {
		return badUsage{errors.New("want FILE, the log, or --heads")}
	}
	kept, err := c.kept()
	if err != nil {
		return badUsage{err}
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "time\tevent\tactor\tjob\tdetails")
	s, err := audit.Read(c.File, func(e audit.Event) error {
		_, err := fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", e.Time.Format("2006-01-02 15:04:05"), e.Kind, dash(e.Actor), dash(fmt.Sprintf("%.8s", e.Job)), dash(eventDetails(e)))
		return err
	}, kept...)
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
	signed, err := c.checkHead(s)
	if err != nil {
		return err
	}
	if s.Missing > 0 {
		fmt.Fprintf(a.stdout, "the first %s of the log are missing: the files with them were removed (audit: keep)\n", count(int(s.Missing), "line"))
	}
	_, err = fmt.Fprintf(a.stdout, "%s, the chain is intact, head %s%s\n", count(s.Events, "event"), s.Head, signed)
	return err
}

// checkHead checks the key of a log's signed head, and describes the head.
func (c *auditCmd) checkHead(s audit.Summary) (string, error) {
	h := s.Signed
	if h == nil && c.Unsigned {
		return ", not signed", nil
	}
	if h == nil {
		return "", fmt.Errorf("%s: the signed head, %s, is missing: the last line may have been changed, or lines after it removed (--unsigned accepts that)",
			c.File, audit.HeadPath(c.File))
	}
	text := fmt.Sprintf(", signed by %s at %s", h.Party, h.Time.Format("2006-01-02 15:04:05"))
	if n := s.Unsigned(); n > 0 {
		text += fmt.Sprintf(" but for the last %s", count(int(n), "line"))
	}
	if c.Cert == "" {
		return text, nil
	}
	chain, err := pki.Read(c.Cert)
	if err != nil {
		return "", badUsage{err}
	}
	if !h.IsKeyOf(chain[0]) {
		return "", fmt.Errorf("%s: its head is not signed by the key of %s", c.File, c.Cert)
	}
	return text + ", by the key of " + c.Cert, nil
}

// kept reads the heads of --kept that are of the log's party.
func (c *auditCmd) kept() ([]*audit.Head, error) {
	if c.Kept == "" {
		return nil, nil
	}
	heads, err := audit.ReadHeads(c.Kept)
	if err != nil {
		return nil, err
	}
	party := c.Party
	if party == "" {
		h, err := audit.ReadHead(c.File)
		if err != nil || h == nil {
			return nil, fmt.Errorf("--kept: %s has no signed head that says whose log it is: name the party with --party", c.File)
		}
		party = h.Party
	}
	if len(heads[party]) == 0 {
		return nil, fmt.Errorf("--kept: %s has no head of %s", c.Kept, party)
	}
	return heads[party], nil
}

// printHeads prints the signed heads of the cluster's nodes.
func (c *auditCmd) printHeads(a app) error {
	clients, err := c.clients()
	if err != nil {
		return err
	}
	heads := map[string][]audit.Head{}
	for name, n := range clients {
		h, err := n.AuditHead(a.ctx)
		if err == nil {
			err = h.Verify()
		}
		if err == nil && h.Party != name {
			err = fmt.Errorf("%s sent the head of %.40q", name, h.Party)
		}
		if err != nil {
			return err
		}
		heads[name] = []audit.Head{h}
	}
	return encode(a.stdout, heads)
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
	if t := e.Terms; t != nil {
		add("", t.String())
		add("submission sha256 ", fmt.Sprintf("%.8s", t.Submission))
	}
	if c := e.Join; c != nil {
		text := fmt.Sprintf("%s on %q", c.Method, c.Keys)
		for _, name := range slices.Sorted(maps.Keys(c.Rows)) {
			text += fmt.Sprintf(", %d rows of %s", c.Rows[name], name)
		}
		add("join by ", text)
		if c.Matched > 0 {
			add("rows that match: ", fmt.Sprint(c.Matched))
		} else if len(c.By) > 0 {
			add("which of their own rows match, by ", strings.Join(c.By, "+"))
		}
	}
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
