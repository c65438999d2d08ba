package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/table"
)

// twoParties are the parties of commands that take two files.
var twoParties = []string{"alice", "bob"}

// keyFlags are the keys of rows in two tables.
type keyFlags struct {
	On        []string          `placeholder:"COLUMN,…" help:"Key columns; ALICES=BOBS where the names differ (with --carol ALICES=BOBS=CAROLS)."`
	Normalise []string          `placeholder:"WHAT,…" help:"How texts in keys are normalised: trim (spaces around them), case, nfc (Unicode's normal form)."`
	Aggregate map[string]string `mapsep:"," placeholder:"PARTY.COLUMN=FUNCTION,…" help:"How a party combines its rows of one key: first, sum, mean, min, max or count of a column; PARTY.* for all others. Without it, two rows of one key are an error."`
}

// kindFlags are further flags of hidden joins.
type kindFlags struct {
	Kind   string `enum:",inner,left,outer" default:"" placeholder:"KIND" help:"With --join hidden, which rows count: inner: those that match (default); left: all of the keeper; outer: all of both parties, those that match once (stats and pca)."`
	Keeper string `placeholder:"PARTY" help:"With --join hidden: the party that keeps its rows and their order. Default: the owner of the target, else of more columns."`
}

// join returns the join of a method that the flags say, of these parties. Without a method, the tables are aligned unless there are keys.
func (c *keyFlags) join(parties []string, method string, more kindFlags) (job.Join, error) {
	j := job.Join{Method: method, Kind: more.Kind, Keeper: more.Keeper}
	if len(c.Aggregate) > 0 {
		j.Aggregate = c.Aggregate
	}
	if len(c.On) > 0 {
		on, err := job.ParseOn(parties, c.On)
		if err != nil {
			return j, err
		}
		j.On = on
	}
	if j.Method == "" {
		if j.Method = job.Aligned; j.On != nil {
			j.Method = job.PSI
		}
	}
	n, err := job.ParseNormal(c.Normalise)
	if err != nil {
		return j, fmt.Errorf("--normalise: %w", err)
	}
	j.Normal = n
	return j, nil
}

type psiCmd struct {
	Alice string `required:"" placeholder:"FILE" help:"Alice's table, CSV or Parquet."`
	Bob   string `required:"" placeholder:"FILE" help:"Bob's table, CSV or Parquet."`
	keyFlags
	Out      string `placeholder:"DIR" help:"Write each party's matching rows to DIR/alice.csv and DIR/bob.csv, row i of both with the same key."`
	Rows     bool   `help:"Write numbers of rows, from 1, instead of the rows themselves."`
	Plan     bool   `help:"Print what it will cost, and do not intersect."`
	Protocol string `placeholder:"NAME" help:"Protocol: ${psi_protocols}. One without a dealer sends 4 times the bytes, and takes 3 s of CPU time for 10,000 keys of each party."`
	Network  string `placeholder:"LINK" help:"Link between the parties, to which messages are slowed down: none, lan, wan, slow or BITS_PER_S/RTT."`
	Report   string `placeholder:"FILE.json" help:"Write the report of costs to this file."`
	JSON     bool   `name:"json" help:"Print the report of costs as JSON instead of tables."`
}

// psiProtocols returns the names of the protocols with which two parties can intersect keys, and which of them has a dealer.
func psiProtocols() string {
	var out []string
	for _, name := range protocol.Names() {
		switch d, err := protocol.Find(name); {
		case err != nil || d.Clear || d.Check(len(twoParties)) != nil:
		case d.Dealt():
			out = append(out, name+" (with a dealer)")
		default:
			out = append(out, name+" (without one)")
		}
	}
	return orList(out)
}

// Help returns the text that --help appends.
func (*psiCmd) Help() string {
	return `Finds the rows of two tables with equal keys (private set intersection), both parties and the dealer in this process. With a protocol that has no dealer, keys meet as points of an elliptic curve. Each party learns which of its own rows match, and the number of the other party's keys. Rows with a missing key never match. The order of matching rows is random. A file that --out writes is for its own party only.

Examples:

    tacet psi --alice patients.csv --bob claims.parquet --on id --out matched
    tacet psi --alice a.csv --bob b.csv --on name=patient,born --normalise trim,case,nfc --aggregate 'bob.cost=sum,bob.*=first' --out matched
    tacet psi --alice a.csv --bob b.csv --on id --protocol cheetah --out matched
    tacet psi --alice a.csv --bob b.csv --on id --plan`
}

// Run intersects the tables' keys.
func (c *psiCmd) Run(a app) error {
	join, err := c.join(twoParties, job.PSI, kindFlags{})
	if err != nil {
		return badUsage{err}
	}
	if c.Rows && c.Out == "" {
		return badUsage{fmt.Errorf("--rows: name the folder to write to with --out")}
	}
	if c.Rows && len(c.Aggregate) > 0 {
		return badUsage{fmt.Errorf("--rows: rows that --aggregate makes have no numbers in the tables")}
	}
	if c.Protocol != "" {
		d, err := protocol.Find(c.Protocol)
		if err == nil {
			err = d.Check(len(twoParties))
		}
		if err == nil && d.Clear {
			err = fmt.Errorf("%s keeps no key secret (take %s)", d.Name, psiProtocols())
		}
		if err != nil {
			return badUsage{fmt.Errorf("--protocol: %w", err)}
		}
	}
	if err := checkFolders(c.Report); err != nil {
		return err
	}
	j, err := job.NewJoin(twoParties, map[string]string{"alice": c.Alice, "bob": c.Bob}, join)
	if err != nil {
		return badUsage{err}
	}
	j.Apply(job.Override{Protocol: c.Protocol, Network: c.Network})
	read := func() (*job.Joined, error) { return j.ReadJoined(a.ctx) }
	if c.Plan {
		read = j.PlanJoined
	}
	joined, err := read()
	if err != nil {
		if a.ctx.Err() != nil {
			return failed(a.ctx, err)
		}
		return badUsage{err}
	}
	if c.Out != "" && !c.Plan {
		if err := c.write(joined); err != nil {
			return err
		}
	}
	if c.Report != "" {
		if err := profile.Write(c.Report, joined.Report); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(a.stdout, joined.Report)
	}
	return c.print(a, joined)
}

// write writes each party's matching rows, or their numbers.
func (c *psiCmd) write(joined *job.Joined) error {
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return err
	}
	for _, name := range twoParties {
		t := joined.Tables[name]
		if c.Rows {
			numbers := &table.Column{Name: "row", Kind: table.Integer}
			for _, row := range joined.Numbers[name] {
				numbers.Ints = append(numbers.Ints, int64(row)+1)
			}
			t = &table.Table{Rows: len(numbers.Ints), Columns: []*table.Column{numbers}}
		}
		if err := writeTable(filepath.Join(c.Out, name+".csv"), t); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes a table that only its owner may read.
func writeTable(path string, t *table.Table) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := t.WriteCSV(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (c *psiCmd) print(a app, joined *job.Joined) error {
	keys := joined.Before
	if c.Plan {
		fmt.Fprintf(a.stdout, "keys: %d of alice, %d of bob\n", keys[0], keys[1])
	} else {
		fmt.Fprintf(a.stdout, "matching rows: %d (keys: %d of alice, %d of bob)\n", joined.Rows, keys[0], keys[1])
		if c.Out != "" {
			fmt.Fprintf(a.stdout, "written to %s and %s\n", filepath.Join(c.Out, "alice.csv"), filepath.Join(c.Out, "bob.csv"))
		}
		fmt.Fprintln(a.stdout, "revealed to alice, bob: which of their own rows match")
	}
	if joined.Report.Protocol == psi.ECDH.String() {
		fmt.Fprintf(a.stdout, "probability of a wrong match: at most 2^-40\n\n")
	} else {
		fmt.Fprintf(a.stdout, "probability of a failure: 2^-%.0f\n\n", psi.FailureBits(min(keys[0], keys[1])))
	}
	return profile.Summary(a.stdout, joined.Report)
}
