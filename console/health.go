package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
)

// healthRoutes adds the pages of services and of the nodes' health.
func (s *Server) healthRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /health", s.page("health.html", s.healthPage))
	m.HandleFunc("GET /services", s.page("services.html", s.services))
	m.HandleFunc("GET /services/{node}/{id}", s.page("service.html", s.service))
}

// maxPointsKept bounds the samples of a metric that the console holds.
const maxPointsKept = 360

// history holds samples of the nodes' metrics, taken while the page of health is open.
type history struct {
	mu     sync.Mutex
	points map[string][]point // by node and metric
}

type point struct {
	at    time.Time
	value float64
}

// add adds a sample and returns all of them. Two samples are at least half a second apart.
func (h *history) add(key string, value float64, now time.Time) []point {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.points == nil {
		h.points = map[string][]point{}
	}
	all := h.points[key]
	if n := len(all); n == 0 || now.Sub(all[n-1].at) >= time.Second/2 {
		all = append(all, point{now, value})
		all = slices.Clone(all[max(0, len(all)-maxPointsKept):])
		h.points[key] = all
	}
	return all
}

// healthBody is the body of health.html.
type healthBody struct{ Nodes []nodeHealth }

// nodeHealth is what one node says of itself.
type nodeHealth struct {
	Name, Error, Version, State string
	Running, Queued             int
	Certificates                []certificateRow
	Cards                       []card
	Disks                       []diskRow
	NoMetrics                   string
}

type certificateRow struct {
	Of, Expires, Left, Warning string
	CA                         bool
}

type card struct {
	Name, Value, Note string
	Plot              *plot
}

type diskRow struct {
	Folder, Free, Used string
	Percent            int
}

// shownMetrics are the metrics that are plotted, with their names on the page.
var shownMetrics = []struct {
	metric, label, value string // a sample of this metric with this value of a label; "" for all samples added up
	name, unit           string
}{
	{"tacet_jobs", "state", "pending", "jobs that wait for an approval", ""},
	{"tacet_jobs", "state", "queued", "queued jobs", ""},
	{"tacet_jobs", "state", "running", "running jobs", ""},
	{"tacet_memory_bytes", "what", "planned", "memory planned for running jobs", "bytes"},
	{"tacet_store_sessions", "state", "ready", "sessions in the store", ""},
	{"tacet_sent_bytes_total", "", "", "bytes sent in finished jobs", "bytes"},
	{"tacet_jobs_denied_total", "", "", "denied jobs", ""},
	{"tacet_callers_refused_total", "", "", "refused connections", ""},
	{"process_resident_memory_bytes", "", "", "memory of the process", "bytes"},
	{"process_cpu_seconds_total", "", "", "processor time of the process", "s"},
}

// healthPage shows the nodes' health.
func (s *Server) healthPage(r *http.Request) (string, any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.config.answerTime)
	defer cancel()
	type answer struct {
		health  api.Health
		samples []api.Sample
		refused error
	}
	answers, errs := eachNode(s, s.names, func(c *api.Client) (a answer, err error) {
		if a.health, err = c.Health(ctx); err == nil {
			a.samples, a.refused = c.Metrics(ctx)
		}
		return a, err
	})
	p := &healthBody{}
	now := time.Now()
	for i, name := range s.names {
		x := nodeHealth{Name: name, State: "serves"}
		if errs[i] != nil {
			x.Error = oneLine(errs[i])
			p.Nodes = append(p.Nodes, x)
			continue
		}
		a := answers[i]
		x.Version, x.Running, x.Queued = a.health.Info.String(), a.health.Running, a.health.Queued
		if a.health.Draining {
			x.State = "is stopping and accepts no jobs"
		}
		for _, e := range a.health.Certificates {
			x.Certificates = append(x.Certificates, certificateRow{e.Of, when(e.Expires), span(time.Until(e.Expires)), e.Warning, e.CA})
		}
		if a.refused != nil {
			x.NoMetrics = oneLine(a.refused)
		}
		s.fillMetrics(&x, a.samples, now)
		p.Nodes = append(p.Nodes, x)
	}
	return "Health", p, nil
}

// fillMetrics sets the cards and disks of a node.
func (s *Server) fillMetrics(x *nodeHealth, samples []api.Sample, now time.Time) {
	disks := map[string]*[2]float64{}
	for _, m := range samples {
		if m.Name == "tacet_disk_bytes" {
			d := disks[m.Labels["folder"]]
			if d == nil {
				d = &[2]float64{}
				disks[m.Labels["folder"]] = d
			}
			if m.Labels["what"] == "free" {
				d[0] = m.Value
			} else {
				d[1] = m.Value
			}
		}
	}
	for folder, d := range disks {
		if all := d[0] + d[1]; all > 0 && len(x.Disks) < 10 {
			x.Disks = append(x.Disks, diskRow{folder, size(int64(d[0])), size(int64(d[1])), int(100 * d[1] / all)})
		}
	}
	slices.SortFunc(x.Disks, func(a, b diskRow) int { return cmp.Compare(a.Folder, b.Folder) })
	for _, m := range shownMetrics {
		total, found := 0.0, false
		for _, v := range samples {
			if v.Name == m.metric && (m.label == "" || v.Labels[m.label] == m.value) {
				total, found = total+v.Value, true
			}
		}
		if !found {
			continue
		}
		c := card{Name: m.name, Value: quantity(total, m.unit)}
		var at, values []float64
		for _, q := range s.health.add(x.Name+"/"+m.metric+"/"+m.value, total, now) {
			at, values = append(at, q.at.Sub(now).Seconds()), append(values, q.value)
		}
		if c.Plot = curve(at, values); c.Plot != nil {
			c.Plot.Label = fmt.Sprintf("%s at %s over %s, from %s to %s", m.name, x.Name, span(time.Duration(-at[0]*1e9)), c.Plot.Low,
				c.Plot.High)
			c.Note = "the last " + span(time.Duration(-at[0]*1e9))
		}
		x.Cards = append(x.Cards, c)
	}
	for _, h := range []struct{ metric, name string }{
		{"tacet_request_seconds", "mean time of a request"}, {"tacet_job_wait_seconds", "mean wait of a job"}, {"tacet_job_seconds",
			"mean time of a job"},
		{"tacet_plan_seconds", "mean time to plan a job"},
	} {
		if n, sum := total(samples, h.metric+"_count"), total(samples, h.metric+"_sum"); n > 0 {
			x.Cards = append(x.Cards, card{Name: h.name, Value: seconds(sum / n), Note: plural(int(n), "sample")})
		}
	}
}

// total returns the sum of a metric's samples.
func total(samples []api.Sample, name string) (sum float64) {
	for _, m := range samples {
		if m.Name == name {
			sum += m.Value
		}
	}
	return sum
}

// quantity formats a value.
func quantity(x float64, unit string) string {
	switch unit {
	case "bytes":
		return size(int64(x))
	case "s":
		return seconds(x)
	}
	return fmt.Sprintf("%.6g", x)
}

// serviceList is the body of services.html.
type serviceList struct{ Nodes []nodeServices }

type nodeServices struct {
	Name, Error string
	Rows        []serviceRow
	More        int
}

type serviceRow struct {
	ID, State, Submitter, Program, What, Opened, Loss string
	Answered, Answering, Batch, Restarts              int
}

// opened returns when a service last began to accept requests, or its session began: only services that open again say the former.
func opened(j api.Job) time.Time {
	if j.Opened.IsZero() {
		return j.Started
	}
	return j.Opened
}

// servicesOnPage bounds the services of a node that a page lists.
const servicesOnPage = 50

// services shows the nodes' services, the newest first.
func (s *Server) services(r *http.Request) (string, any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.config.answerTime)
	defer cancel()
	type answer struct {
		jobs  []api.Job
		total int
	}
	answers, errs := eachNode(s, s.names, func(c *api.Client) (answer, error) {
		jobs, total, err := c.List(ctx, api.JobsQuery{Serve: true, Limit: servicesOnPage})
		return answer{jobs, total}, err
	})
	p := &serviceList{}
	for i, name := range s.names {
		x := nodeServices{Name: name, More: answers[i].total - len(answers[i].jobs)}
		if errs[i] != nil {
			x.Error = oneLine(errs[i])
		}
		for _, j := range answers[i].jobs {
			x.Rows = append(x.Rows, serviceRow{
				ID: j.ID, State: string(j.State), Submitter: j.Submitter, Program: j.Program, What: what(j), Opened: when(opened(j)),
				Loss:     j.Loss,
				Answered: j.Step, Answering: j.Answering, Batch: j.Batch, Restarts: j.Restarts,
			})
		}
		p.Nodes = append(p.Nodes, x)
	}
	return "Services", p, nil
}

// servicePage is the body of service.html.
type servicePage struct {
	serviceRow
	Node                    string
	Rows                    []requestRow
	Median, Slowest, Failed string
	MeanBatch               string
	Lead, LeadNote          string
	Plot                    *plot
}

type requestRow struct {
	ID, State, Submitted, Waited, Took, Error string
	Batch                                     int
}

// service shows the requests of a service, with their latencies.
func (s *Server) service(r *http.Request) (string, any, error) {
	c, err := s.node(r.PathValue("node"))
	if err != nil {
		return "", nil, err
	}
	id := r.PathValue("id")
	if !validID.MatchString(id) {
		return "", nil, fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	j, err := c.Job(r.Context(), id)
	if err != nil {
		return "", nil, err
	}
	list, err := c.ListRequests(r.Context(), id)
	if err != nil {
		return "", nil, err
	}
	p := &servicePage{Node: c.Name(), serviceRow: serviceRow{
		ID: j.ID, State: string(j.State), Submitter: j.Submitter, Program: j.Program, What: what(j), Opened: when(opened(j)), Loss: j.Loss,
		Answered: j.Step, Answering: j.Answering, Batch: j.Batch, Restarts: j.Restarts,
	}}
	var times, at []float64
	failed := 0
	for i := len(list) - 1; i >= 0; i-- { // the oldest first, for the plot
		q := list[i]
		if q.State == api.Failed {
			failed++
		}
		if q.State == api.Done && !q.Ended.IsZero() {
			times, at = append(times, q.Ended.Sub(q.Submitted).Seconds()), append(at, float64(len(at)))
		}
	}
	if p.Plot = curve(at, times); p.Plot != nil {
		p.Plot.Label = fmt.Sprintf("latency of the last %d requests in seconds, from %s to %s", len(times), p.Plot.Low, p.Plot.High)
	}
	if len(times) > 0 {
		sorted := slices.Sorted(slices.Values(times))
		p.Median, p.Slowest = seconds(sorted[len(sorted)/2]), seconds(sorted[len(sorted)-1])
	}
	p.Failed = fmt.Sprintf("%d of %d", failed, len(list))
	batches := 0.0 // a batch of n requests is counted 1/n times by each
	in := 0
	for _, q := range list {
		if q.Batch > 0 {
			batches, in = batches+1/float64(q.Batch), in+1
		}
	}
	if in > 0 {
		p.MeanBatch = fmt.Sprintf("%.3g", float64(in)/batches)
	}
	p.Lead, p.LeadNote = s.lead(r.Context(), c, j)
	for _, q := range list[:min(len(list), 100)] {
		row := requestRow{ID: q.ID, State: string(q.State), Submitted: when(q.Submitted), Error: q.Error, Batch: q.Batch, Waited: "–", Took: "–"}
		if !q.Started.IsZero() {
			row.Waited = seconds(q.Started.Sub(q.Submitted).Seconds())
		}
		if !q.Ended.IsZero() {
			row.Took = seconds(q.Ended.Sub(q.Submitted).Seconds())
		}
		p.Rows = append(p.Rows, row)
	}
	return strings.TrimSpace(fmt.Sprintf("Service %.8s at %s", id, c.Name())), p, nil
}

// lead describes how far the dealer is ahead of a service's requests, as the node counts what it has received.
func (s *Server) lead(ctx context.Context, c *api.Client, j api.Job) (text, note string) {
	if j.Phase != api.PhaseServing {
		return "", "the service is not open"
	}
	l, err := c.Lead(ctx, j.ID)
	var refused *api.Refused
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
		return "", c.Name() + " runs a release that does not say it"
	case err != nil:
		return "", oneLine(err)
	}
	text = plural(l.Arrived, "request")
	note = "whose correlations are ready"
	if rest := l.Requested - l.Arrived; rest > 0 {
		note += fmt.Sprintf("; those of %d more are on their way", rest)
	}
	if l.Corrections {
		note += fmt.Sprintf("; %s each", size(l.Bytes))
	} else {
		note += "; " + c.Name() + " derives its own from a seed and receives none"
	}
	return text, note
}
