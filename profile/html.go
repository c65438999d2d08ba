package profile

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML returns the report as one HTML page that loads no other files. It is light or dark according
// to the browser's setting.
func HTML(r *Report) ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, r.page()); err != nil {
		return nil, fmt.Errorf("profile: make page: %w", err)
	}
	return b.Bytes(), nil
}

// page is the template's input. Widths are in percent, in the drawing in pixels.
type page struct {
	Kind, Program, Title string
	Measured             bool // the report has times
	Tiles                []tile
	Phases               []phaseRow
	Verdict              string // comparison with the prediction, "" for a plan
	Expect               string
	Graph                drawing
	More                 int // number of layers that are not shown
	Path                 []pathRow
	Rounds               int
	Layers, Ops          []layerRow
	MoreLayers, MoreOps  int
	Networks             []networkRow
}

// bars is the template's input for one row of the tables of layers and operations.
type bars struct {
	Row      layerRow
	Measured bool
}

func (p *page) Bars(row layerRow) bars { return bars{row, p.Measured} }

// networkRow is the predicted duration of the phases on a network, formatted.
type networkRow struct{ Name, Input, Online, Output, Offline string }

func (p *Plan) networkRows() []networkRow {
	if p == nil {
		return nil
	}
	var out []networkRow
	for _, n := range p.Networks {
		out = append(out, networkRow{n.Name, duration(n.Input), duration(n.Online), duration(n.Output), duration(n.Offline)})
	}
	return out
}

type tile struct{ Name, Value, Note string }

type phaseRow struct {
	Name, Bytes, Rounds, Seconds, Parties string
	Share                                 float64
}

// layerRow is a layer or an operation with the lengths of its bars.
type layerRow struct {
	Name, Loc, Tip                     string
	Bytes, Offline, Seconds            string
	Rounds, Path, Calls                int
	BytesBar, OfflineBar, Bar, PathBar float64
}

// pathRow is a layer on the critical path and the rounds between which its messages lie.
type pathRow struct {
	Name, Loc    string
	Rounds       int
	First, Last  int
	Left, Extent float64
}

// maxRows is the maximum number of rows of each table.
const maxRows = 60

func (r *Report) page() *page {
	all, more := r.parts()
	online := r.online()
	p := &page{
		Kind: "Plan", Program: r.Program, Title: r.title(), Measured: r.Online.Seconds > 0, More: more, Rounds: online.rounds,
		Phases: r.phaseRows(), Networks: r.Plan.networkRows(),
	}
	if r.hasRun() {
		p.Kind = "Run"
		p.Verdict = r.verdict()
	}
	p.Tiles = r.tiles(p.Measured)
	if e := r.Expect; e != nil {
		p.Expect = fmt.Sprintf("Results are as expected: the largest error is %.3g.", slices.Max(append(e.MaxAbsError, 0)))
		if !e.OK {
			p.Expect = fmt.Sprintf("Results are not as expected: the largest error is %.3g.", slices.Max(append(e.MaxAbsError, 0)))
		}
	}
	rows := layerRows(all)
	p.Graph = draw(all, rows)
	p.Path = pathRows(all, online.rounds)
	var groups []*part
	for _, g := range r.Groups(ByLayer) {
		groups = append(groups, &part{name: g.Name, cost: cost{g.Bytes, g.Messages, g.Offline, g.Rounds, g.Seconds}, path: g.Rounds})
	}
	slices.SortStableFunc(groups, func(a, b *part) int { return ByBytes.compare(a.cost, b.cost) })
	p.MoreLayers = max(0, len(groups)-maxRows)
	p.Layers = layerRows(groups[:len(groups)-p.MoreLayers])
	ops := r.sorted(ByBytes)
	p.MoreOps = max(0, len(ops)-maxRows)
	var list []*part
	for i := range ops[:len(ops)-p.MoreOps] {
		o := &ops[i]
		list = append(
			list,
			&part{name: o.label(), loc: strings.TrimSpace(o.Loc + " " + o.Name), cost: o.cost(r.measured()), calls: o.Calls, path: o.PathRounds},
		)
	}
	p.Ops = layerRows(list)
	return p
}

func (r *Report) tiles(measured bool) []tile {
	c := r.online()
	tiles := []tile{
		{"sent online", Size(c.bytes), "all parties together"},
		{"rounds", strconv.Itoa(c.rounds), "sequential"},
		{"offline", Size(c.offline), "correlated randomness, before inputs are known"},
		{"messages", strconv.FormatInt(c.messages, 10), "online"},
	}
	if measured {
		tiles = append(tiles, tile{"online time", duration(c.seconds), "on network " + r.Network})
	}
	if r.PeakMemoryBytes > 0 {
		tiles = append(tiles, tile{"peak memory", Size(r.PeakMemoryBytes), "of the process"})
	}
	return tiles
}

func (r *Report) phaseRows() []phaseRow {
	phases := r.phases()
	var most int64
	for _, p := range phases {
		most = max(most, p.bytes)
	}
	var out []phaseRow
	for _, p := range phases {
		out = append(out, phaseRow{p.name, Size(p.bytes), strconv.Itoa(p.rounds), duration(p.seconds), p.shares(), percent(p.bytes, most)})
	}
	return out
}

func layerRows(all []*part) []layerRow {
	var most cost
	path := 0
	for _, l := range all {
		most.bytes, most.offline, most.seconds = max(
			most.bytes,
			l.cost.bytes,
		), max(
			most.offline,
			l.cost.offline,
		), max(
			most.seconds,
			l.cost.seconds,
		)
		path = max(path, l.path)
	}
	out := make([]layerRow, len(all))
	for i, l := range all {
		c := l.cost
		out[i] = layerRow{
			Name: l.name, Loc: l.loc, Bytes: Size(c.bytes), Offline: Size(c.offline), Seconds: duration(c.seconds),
			Rounds: c.rounds, Path: l.path, Calls: l.calls,
			BytesBar: percent(c.bytes, most.bytes), OfflineBar: percent(c.offline, most.offline),
			Bar: 100 * ratio(c.seconds, most.seconds), PathBar: percent(int64(l.path), int64(path)),
			Tip: fmt.Sprintf(
				"%s\n%s\nsent %s, offline %s, %d rounds (%d on the critical path), %s",
				l.name,
				l.loc,
				Size(c.bytes),
				Size(c.offline),
				c.rounds,
				l.path,
				duration(c.seconds),
			),
		}
	}
	return out
}

func pathRows(all []*part, rounds int) []pathRow {
	var out []pathRow
	for _, i := range onPath(all) {
		l := all[i]
		out = append(out, pathRow{
			Name: l.name, Loc: l.loc, Rounds: l.path, First: l.first, Last: l.last,
			Left: percent(int64(l.first), int64(rounds)), Extent: percent(int64(l.last-l.first), int64(rounds)),
		})
	}
	return out
}

func percent(part, all int64) float64 {
	return math.Round(1000*ratio(float64(part), float64(all))) / 10
}

// Size returns a number of bytes as text, with three significant digits and a decimal unit, such as "1.25 MB".
func Size(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	x, unit := float64(n)/1000, 0
	for x >= 999.5 && unit < len(units)-1 {
		x, unit = x/1000, unit+1
	}
	return fmt.Sprintf("%.3g %cB", x, units[unit])
}

// shares returns the bytes that each party sent, or the note.
func (p *phase) shares() string {
	if p.note != "" {
		return p.note
	}
	return sizes(p.parties)
}

func sizes(all []int64) string {
	text := make([]string, len(all))
	for i, n := range all {
		text[i] = Size(n)
	}
	return strings.Join(text, " + ")
}

// duration formats seconds in a suitable unit, "–" for 0.
func duration(s float64) string {
	switch {
	case s == 0:
		return "–"
	case s < 1e-3:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.4g s", s)
}
