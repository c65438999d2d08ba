package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

type offlineCmd struct {
	jobFlags
	Network  string `placeholder:"LINK" help:"The network that runs will declare, for which choices are made: none, lan, wan, slow or BITS_PER_S/RTT. Most jobs make the same choices on all of them."`
	Sessions int    `default:"1" placeholder:"N" help:"How many runs to make it for (default ${default}), beside what is there."`
	Store    string `placeholder:"DIR" help:"Where to put it: DIR/PARTY for each party. Made where it is not there."`
	Cluster  string `placeholder:"FILE" help:"Have the nodes of a cluster make it, with their dealer, and put it into their own stores."`
	JSON     bool   `name:"json" help:"Print what was made as JSON."`
}

// Help is what --help adds.
func (*offlineCmd) Help() string {
	return `The dealer makes what runs of the job will need and can have before there are inputs: nothing but the program and shapes is read. Each session is used by one run, of the same program and settings. It is made in pieces, so that it may be larger than memory; interrupted, it leaves whole sessions only.

What lies in DIR/PARTY is that party's secret: see docs/offline.md.

Examples:

    tacet offline job.yaml --store store
    tacet offline job.yaml --store store --sessions 100
    tacet offline job.yaml --store store --parties 3 --set optimize=total
    tacet offline job.yaml --cluster cluster/cluster.yaml --sessions 10
    tacet run job.yaml --store store
    tacet store list store`
}

// Run makes sessions.
func (c *offlineCmd) Run(a app) error {
	if c.Sessions < 1 {
		return badUsage{fmt.Errorf("--sessions: want 1 or more, got %d", c.Sessions)}
	}
	if (c.Store == "") == (c.Cluster == "") {
		return badUsage{errors.New("--store says where to put what is made, or --cluster whose nodes make it: want one of them")}
	}
	j, p, err := c.read(job.Override{Network: c.Network})
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
	m := newMeter(a.stderr)
	spec.Store, spec.Notice, spec.Progress = c.Store, notices(a, m), m.show
	start := time.Now()
	made, err := party.Offline(a.ctx, spec, c.Sessions)
	m.clear()
	if a.ctx.Err() != nil {
		return fmt.Errorf("interrupted: %d of %d sessions were made", len(made.Sessions), c.Sessions)
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
	_, err = fmt.Fprintf(a.stdout, "made %s of %d bytes in %s; for this job %s now\n", count(len(made.Sessions), "session"), made.Bytes, c.Store, areReady(made.Ready))
	return err
}

// atNodes has nodes make sessions, one after the other.
func (c *offlineCmd) atNodes(a app, j *job.Job, p *hlo.Program) error {
	m := newMeter(a.stderr)
	jobs := []api.Job{}
	for range c.Sessions {
		s, err := cluster.NewSubmission(j, p)
		if err != nil {
			return badUsage{err}
		}
		s.Offline = true
		clients, err := clusterFlag{c.Cluster}.clients(s.Parties...)
		if err != nil {
			return err
		}
		if _, err := cluster.Submit(a.ctx, clients, s); err != nil {
			return fmt.Errorf("%w (%d of %d sessions were made)", refusedAs(err), len(jobs), c.Sessions)
		}
		done, err := cluster.Follow(a.ctx, clients, s.Parties, s.ID, patience, func(jobs []api.Job) { m.show(progressOf(jobs)) })
		if err != nil {
			m.clear()
			return fmt.Errorf("%w (%d of %d sessions were made)", err, len(jobs), c.Sessions)
		}
		jobs = append(jobs, done[0])
	}
	m.clear()
	if c.JSON {
		return encode(a.stdout, jobs)
	}
	_, err := fmt.Fprintf(a.stdout, "made %s in the stores of the nodes of %s\n", count(len(jobs), "session"), strings.Join(j.Parties, ", "))
	return err
}

func areReady(n int) string {
	if n == 1 {
		return "1 is ready"
	}
	return fmt.Sprintf("%d are ready", n)
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// notices prints each notice once, above what the meter shows.
func notices(a app, m *meter) func(string) {
	var mu sync.Mutex
	told := map[string]bool{}
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if !told[text] {
			told[text] = true
			m.clear()
			fmt.Fprintf(a.stderr, "tacet: %s\n", text)
		}
	}
}

// howToMake adds to the error of a run that found nothing in its store how to
// make it.
func (c *runCmd) howToMake(err error) error {
	if !errors.As(err, new(*store.MissingError)) && !errors.Is(err, party.ErrNoCommon) {
		return err
	}
	network := ""
	if c.Network != "" {
		network = " --network " + c.Network
	}
	return fmt.Errorf("%w (make some: tacet offline %s%s --store %s)", err, c.args(), network, c.Store)
}
