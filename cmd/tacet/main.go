package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/joins"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/printable"
	"github.com/tacet-mpc/tacet/problem"
)

// commands is the command line.
type commands struct {
	Errors string `enum:"text,json" default:"text" placeholder:"FORM" help:"Print an error as ${enum}: one line, or one JSON object with kind, message, place, operation, argument, element, party and remedy (default ${default})."`
	Events bool   `help:"Print progress, notices and what --check finds as JSON objects, one a line, on standard error."`
	// Attached is for programs that run this one, such as the Python package.
	Attached string `hidden:"" placeholder:"DIR" help:"Begin when a line arrives on standard input; end when standard input ends, and remove the folder."`

	Run     runCmd     `cmd:"" help:"Run a job with every party and the dealer inside this process."`
	Plan    planCmd    `cmd:"" help:"Predict what a job will cost, without running it and without its data."`
	GLM     glmCmd     `cmd:"" name:"glm" help:"Fit a generalised linear model on two parties' tables inside this process."`
	PSI     psiCmd     `cmd:"" name:"psi" help:"Find the rows of two parties' tables with equal keys inside this process."`
	Stats   statsCmd   `cmd:"" help:"Describe columns of two parties' tables inside this process: counts, means, quantiles, correlations."`
	LR      lrCmd      `cmd:"" name:"lr" help:"Fit a logistic regression on two parties' tables inside this process."`
	Bin     binCmd     `cmd:"" help:"Weight of evidence, information value and stability of two parties' columns inside this process."`
	Group   groupCmd   `cmd:"" help:"Rows, sums and means of two parties' columns over groups of rows inside this process."`
	KMeans  kmeansCmd  `cmd:"" name:"kmeans" help:"Find clusters of the rows of two parties' tables inside this process."`
	PCA     pcaCmd     `cmd:"" name:"pca" help:"Find principal components of two parties' columns inside this process."`
	GBT     gbtCmd     `cmd:"" name:"gbt" help:"Train gradient-boosted trees on two parties' tables inside this process."`
	Predict predictCmd `cmd:"" help:"Predict by a revealed model for the rows of two parties' tables inside this process."`
	Eval    evalCmd    `cmd:"" help:"Evaluate predictions on two parties' tables inside this process, without revealing them."`
	Offline offlineCmd `cmd:"" help:"Generate a job's correlated randomness ahead of time and write it to the parties' stores."`
	Up      upCmd      `cmd:"" help:"Start a test cluster on this machine: nodes, a dealer and certificates in one folder."`
	Down    downCmd    `cmd:"" help:"Stop a test cluster on this machine."`
	Launch  launchCmd  `cmd:"" help:"Run nodes and a dealer on several machines over ssh."`
	Node    nodeCmd    `cmd:"" help:"Run the daemon of one party."`
	Dealer  dealerCmd  `cmd:"" help:"Run the daemon that deals correlated randomness to parties on other machines."`
	Submit  submitCmd  `cmd:"" help:"Run a job on the parties' nodes."`
	Jobs    jobsCmd    `cmd:"" help:"List jobs at nodes, or show the details of one."`
	Inputs  inputsCmd  `cmd:"" help:"Show the element types and shapes of a party's input at its node, where the policy allows it."`
	Review  reviewCmd  `cmd:"" help:"Fetch a job's exact program and public inputs from a node, before approving it."`
	Console consoleCmd `cmd:"" help:"Serve a local page over nodes: approvals, jobs, audit log, services, health, and a plan explorer."`
	Approve approveCmd `cmd:"" help:"Approve a job at a node whose policy requires it."`
	Deny    denyCmd    `cmd:"" help:"Deny a job at a node that waits for an approval, with a reason."`
	Cancel  cancelCmd  `cmd:"" help:"Cancel a job at all nodes."`
	Fetch   fetchCmd   `cmd:"" help:"Fetch a job's results from a party that has learned them."`
	Serve   serveCmd   `cmd:"" help:"Open a service at the parties' nodes: a job that stays and answers requests."`
	Request requestCmd `cmd:"" help:"Send a request with inputs of its own to a service."`
	Kept    keptCmd    `cmd:"" help:"Export and import this party's shares of kept results, encrypted: export, import, key."`
	Store   storeCmd   `cmd:"" help:"Manage the parties' stores: list, verify, prune."`
	Audit   auditCmd   `cmd:"" help:"Show a node's audit log and verify that it was not changed."`
	Import  importCmd  `cmd:"" help:"Import an ONNX model: write its program, its weights and a job file."`
	Export  exportCmd  `cmd:"" help:"Write a revealed model of glm, lr or gbt as an ONNX model."`
	Inspect inspectCmd `cmd:"" help:"List a program's arguments, results, operations, shapes and visibilities."`
	Grad    gradCmd    `cmd:"" help:"Write the program that computes a program's derivatives, by reverse or forward mode."`
	Report  reportCmd  `cmd:"" help:"Show a report, or compare two operation by operation."`
	Bench   benchCmd   `cmd:"" help:"Measure operations (time, bytes and rounds per element, error), or this machine's speed for tacet plan."`
	Study   studyCmd   `cmd:"" help:"Answer a question about costs with measurements, tables and plots: exp, conv, relu, interpolate."`
	Cert    certCmd    `cmd:"" help:"Issue and show the certificates that identify parties, dealers and submitters: init, issue, show, request, sign."`
	Version versionCmd `cmd:"" help:"Print version, Go version and CPU features in use."`
}

// app holds a command's context and its outputs.
type app struct {
	ctx            context.Context
	stdout, stderr io.Writer
	events         *eventWriter // nil without --events
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	tuneCollector()
	os.Exit(run(ctx, os.Args[1:]))
}

// run runs a command, prints its error and returns the exit code.
func run(ctx context.Context, args []string) int {
	var attached *attachment
	err := execute(app{ctx: ctx, stdout: os.Stdout, stderr: os.Stderr}, args, &attached)
	if err != nil {
		printError(os.Stderr, err, args)
	}
	if attached != nil {
		os.Stdout.Close() // the other process reads to the ends of both
		os.Stderr.Close()
		if failure := attached.finish(); failure != nil && err == nil {
			return 1
		}
	}
	return exitCode(err)
}

// helpVars are the variables that tags of commands and flags name.
func helpVars() kong.Vars {
	return kong.Vars{
		"protocols": orList(protocol.Names()), "psi_protocols": psiProtocols(), "batch": strconv.Itoa(tacet.DefaultBatch),
		"joins": strings.Join(joins.Names(), ","), "solvers": strings.Join(job.Solvers(), ","),
	}
}

// execute parses the command line and runs its command. It sets attached if the command has --attached.
func execute(a app, args []string, attached **attachment) error {
	var c commands
	parser, err := kong.New(&c,
		kong.Name("tacet"),
		kong.Description("Runs machine-learning programs on data that stays secret-shared among the parties that own it."),
		helpVars(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoExpandSubcommands: true}),
		kong.Writers(a.stdout, a.stderr))
	if err != nil {
		panic(err) // an error in the struct tags above
	}
	command, err := parser.Parse(args)
	if err != nil {
		return badUsage{fmt.Errorf("%w (see tacet --help)", err)}
	}
	if c.Events {
		a.events = &eventWriter{w: a.stderr}
	}
	if c.Attached != "" {
		if *attached, a.ctx, err = attach(a.ctx, c.Attached, os.Stdin, os.Exit); err != nil {
			return err
		}
	}
	return command.Run(a)
}

// orList is a list of at least one alternative, for messages.
func orList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// badUsage is an error that the caller must correct: wrong flags or bad files.
type badUsage struct{ error }

func (e badUsage) Unwrap() error { return e.error }

// Describe fills in a problem: an error within may know its kind better.
func (e badUsage) Describe(p *tacet.Problem) {
	if inner := tacet.Describe(e.error); inner.Kind != problem.Failed {
		p.SetKind(inner.Kind)
	}
	p.SetKind(tacet.ErrUsage)
	if flag := flagOf.FindString(e.Error()); flag != "" {
		problem.Set(&p.Place, flag)
	}
}

// flagOf finds the flag that a message begins with.
var flagOf = regexp.MustCompile(`^--[a-z]+`)

// outOfTolerance is a finished job whose results are not the expected ones.
type outOfTolerance struct{ error }

func (e outOfTolerance) Unwrap() error { return e.error }

// printError prints an error in the form that --errors asks for. The arguments are
// looked at themselves, since the error may be that they cannot be parsed.
func printError(w io.Writer, err error, args []string) {
	for i, arg := range args {
		if arg == "--errors=json" || arg == "--errors" && i+1 < len(args) && args[i+1] == "json" {
			text, _ := json.Marshal(tacet.Describe(err))
			fmt.Fprintf(w, "%s\n", text)
			return
		}
	}
	fmt.Fprintf(w, "tacet: error: %s\n", oneLine(err))
}

// exitCode is what the process exits with after err.
func exitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(outOfTolerance)):
		return 3
	case errors.As(err, new(badUsage)):
		return 2
	}
	return 1
}

// oneLine returns an error's message on one line. Names in files may hold what a terminal obeys: it is escaped.
func oneLine(err error) string {
	return printable.Text(strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; "), 0)
}
