package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

type serveCmd struct {
	jobFlags
	clusterFlag
	Batch   int    `default:"${batch}" placeholder:"N" help:"Maximum number of requests per batch; less if a node's memory or its limits: batch require it."`
	Restart string `placeholder:"always" help:"Open the service again whenever its session is lost, for as long as it is not cancelled and the policies allow it."`
	Network string `placeholder:"LINK" help:"The network between the nodes, on which choices depend: none, lan, wan, slow or BITS_PER_S/RTT."`
}

// Help returns the text that --help appends.
func (*serveCmd) Help() string {
	return `Opens a service of the job and prints its id. Inputs marked resident: true in the job file (a model's weights) are masked and sent once; each tacet request then provides the other inputs. The nodes' policies judge a service like a job, and count its opening and each request as runs. It ends with tacet cancel, or when a party is lost.

With state: {2: 1} in the job file, result 1 of each request is argument 2 of the next one: both stay as shares, and no party learns them. Requests are then evaluated one after the other. A session that is lost loses the state: the next one begins with the first values.

With programs: {prompt: prompt.mlir} in the job file, the service has further programs with the same resident inputs and the same state; tacet request --program prompt evaluates one.

With --restart always (restart: always in the job file) a lost party, a lost connection or a restart of a node ends only the session: requests that wait or run fail, and the nodes open the service again with a new session, after a second or two at first and at most a minute between tries. Each opening counts as a run, and the service ends when a policy no longer allows one. tacet jobs ID shows the last loss.

Requests that wait are answered at once, up to --batch: their rounds overlap, so that over slow lines several take hardly longer than one. Each has its own results, report and end. A request that comes alone waits for no others.

Examples:

    tacet serve job.yaml
    tacet serve job.yaml --batch 8
    tacet serve job.yaml --restart always
    tacet request 3f9a --input alice:image.npz --out results
    tacet cancel 3f9a`
}

// Run opens a service.
func (c *serveCmd) Run(a app) error {
	if c.Batch < 1 {
		return badUsage{fmt.Errorf("--batch: want 1 request or more, got %d", c.Batch)}
	}
	if c.Restart != "" {
		if err := job.CheckRestart(c.Restart); err != nil {
			return badUsage{fmt.Errorf("--restart: %w", err)}
		}
	}
	j, p, err := c.read(a.ctx, job.Override{Network: c.Network, Restart: c.Restart})
	if err != nil {
		return err
	}
	if len(j.State) == 0 && !slices.ContainsFunc(j.Inputs, func(in job.Input) bool { return in.Resident || in.Kept != "" }) {
		return badUsage{fmt.Errorf("%s: no input is resident: mark inputs that are the same for all requests with resident: true", j.File)}
	}
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	s, err := nodes.Serve(a.ctx, j, tacet.ServeOptions{Program: p, Batch: c.Batch})
	if err != nil {
		return usageAs(err)
	}
	m := a.meter()
	err = s.WaitOpen(a.ctx, func(jobs []api.Job) { m.show(progressOf(jobs)) })
	m.clear()
	if a.ctx.Err() != nil {
		return fmt.Errorf("interrupted: service %s continues (tacet jobs shows it, tacet cancel ends it)", s.ID)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, s.ID)
	return err
}

type requestCmd struct {
	clusterFlag
	ID      string   `arg:"" name:"ID" help:"The service's id, or the beginning of it."`
	Program string   `placeholder:"NAME" help:"The service's further program (programs in the job file) to evaluate; default: its first one."`
	Repeat  int      `default:"1" placeholder:"N" help:"Send N such requests, one after the other, and print the results of each as it is done."`
	Until   *int     `placeholder:"K" help:"With --repeat, stop after the first request whose result K is true, or not 0: the end of a sequence. The nodes see when requests stop."`
	Input   []string `placeholder:"OWNER:FILE" sep:"none" help:"A file of an owner, or a name in its catalogue, that replaces the owner's next non-resident input of the service; may be repeated."`
	Out     string   `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, … instead of printing their first values."`
	Report  string   `placeholder:"FILE.json" help:"Write the report to this file."`
}

// Help returns the text that --help appends.
func (*requestCmd) Help() string {
	return `Only the submitter of a service may send requests. A request names files, which each owner's node looks up in its own folders; it contains no data. Requests are answered in the order in which they arrive at the first party's node, waiting ones as a batch (tacet serve --batch). A request that is invalid at some party fails before anything of it is shared, and the service continues.

With --repeat requests follow one another, and the results of each are printed when it is done: the tokens of a text, for instance, of a service with state. A sequence ends early only if --until says which result shows its end. This result is one that the job reveals to you, and the nodes see that no further requests come: to keep a text's length secret, always send the same number.

A service with restart: always that has lost its session refuses requests until it is open again, and fails those that it had; the error says so. Send such a request again later: it is another request, which counts as a run. Nodes never evaluate a request twice.

Examples:

    tacet request 3f9a
    tacet request 3f9a --input alice:image.npz --out results
    tacet request 3f9a --program prompt --input alice:prompt.npy
    tacet request 3f9a --repeat 40 --until 1`
}

// Run sends the requests and waits for their end.
func (c *requestCmd) Run(a app) error {
	if err := checkFolders(c.Report); err != nil {
		return err
	}
	if c.Repeat < 1 {
		return badUsage{fmt.Errorf("--repeat: want 1 request or more, got %d", c.Repeat)}
	}
	if c.Until != nil && *c.Until < 0 {
		return badUsage{fmt.Errorf("--until: want the number of a result, from 0, got %d", *c.Until)}
	}
	inputs, err := c.inputs()
	if err != nil {
		return err
	}
	jobs, err := c.find(a, c.ID, nil)
	if err != nil {
		return err
	}
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	out := c.Out
	for i := range c.Repeat {
		id, results, report, err := nodes.RequestProgram(a.ctx, jobs[0], c.Program, inputs...)
		if err != nil {
			return usageAs(err)
		}
		if c.Repeat > 1 && out != "" {
			c.Out = filepath.Join(out, strconv.Itoa(i+1))
		}
		if report != nil {
			err = c.deliver(a, results, report)
		} else {
			_, err = fmt.Fprintf(a.stdout, "request %s is done; its results lie with those who learn them\n", id)
		}
		if err != nil || c.Until == nil {
			if err != nil {
				return err
			}
			continue
		}
		if end, err := ends(results, *c.Until); err != nil || end {
			return err
		}
	}
	return nil
}

// ends reports whether the result of the given number says that a sequence has ended: one of its elements is not 0.
func ends(results []*tensor.Array, number int) (bool, error) {
	if results == nil {
		return false, badUsage{errors.New("--until: the request's results lie with parties that do not let this certificate fetch them")}
	}
	if number >= len(results) {
		return false, badUsage{fmt.Errorf("--until: a request reveals %d results, and there is no result %d (counted from 0)", len(results), number)}
	}
	r := results[number]
	if !r.DType.IsFloat() && !r.DType.IsComplex() {
		return slices.ContainsFunc(r.Words(), func(w uint64) bool { return w != 0 }), nil
	}
	return false, badUsage{fmt.Errorf("--until: result %d is %v; the end of a sequence is a boolean or an integer", number, r.Type)}
}

// deliver writes and prints the results of a request.
func (c *requestCmd) deliver(a app, results []*tensor.Array, report *profile.Report) error {
	if c.Report != "" {
		if err := profile.Write(c.Report, report); err != nil {
			return err
		}
	}
	if c.Out != "" {
		if err := job.WriteResults(c.Out, results); err != nil {
			return err
		}
	}
	return printResults(a.stdout, c.Out, results)
}

// inputs returns the inputs that --input names.
func (c *requestCmd) inputs() ([]api.Input, error) {
	var out []api.Input
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	for _, s := range c.Input {
		owner, file, ok := strings.Cut(s, ":")
		if !ok || owner == "" || file == "" {
			return nil, badUsage{fmt.Errorf("--input: want OWNER:FILE, got %q", s)}
		}
		out = append(out, api.Input{Owner: owner, Name: file, Folder: here})
	}
	return out, nil
}
