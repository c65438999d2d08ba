package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/joins"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Join says which rows of the tables belong together.
type Join struct {
	Method string // Aligned, PSI, Hidden or Stacked
	// Beside are, of Stacked, the parties whose tables have further columns of all rows: in the order of the other parties, the rows of the
	// first one's table first.
	Beside []string
	// On are the key columns of PSI and Hidden by party, in the same order; of Stacked those by which rows are matched with the table of the
	// one party beside, which then has them in another order.
	On     map[string][]string
	Normal table.Normal // of texts in key columns
	// Aggregate are functions of package table by PARTY.COLUMN, or PARTY.* for all further columns. A party that
	// aggregates may have several rows of one key.
	Aggregate map[string]string
	// Of Hidden: Keeper is the party that keeps its rows, "" for the owner of the target, or the one with more columns.
	Keeper string
	Rows   map[string]int // the parties' numbers of rows, for nodes and for a plan without tables; nil: those of the tables
	Kind   string         // of hidden.ParseKind; of other methods than Hidden inner
	// Matches are, of Stacked with On, how many rows of each stacked table match the one beside them, for nodes; nil: as many as do.
	Matches map[string]int
}

// The methods of joins, as package joins describes them.
const (
	Aligned = joins.Aligned
	PSI     = joins.PSI
	Hidden  = joins.Hidden
	Stacked = joins.Stacked
)

// join reads how the rows of tables are matched.
func (l *loader) join(key string, v yamlfile.Value) error {
	to := &l.j.Join
	var everywhere, normalise []string
	err := l.mapping(v, "join", yamlfile.Fields{
		"method":    yamlfile.Text(&to.Method),
		"normalise": table.ReadTexts(&normalise, "trim, case and nfc"),
		"keeper":    yamlfile.Text(&to.Keeper),
		"beside":    keyColumns(&to.Beside),
		"kind":      yamlfile.Text(&to.Kind),
		"rows":      numbersByParty(&to.Rows),
		"matches":   numbersByParty(&to.Matches),
		"on": func(key string, v yamlfile.Value) error {
			if !v.IsMapping() {
				return keyColumns(&everywhere)(key, v)
			}
			to.On = map[string][]string{}
			return v.Each(key, func(name string, v yamlfile.Value) error {
				var columns []string
				err := keyColumns(&columns)(name, v)
				to.On[name] = columns
				return err
			})
		},
		"aggregate": func(key string, v yamlfile.Value) error {
			to.Aggregate = map[string]string{}
			return v.Each(key, func(name string, v yamlfile.Value) error {
				var f string
				err := yamlfile.Text(&f)(name, v)
				to.Aggregate[name] = f
				return err
			})
		},
	})
	if err != nil {
		return err
	}
	if to.Method == "" && (everywhere != nil || to.On != nil) {
		to.Method = PSI
	}
	if to.Normal, err = ParseNormal(normalise); err != nil {
		return wrong(v.Place(), "join: normalise: %w", err)
	}
	if everywhere != nil {
		l.everywhere = everywhere
	}
	return nil
}

// numbersByParty reads a positive number of each party.
func numbersByParty(to *map[string]int) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = map[string]int{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			n := 0
			err := yamlfile.Positive(&n)(name, v)
			(*to)[name] = n
			return err
		})
	}
}

// keyColumns reads one name or a list of names.
func keyColumns(to *[]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if s, ok := v.Scalar(); ok {
			*to = []string{s}
			return nil
		}
		return table.ReadTexts(to, "columns")(key, v)
	}
}

// ParseNormal returns what names of normalisations stand for: trim, case, nfc.
func ParseNormal(names []string) (table.Normal, error) {
	var n table.Normal
	for _, name := range names {
		switch name {
		case "trim":
			n.Trim = true
		case "case":
			n.Case = true
		case "nfc":
			n.NFC = true
		default:
			return n, fmt.Errorf("%q is no normalisation (trim, case, nfc)", name)
		}
	}
	return n, nil
}

// checkJoin refuses joins that contradict the job.
func (j *Job) checkJoin() error {
	c, at := &j.Join, j.place("join")
	switch kind, err := hidden.ParseKind(c.Kind); {
	case err != nil:
		return wrong(at, "join: kind: %w", err)
	case kind != hidden.Inner && c.Method != Hidden:
		return wrong(at, "join: kind: %s is for method: hidden, as others show which rows match", c.Kind)
	}
	if c.Method != Hidden && c.Keeper != "" || c.Method == Aligned && c.Rows != nil {
		return wrong(at, "join: keeper belongs to method: hidden, and rows to methods hidden, psi and stacked")
	}
	if c.Beside != nil && c.Method != Stacked {
		return wrong(at, "join: beside belongs to method: stacked (parties with columns of all of the other parties' rows)")
	}
	if c.Matches != nil && (c.Method != Stacked || c.On == nil) {
		return wrong(at, "join: matches belongs to method: stacked with keys (on); with method: psi the task's rows says how many match")
	}
	switch c.Method {
	case Stacked:
		if err := j.checkBeside(); err != nil {
			return err
		}
		if c.Aggregate != nil || c.On == nil && c.Normal != (table.Normal{}) || c.On != nil && len(c.Beside) == 0 {
			return wrong(at, "join: on, normalise and aggregate belong to methods psi and hidden (stacked rows have no keys, but for on and "+
				"normalise of tables that one party is beside)")
		}
		if c.On != nil && len(c.Beside) != 1 {
			return wrong(at, "join: on: keys match rows of stacked tables with those of one party beside them, and the job has %d", len(c.Beside))
		}
		if len(j.Parties) < 2 || len(j.Inputs) != len(j.Parties) {
			return wrong(at, "join: method stacked is for a table of each party, and the job has %d parties and %d tables", len(j.Parties), len(j.Inputs))
		}
		if c.On != nil {
			if err := cmp.Or(j.checkKeys(), j.checkMatchNames()); err != nil {
				return err
			}
		}
		return j.checkJoinRows()
	case Aligned:
		if c.On != nil || c.Aggregate != nil || c.Normal != (table.Normal{}) {
			return wrong(at, "join: on, normalise and aggregate belong to methods psi and hidden (aligned rows have no keys)")
		}
		return nil
	case PSI:
	case Hidden:
		if c.Keeper != "" && !slices.Contains(j.Parties, c.Keeper) {
			return wrong(at, "join: keeper names %q, which is not a party", c.Keeper)
		}
	default:
		return wrong(at, "join: want method: %s, got %q", joins.Described(), c.Method)
	}
	if len(j.Parties) != 2 || len(j.Inputs) != 2 {
		return wrong(at, "join: method %s is for two parties with a table each, and the job has %d parties and %d tables",
			c.Method, len(j.Parties), len(j.Inputs))
	}
	if err := j.checkJoinRows(); err != nil {
		return err
	}
	if err := j.checkKeys(); err != nil {
		return err
	}
	for name, f := range c.Aggregate {
		owner, column, ok := strings.Cut(name, ".")
		if !ok || !slices.Contains(j.Parties, owner) || column == "" {
			return wrong(at, "join: aggregate: want PARTY.COLUMN or PARTY.*, got %q", name)
		}
		if !slices.Contains(table.Aggregates, f) {
			return wrong(at, "join: aggregate: %q does not aggregate (%s)", f, strings.Join(table.Aggregates, ", "))
		}
	}
	return nil
}

// checkKeys refuses key columns that are not those of all parties.
func (j *Job) checkKeys() error {
	c, at, first := &j.Join, j.place("join"), j.Parties[0]
	for name := range c.On {
		if !slices.Contains(j.Parties, name) {
			return wrong(at, "join: on names %q, which is not a party", name)
		}
	}
	for _, name := range j.Parties {
		switch a, b := c.On[first], c.On[name]; {
		case len(a) == 0 || len(b) == 0:
			return wrong(at, "join: on is missing: the key columns, such as on: id, or on: {%s: id, %s: patient}", first, j.Parties[1])
		case len(a) != len(b):
			return wrong(at, "join: the key has %d columns at %s and %d at %s", len(a), first, len(b), name)
		}
	}
	return nil
}

// checkBeside refuses parties that are not beside stacked tables, and sets Task.Beside.
func (j *Job) checkBeside() error {
	at := j.place("join")
	for i, name := range j.Join.Beside {
		switch {
		case !slices.Contains(j.Parties, name):
			return wrong(at, "join: beside names %q, which is not a party", name)
		case slices.Contains(j.Join.Beside[:i], name):
			return wrong(at, "join: beside names %q twice", name)
		case name == j.Parties[0]:
			return wrong(at, "join: beside names %s, and the first of the parties has one of the stacked tables (write it later in parties)", name)
		}
	}
	if len(j.Join.Beside) > 0 && len(j.Parties)-len(j.Join.Beside) < 2 {
		return wrong(at, "join: beside leaves one table, which is not stacked (method: psi or aligned)")
	}
	if j.Task != nil {
		j.Task.Beside = j.Join.Beside
	}
	return nil
}

// checkJoinRows refuses declared numbers of rows that are not those of all parties.
func (j *Job) checkJoinRows() error {
	for name := range j.Join.Rows {
		if !slices.Contains(j.Parties, name) || len(j.Join.Rows) != len(j.Parties) {
			return wrong(j.place("join"), "join: rows: want the numbers of rows of %s", strings.Join(j.Parties, " and "))
		}
	}
	return nil
}

// checkMatchNames refuses declared numbers of matching rows that are not those of all stacked tables.
func (j *Job) checkMatchNames() error {
	c, stacked := &j.Join, j.stackedParties()
	for name := range c.Matches {
		if !slices.Contains(stacked, name) || len(c.Matches) != len(stacked) {
			return wrong(j.place("join"), "join: matches: want how many rows of each stacked table match, those of %s",
				strings.Join(stacked, " and "))
		}
	}
	return nil
}

// stackedParties returns the parties with a stacked table, in rank order.
func (j *Job) stackedParties() []string {
	return slices.DeleteFunc(slices.Clone(j.Parties), func(name string) bool { return slices.Contains(j.Join.Beside, name) })
}

// Joined is the result of a join: tables by owner, with the rows that belong together in the same order.
type Joined struct {
	Tables map[string]*table.Table
	Rows   int // of a plan, the most that can match
	// Of method psi: Before are the numbers of keys by party, Numbers by party the numbers of matching rows in its
	// table (as aggregated), and Report the costs. Of method hidden: Tables have all rows, Rows is the number of the
	// keeper's or, of an outer join, of both parties', Before are numbers of rows, and Report has the costs once the task's columns
	// have been joined.
	Before  []int
	Numbers map[string][]int
	Report  *profile.Report
}

// ReadJoined reads tables with all their columns and matches their rows.
func (j *Job) ReadJoined(ctx context.Context) (*Joined, error) { return j.join(ctx, nil) }

// PlanJoined is ReadJoined without the intersection: the report is its plan.
func (j *Job) PlanJoined() (*Joined, error) { return j.planJoin(nil) }

// join reads columns of the tables, by owner (nil: all), and matches their rows.
func (j *Job) join(ctx context.Context, columns map[string][]string) (*Joined, error) {
	tables, err := j.readTables(columns)
	if err != nil {
		return nil, err
	}
	out := &Joined{Tables: tables}
	if j.Join.Method == Aligned {
		return out, nil
	}
	if j.Join.Method == Hidden {
		return out, j.hide(out, columns)
	}
	keys, rows, err := j.keys(out)
	if err != nil {
		return nil, err
	}
	common, err := psi.Run(ctx, psi.Spec{Method: j.psiMethod(), Parties: j.Parties, Keys: keys, Network: j.Network})
	if err != nil {
		return nil, err
	}
	out.Numbers = map[string][]int{}
	for rank, name := range j.Parties {
		picked := make([]int, len(common.Rows[rank]))
		for i, key := range common.Rows[rank] {
			picked[i] = rows[rank][key]
		}
		out.Rows, out.Numbers[name], out.Tables[name] = len(picked), picked, tables[name].Select(picked)
	}
	if columns != nil && out.Rows == 0 {
		return nil, errNoMatch
	}
	out.Report = common.Report
	return out, nil
}

// errNoMatch refuses a task on tables without a common key: there is nothing to compute with.
var errNoMatch = errors.New("no rows match: the tables have no key in common (keys match as they are spelled; `normalise` trims spaces and ignores case)")

// joinOrPlan is planJoin with plan, else join.
func (j *Job) joinOrPlan(ctx context.Context, columns map[string][]string, plan bool) (*Joined, error) {
	if plan {
		return j.planJoin(columns)
	}
	return j.join(ctx, columns)
}

// planJoin is join up to the intersection, which it plans.
func (j *Job) planJoin(columns map[string][]string) (*Joined, error) {
	tables, err := j.readTables(columns)
	if err != nil {
		return nil, err
	}
	out := &Joined{Tables: tables}
	if j.Join.Method == Aligned {
		return out, nil
	}
	if j.Join.Method == Hidden {
		return out, j.hide(out, columns)
	}
	if _, _, err := j.keys(out); err != nil {
		return nil, err
	}
	out.Rows = min(out.Before[0], out.Before[1])
	out.Report, err = psi.Plan(psi.Spec{Method: j.psiMethod(), Parties: j.Parties, Network: j.Network}, [2]int{out.Before[0], out.Before[1]})
	return out, err
}

// psiMethod returns the intersection's protocol.
func (j *Job) psiMethod() psi.Method {
	d, err := protocol.Find(j.Protocol)
	if err != nil {
		return psi.VOLE
	}
	return methodWith(d)
}

// methodWith returns the protocol of intersections beside one of computation: one without a dealer if that has none, or if a party deals.
func methodWith(d *protocol.Descriptor) psi.Method {
	if d.Supply == protocol.BetweenParties || d.Supply == protocol.PartyDealer {
		return psi.ECDH
	}
	return psi.VOLE
}

// keys aggregates the tables and returns the keys, and their rows, by rank.
func (j *Job) keys(out *Joined) (keys [][]psi.Key, rows [][]int, err error) {
	if err := j.checkKinds(out.Tables); err != nil {
		return nil, nil, err
	}
	for _, name := range j.Parties {
		in, on, t := j.tableOf(name), j.Join.On[name], out.Tables[name]
		if by := j.Join.aggregate(name, t, on); by != nil {
			if t, err = t.Aggregate(on, j.Join.Normal, by); err != nil {
				return nil, nil, taskError(in, err)
			}
			out.Tables[name] = t
		}
		k, r, err := t.Keys(on, j.Join.Normal)
		if err != nil {
			return nil, nil, taskError(in, err)
		}
		if want, ok := j.Join.Rows[name]; ok && want != t.Rows {
			return nil, nil, wrong(j.place("join"), "join: rows: the table of %s has %d rows, and the job declares %d", name, t.Rows, want)
		}
		keys, rows, out.Before = append(keys, k), append(rows, r), append(out.Before, len(k))
	}
	return keys, rows, nil
}

// checkKinds refuses key columns whose values can never be equal.
func (j *Job) checkKinds(tables map[string]*table.Table) error {
	a := j.Parties[0]
	for _, b := range j.Parties[1:] {
		for i, x := range j.Join.On[a] {
			y := j.Join.On[b][i]
			kind, other := tables[a].Column(x).Kind.KeyKind(), tables[b].Column(y).Kind.KeyKind()
			if kind != other {
				return wrong(j.place("join"), "join: the key columns %s.%s and %s.%s can have no equal values: one is a %s, the other a %s (declare types)",
					a, x, b, y, kind, other)
			}
		}
	}
	return nil
}

// aggregate returns the functions of a table's columns, nil if its owner does not aggregate.
func (c *Join) aggregate(owner string, t *table.Table, on []string) map[string]string {
	var by map[string]string
	for name, f := range c.Aggregate {
		if party, column, _ := strings.Cut(name, "."); party == owner {
			if by == nil {
				by = map[string]string{}
			}
			if column != "*" {
				by[column] = f
			}
		}
	}
	if rest := c.Aggregate[owner+".*"]; rest != "" {
		for _, col := range t.Columns {
			if by[col.Name] == "" && !slices.Contains(on, col.Name) {
				by[col.Name] = rest
			}
		}
	}
	return by
}

// tableOf returns the table of an owner.
func (j *Job) tableOf(owner string) *Input {
	for i := range j.Inputs {
		if j.Inputs[i].Owner == owner {
			return &j.Inputs[i]
		}
	}
	return nil
}

// readTables reads columns of the tables, and their key columns; without columns all.
func (j *Job) readTables(columns map[string][]string) (map[string]*table.Table, error) {
	out := map[string]*table.Table{}
	for _, name := range slices.Sorted(maps.Keys(j.Join.On)) {
		all, err := table.ColumnNames(j.tableOf(name).File, j.tableOf(name).Table.Options)
		if err != nil {
			return nil, taskError(j.tableOf(name), err)
		}
		for _, column := range j.Join.On[name] {
			if !slices.Contains(all, column) {
				return nil, wrong(j.place("join"), "join: the table of %s has no column %q", name, column)
			}
		}
	}
	for i := range j.Inputs {
		in := &j.Inputs[i]
		o := in.Table.Options
		if columns != nil {
			o.Columns = slices.Clone(columns[in.Owner])
			for _, name := range j.Join.On[in.Owner] {
				if !slices.Contains(o.Columns, name) {
					o.Columns = append(o.Columns, name)
				}
			}
			if len(o.Columns) == 0 {
				continue
			}
		}
		t, err := table.Read(in.File, o)
		if err != nil {
			return nil, taskError(in, err)
		}
		out[in.Owner] = t
	}
	return out, nil
}

// ParseOn returns the key columns by party that a flag's values say: COLUMN, or COLUMN=COLUMN, one for each party, for several names of it.
func ParseOn(parties, values []string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, v := range values {
		of := strings.Split(v, "=")
		if len(of) == 1 {
			of = slices.Repeat(of, len(parties))
		}
		if len(of) != len(parties) || slices.Contains(of, "") {
			return nil, fmt.Errorf("--on: want COLUMN, or COLUMN%s where the names differ", strings.Repeat("=COLUMN", len(parties)-1))
		}
		for rank, name := range parties {
			out[name] = append(out[name], of[rank])
		}
	}
	return out, nil
}
