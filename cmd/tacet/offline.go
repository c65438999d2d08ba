package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

type offlineCmd struct {
	jobFlags
	Network  string `placeholder:"LINK" help:"The network that the runs will declare; choices between protocols' variants depend on it: none, lan, wan, slow or BITS_PER_S/RTT. Most jobs make the same choices on all of them."`
	Sessions int    `default:"1" placeholder:"N" help:"Number of sessions (runs) to generate, in addition to the existing ones (default ${default})."`
	Store    string `placeholder:"DIR" help:"Folder of the stores: DIR/PARTY for each party. Created if it does not exist."`
	Cluster  string `placeholder:"FILE" help:"Let the nodes of a cluster and their dealer generate the sessions, in the nodes' own stores."`
	JSON     bool   `name:"json" help:"Print the generated sessions as JSON."`
}

// Help returns the text that --help appends.
func (*offlineCmd) Help() string {
	return `The dealer generates the correlated randomness that runs of the job will need, before there are inputs: only the program and shapes are read. Each session serves one run, of the same program and settings. Sessions are written in pieces and may be larger than memory; an interrupt leaves complete sessions only.

The content of DIR/PARTY is that party's secret: see docs/offline.md.

Examples:

    tacet offline job.yaml --store store
    tacet offline job.yaml --store store --sessions 100
    tacet offline job.yaml --store store --parties 3 --set optimize=total
    tacet offline job.yaml --cluster cluster/cluster.yaml --sessions 10
    tacet run job.yaml --store store
    tacet store list store`
}

// Run generates sessions.
func (c *offlineCmd) Run(a app) error {
	if c.Sessions < 1 {
		return badUsage{fmt.Errorf("--sessions: want 1 or more, got %d", c.Sessions)}
	}
	if (c.Store == "") == (c.Cluster == "") {
		return badUsage{errors.New("want either --store, the folder of the stores, or --cluster, the cluster whose nodes generate the sessions")}
	}
	j, p, err := c.read(a.ctx, job.Override{Network: c.Network})
	if err != nil {
		return err
	}
	if c.Cluster != "" {
		return c.atNodes(a, j, p)
	}
	spec, err := j.PlanSpec(p)
	if err != nil {
		return badUsage{err}
	}
	m := a.meter()
	spec.Store, spec.Notice, spec.Progress = c.Store, notices(a, m), m.show
	start := time.Now()
	made, err := tacet.Offline(a.ctx, spec, c.Sessions)
	m.clear()
	if a.ctx.Err() != nil {
		return fmt.Errorf("interrupted: %d of %d sessions were generated", len(made.Sessions), c.Sessions)
	}
	if err != nil {
		return failed(a.ctx, err)
	}
	if c.JSON {
		return encode(a.stdout, struct {
			Sessions []string `json:"sessions"`
			Bytes    int64    `json:"bytes_each"`
			Ready    int      `json:"ready"`
			Seconds  float64  `json:"seconds"`
		}{made.Sessions, made.Bytes, made.Ready, time.Since(start).Seconds()})
	}
	_, err = fmt.Fprintf(a.stdout, "generated %s of %d bytes in %s; %s for this job now\n", count(len(made.Sessions), "session"), made.Bytes, c.Store, areReady(made.Ready))
	return err
}

// atNodes lets nodes generate sessions, one after the other.
func (c *offlineCmd) atNodes(a app, j *job.Job, p *hlo.Program) error {
	nodes, err := clusterFlag{c.Cluster}.connect()
	if err != nil {
		return err
	}
	m := a.meter()
	jobs := []api.Job{}
	for range c.Sessions {
		s, err := nodes.Submit(a.ctx, j, tacet.SubmitOptions{Program: p, Offline: true})
		if err != nil {
			m.clear()
			return usageAs(fmt.Errorf("%w (%d of %d sessions were made)", err, len(jobs), c.Sessions))
		}
		done, err := s.Wait(a.ctx, func(jobs []api.Job) { m.show(progressOf(jobs)) })
		if err != nil {
			m.clear()
			return fmt.Errorf("%w (%d of %d sessions were generated)", err, len(jobs), c.Sessions)
		}
		jobs = append(jobs, done[0])
	}
	m.clear()
	if c.JSON {
		return encode(a.stdout, jobs)
	}
	_, err = fmt.Fprintf(a.stdout, "made %s in the stores of the nodes of %s\n", count(len(jobs), "session"), strings.Join(j.Parties, ", "))
	return err
}

func areReady(n int) string {
	if n == 1 {
		return "1 is ready"
	}
	return fmt.Sprintf("%d are ready", n)
}

// count returns a number with its noun: "1 session", "2 sessions".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// notices returns a function that prints each distinct text once, above the progress line.
func notices(a app, m *meter) func(string) {
	var mu sync.Mutex
	told := map[string]bool{}
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if !told[text] {
			told[text] = true
			m.clear()
			a.say(text)
		}
	}
}

// howToMake adds to the error of a run that found nothing in its store how to
// make it.
func (c *runCmd) howToMake(err error) error {
	if !errors.As(err, new(*store.MissingError)) && !errors.Is(err, party.ErrNoCommonSession) {
		return err
	}
	network := ""
	if c.Network != "" {
		network = " --network " + c.Network
	}
	return fmt.Errorf("%w (generate one: tacet offline %s%s --store %s)", err, c.args(), network, c.Store)
}
