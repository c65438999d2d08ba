package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// explorer remembers the plans of the settings that were tried.
type explorer struct {
	mu    sync.Mutex
	tried []trial
}

// trial is a plan of the console's job under some settings.
type trial struct {
	settings string
	report   *profile.Report
}

// maxTrials bounds the plans that are remembered.
const maxTrials = 20

// exploreRoutes adds the pages of the plan explorer.
func (s *Server) exploreRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /explore", s.page("explore.html", s.explore))
	m.HandleFunc("GET /explore/compare", s.page("trials.html", s.compareTrials))
}

// explorePage is the body of explore.html.
type explorePage struct {
	File, Protocol, Ring, Fraction, Parties, Network, Set string
	Protocols, Rings, Networks                            []string
	Title, Error, Refused                                 string
	Tiles                                                 []card
	Times                                                 []timesRow
	Layers                                                []exploreLayer
	MoreLayers                                            int
	Source                                                []sourceLine
	MoreSource                                            int
	Tried                                                 []string
	Compare                                               *comparePage
}

type timesRow struct{ Network, Input, Online, Output, Offline string }

// exploreLayer is the cost of a layer, with the lines that it is computed in.
type exploreLayer struct {
	Name, Bytes, Offline, Rounds string
	BytesBar, OfflineBar, Path   float64
	URL                          string // of the page with its lines marked
	Here                         bool
}

// settingsOf reads the explorer's form over the settings of the job's file.
func settingsOf(v url.Values, j *job.Job) (shown string, err error) {
	var o job.Override
	number := func(key string) (*int, error) {
		text := strings.TrimSpace(v.Get(key))
		if text == "" {
			return nil, nil
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %.40q is not a number", key, text)
		}
		return &n, nil
	}
	if o.Protocol = v.Get("protocol"); o.Protocol != "" && !slices.Contains(protocol.Names(), o.Protocol) {
		return "", fmt.Errorf("protocol: there is no %.40q", o.Protocol)
	}
	if o.Network = strings.TrimSpace(v.Get("network")); o.Network != "" {
		if _, err := link.ParseShape(o.Network); err != nil {
			return "", fmt.Errorf("network: %w", err)
		}
	}
	var errs [3]error
	o.Ring, errs[0] = number("ring")
	o.Fraction, errs[1] = number("fraction")
	o.Parties, errs[2] = number("parties")
	if err := errors.Join(errs[:]...); err != nil {
		return "", err
	}
	o.Set = map[string]string{}
	for _, word := range strings.Fields(v.Get("set")) {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return "", fmt.Errorf("options: %.80q is not KEY=VALUE", word)
		}
		o.Set[key] = value
	}
	j.Apply(o)
	var parts []string
	for _, key := range []string{"protocol", "ring", "fraction", "parties", "network"} {
		if text := strings.TrimSpace(v.Get(key)); text != "" {
			parts = append(parts, key+" "+text)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o.Set)) {
		parts = append(parts, key+"="+o.Set[key])
	}
	if len(parts) == 0 {
		return "as in the file", nil
	}
	return strings.Join(parts, ", "), nil
}

// explore shows what the console's job costs under the settings of the form.
func (s *Server) explore(r *http.Request) (string, any, error) {
	if s.config.Job == "" {
		return "", nil, fail(http.StatusNotFound, "start the console with a job's file to explore its plan: tacet console JOB.yaml")
	}
	v := r.URL.Query()
	p := &explorePage{
		File: s.config.Job, Protocol: v.Get("protocol"), Ring: v.Get("ring"), Fraction: v.Get("fraction"), Parties: v.Get("parties"),
		Network: v.Get("network"), Set: v.Get("set"), Protocols: protocol.Names(), Rings: []string{"32", "64", "128"},
		Networks: []string{"none", "lan", "wan", "slow"},
	}
	title := "Plan explorer"
	j, err := job.Load(s.config.Job)
	if err != nil {
		return "", nil, fail(http.StatusConflict, "%w", err)
	}
	shown, err := settingsOf(v, j)
	if err != nil {
		p.Error = oneLine(err)
		return title, p, nil
	}
	rep, prog, ready, err := s.try(j, shown)
	switch {
	case err != nil:
		p.Error = oneLine(err)
		return title, p, nil
	case !ready:
		p.Error = "The plan takes longer than " + span(exploreWait) + ": it is made in the background; ask again later."
		return title, p, nil
	}
	s.fillExplore(p, rep, prog, v)
	return title, p, nil
}

// exploreWait is how long the explorer's page waits for a plan.
const exploreWait = 20 * time.Second

// explored is a plan of the console's job with its program.
type explored struct {
	report  *profile.Report
	program *hlo.Program
}

// try plans a job under the settings that shown names. The key of a plan includes the files, so that a changed program is
// planned again.
func (s *Server) try(j *job.Job, shown string) (*profile.Report, *hlo.Program, bool, error) {
	if j.Task != nil {
		return nil, nil, true, errors.New("a job with a task has no program to explore: tacet plan shows what it costs")
	}
	key := shown + "\x00" + stamp(s.config.Job) + stamp(j.Program)
	x, ready, err := s.explored.get(key, exploreWait, func(ctx context.Context) (*explored, error) { return planJob(ctx, j) })
	if !ready || err != nil {
		return nil, nil, ready, err
	}
	s.tried.mu.Lock()
	defer s.tried.mu.Unlock()
	s.tried.tried = slices.DeleteFunc(s.tried.tried, func(t trial) bool { return t.settings == shown })
	s.tried.tried = append(s.tried.tried, trial{shown, x.report})
	s.tried.tried = s.tried.tried[max(0, len(s.tried.tried)-maxTrials):]
	return x.report, x.program, true, nil
}

// planJob plans a job.
func planJob(ctx context.Context, j *job.Job) (x *explored, err error) {
	defer func() {
		if r := recover(); r != nil {
			x, err = nil, fmt.Errorf("the plan failed: %v", r)
		}
	}()
	ctx, _, end := budget.New(ctx, budget.Limits{Memory: budget.Machine() / 4 * 3, Time: 10 * time.Minute})
	defer end()
	p, err := j.ReadProgram(ctx)
	if err != nil {
		return nil, err
	}
	if j.Ring == job.AutoRing {
		return nil, errors.New("ring: auto reads all inputs: choose a ring here")
	}
	spec, err := j.PlanSpec(p)
	if err != nil {
		return nil, err
	}
	machine, err := timing.Load()
	if err != nil {
		machine = timing.Default
	}
	spec.Machine, spec.Networks = &machine, []string{"lan", "wan", "slow"}
	r, err := tacet.Plan(ctx, spec)
	return &explored{r, p}, err
}

// maxExploreLayers and maxSource bound the layers and the lines of the program that the explorer shows.
const (
	maxExploreLayers = 60
	maxSource        = 2000
)

// fillExplore sets what the page shows of a plan.
func (s *Server) fillExplore(p *explorePage, r *profile.Report, prog *hlo.Program, v url.Values) {
	var online int64
	for _, n := range r.Online.BytesSent {
		online += n
	}
	p.Title = fmt.Sprintf("%s among %s, ring %d, fraction %d, network %s", r.Protocol, strings.Join(r.Parties, ", "), r.Ring,
		r.Fraction, r.Network)
	p.Tiles = []card{
		{Name: "sent online", Value: size(online), Note: "all parties together"},
		{Name: "rounds", Value: strconv.Itoa(r.Online.Rounds), Note: "sequential"},
		{Name: "offline", Value: size(r.Offline.BytesSent), Note: "correlated randomness"},
		{Name: "online time", Value: seconds(r.Online.Seconds), Note: "on network " + r.Network},
		{Name: "peak memory", Value: size(r.PeakMemoryBytes), Note: "of all parties on one machine"},
	}
	for _, n := range r.Plan.Networks {
		p.Times = append(p.Times, timesRow{n.Name, seconds(n.Input), seconds(n.Online), seconds(n.Output), seconds(n.Offline)})
	}
	layers := slices.Clone(r.Plan.Layers)
	slices.SortStableFunc(layers, func(a, b profile.Group) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var most profile.Group
	for _, g := range layers {
		most.Bytes, most.Offline = max(most.Bytes, g.Bytes), max(most.Offline, g.Offline)
	}
	p.MoreLayers = max(0, len(layers)-maxExploreLayers)
	lines := linesOfLayers(r)
	chosen := v.Get("layer")
	for _, g := range layers[:len(layers)-p.MoreLayers] {
		q := url.Values{}
		for _, key := range []string{"protocol", "ring", "fraction", "parties", "network", "set"} {
			if text := v.Get(key); text != "" {
				q.Set(key, text)
			}
		}
		q.Set("layer", g.Name)
		x := exploreLayer{
			Name: g.Name, Bytes: size(g.Bytes), Offline: size(g.Offline), Rounds: strconv.Itoa(g.Rounds), Here: g.Name == chosen,
			BytesBar: share(g.Bytes, most.Bytes), OfflineBar: share(g.Offline, most.Offline), URL: "/explore?" + q.Encode(),
		}
		if n := lines[g.Name]; len(n) > 0 {
			x.URL += fmt.Sprintf("#L%d", slices.Min(n))
		}
		p.Layers = append(p.Layers, x)
	}
	hot := map[int]bool{}
	for _, n := range lines[chosen] {
		hot[n] = true
	}
	all := linesOf(prog)
	from := 0
	if len(lines[chosen]) > 0 { // a long program is shown around the layer's first line
		from = max(0, min(slices.Min(lines[chosen])-maxSource/2, len(all)-maxSource))
	}
	for i, text := range all[from:min(len(all), from+maxSource)] {
		p.Source = append(p.Source, sourceLine{from + i + 1, text, hot[from+i+1]})
	}
	p.MoreSource = len(all) - len(p.Source)
	s.tried.mu.Lock()
	defer s.tried.mu.Unlock()
	for _, t := range s.tried.tried {
		p.Tried = append(p.Tried, t.settings)
	}
}

func share(part, all int64) float64 {
	if all == 0 {
		return 0
	}
	return float64(1000*part/all) / 10
}

// lineOf finds the line in an operation's place.
var lineOf = regexp.MustCompile(`:(\d+)(?::\d+)?$`)

// linesOfLayers returns the lines of the program's text in which each layer is computed.
func linesOfLayers(r *profile.Report) map[string][]int {
	out := map[string][]int{}
	for name, places := range r.PlacesByLayer() {
		for _, place := range places {
			if m := lineOf.FindStringSubmatch(place); m != nil {
				if n, err := strconv.Atoi(m[1]); err == nil {
					out[name] = append(out[name], n)
				}
			}
		}
	}
	return out
}

// trialsPage is the body of trials.html.
type trialsPage struct {
	A, B  string
	Tried []string
	Table *comparePage
}

// compareTrials compares two of the plans that were tried.
func (s *Server) compareTrials(r *http.Request) (string, any, error) {
	v := r.URL.Query()
	p := &trialsPage{A: v.Get("a"), B: v.Get("b")}
	var reports [2]*profile.Report
	s.tried.mu.Lock()
	for _, t := range s.tried.tried {
		p.Tried = append(p.Tried, t.settings)
		for i, name := range []string{p.A, p.B} {
			if t.settings == name {
				reports[i] = t.report
			}
		}
	}
	s.tried.mu.Unlock()
	if reports[0] != nil && reports[1] != nil {
		p.Table = &comparePage{}
		fillComparison(p.Table, reports[0], reports[1], profile.ByBytes)
	}
	return "Compare two plans", p, nil
}
