package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line.
type commands struct {
	Run     runCmd     `cmd:"" help:"Run a job with every party and the dealer inside this process."`
	Plan    planCmd    `cmd:"" help:"Say what a job will cost, without running it and without its data."`
	Offline offlineCmd `cmd:"" help:"Make a job's correlated randomness ahead of time and put it into the parties' stores."`
	Up      upCmd      `cmd:"" help:"Start a test cluster on this machine: nodes, a dealer, certificates, all in one folder."`
	Down    downCmd    `cmd:"" help:"Stop a test cluster on this machine."`
	Launch  launchCmd  `cmd:"" help:"Run nodes and a dealer on several machines, by ssh."`
	Node    nodeCmd    `cmd:"" help:"Run the daemon of one party."`
	Dealer  dealerCmd  `cmd:"" help:"Run the daemon that deals correlated randomness to parties elsewhere."`
	Submit  submitCmd  `cmd:"" help:"Run a job on the parties' nodes."`
	Jobs    jobsCmd    `cmd:"" help:"List jobs at nodes, or say all of one."`
	Approve approveCmd `cmd:"" help:"Let a job run at a node that asks its owner first."`
	Cancel  cancelCmd  `cmd:"" help:"End a job at all nodes."`
	Fetch   fetchCmd   `cmd:"" help:"Get a job's results from a party that has learned them."`
	Serve   serveCmd   `cmd:"" help:"Open a service at the parties' nodes: a job that stays and answers requests."`
	Request requestCmd `cmd:"" help:"Ask a service for a turn with inputs of its own."`
	Store   storeCmd   `cmd:"" help:"Look after the parties' stores: list, verify, prune."`
	Audit   auditCmd   `cmd:"" help:"Show a node's audit log and check that nothing in it was changed."`
	Inspect inspectCmd `cmd:"" help:"List a program's arguments, results, operations, shapes and visibilities."`
	Report  reportCmd  `cmd:"" help:"Show a report, or compare two operation by operation."`
	Bench   benchCmd   `cmd:"" help:"Measure operations: time, bytes and rounds an element, error; or this machine, for the times that plan says."`
	Study   studyCmd   `cmd:"" help:"Answer a question about costs with measurements, tables and plots: exp, conv, relu."`
	Cert    certCmd    `cmd:"" help:"Make and show certificates, by which machines and people know each other: init, issue, show."`
	Version versionCmd `cmd:"" help:"Print version, Go version and CPU features in use."`
}

// app is what a command needs of the world outside.
type app struct {
	ctx            context.Context
	stdout, stderr io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	tuneCollector()
	err := execute(app{ctx, os.Stdout, os.Stderr}, os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "tacet: error: %s\n", oneLine(err))
	}
	os.Exit(exitCode(err))
}

// execute parses the command line and runs its command.
func execute(a app, args []string) error {
	parser, err := kong.New(&commands{},
		kong.Name("tacet"),
		kong.Description("Runs machine-learning programs on data that stays secret-shared among the parties that own it."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoExpandSubcommands: true}),
		kong.Writers(a.stdout, a.stderr))
	if err != nil {
		panic(err) // a mistake in the struct tags above
	}
	command, err := parser.Parse(args)
	if err != nil {
		return badUsage{fmt.Errorf("%w (see tacet --help)", err)}
	}
	return command.Run(a)
}

// badUsage is an error of the one who called: wrong flags or bad files.
type badUsage struct{ error }

func (e badUsage) Unwrap() error { return e.error }

// outOfTolerance is a finished job whose results are not the expected ones.
type outOfTolerance struct{ error }

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

// oneLine is an error's message on one line.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
