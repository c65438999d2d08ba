package main

import (
	"context"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/study/conv"
	"github.com/tacet-mpc/tacet/study/exp"
	"github.com/tacet-mpc/tacet/study/interpolate"
	"github.com/tacet-mpc/tacet/study/relu"
	"github.com/tacet-mpc/tacet/timing"
)

// studyCmd runs the studies: questions about costs, answered by measurements.
type studyCmd struct {
	Exp  studyExpCmd  `cmd:"" help:"Exponentials: bytes, rounds, memory, valid range, error and time of every exp.mode."`
	Conv studyConvCmd `cmd:"" help:"Convolutions: standard ones against Winograd's, over the layers of a ResNet18."`
	Relu studyReluCmd `cmd:"" help:"ReLUs: a ResNet18 with all, some and none of them, selected in four ways."`

	Interpolate studyInterpolateCmd `cmd:"" help:"Interpolation: models of air pollution trained on the readings of several owners."`
}

// studyFlags are the flags that all studies take.
type studyFlags struct {
	Out   string `default:"studies" placeholder:"DIR" help:"Folder for the page, tables and plots, created if it does not exist (default ${default})."`
	Quick bool   `help:"Smaller measurements, in seconds instead of minutes."`
}

type studyExpCmd struct{ studyFlags }

// Help returns the text that --help appends.
func (*studyExpCmd) Help() string {
	return `Plans and runs exponentials of secrets, alone and within generalised linear models, and compares with published figures of SPU. Takes about five minutes, most of them on simulated networks; --quick takes seconds. Writes exp.md, and exp-*.csv, .svg and .png that it shows.

Examples:

    tacet study exp
    tacet study exp --out /tmp/studies --quick`
}

// Run runs the study.
func (c *studyExpCmd) Run(a app) error { return c.make(a, "exp", exp.Run) }

type studyConvCmd struct{ studyFlags }

// Help returns the text that --help appends.
func (*studyConvCmd) Help() string {
	return `Plans and runs the convolutions of a ResNet18 for images of 32×32 and 224×224: standard, and Winograd's F(2×2,3×3) and F(4×4,3×3) with elementwise products and with products of matrices; and compares with published figures of SPU. Writes conv.md, and conv-*.csv, .svg and .png that it shows.

Examples:

    tacet study conv
    tacet study conv --out /tmp/studies --quick`
}

// Run runs the study.
func (c *studyConvCmd) Run(a app) error { return c.make(a, "conv", conv.Run) }

type studyReluCmd struct{ studyFlags }

// Help returns the text that --help appends.
func (*studyReluCmd) Help() string {
	return `Plans and runs a ResNet18 for images of 32×32 with 100, 50, 20, 10, 5 and 0 % of its blocks' ReLUs, and compares with published figures of SPU and CrypTen. Writes relu.md, and relu-*.csv, .svg and .png that it shows.

Examples:

    tacet study relu
    tacet study relu --out /tmp/studies --quick`
}

// Run runs the study.
func (c *studyReluCmd) Run(a app) error { return c.make(a, "relu", relu.Run) }

type studyInterpolateCmd struct {
	studyFlags
	Data string `placeholder:"FILE" help:"CSV file with readings, instead of generated ones: columns site, lat, lon, time, value; owner, if there is one; all others are features."`
}

// Help returns the text that --help appends.
func (*studyInterpolateCmd) Help() string {
	return `Trains models that interpolate air pollution to places without a sensor on the readings of several owners, privately and in the clear with the same program, and compares with published figures of CrypTen. Readings come from a generator that is part of the study, or from --data. Writes interpolate.md, and interpolate-*.csv, .svg and .png that it shows. The folder interpolate-state within DIR has what is finished: a study that was ended continues there.

Readings of --data are averaged over each hour. All sites need readings in the same hours. The sites of an owner belong to one party; without the column owner each site has an owner of its own.

Examples:

    tacet study interpolate
    tacet study interpolate --out /tmp/studies --quick
    tacet study interpolate --data readings.csv`
}

// Run runs the study.
func (c *studyInterpolateCmd) Run(a app) error {
	var data *interpolate.Readings
	if c.Data != "" {
		var err error
		if data, err = interpolate.Read(c.Data); err != nil {
			return badUsage{fmt.Errorf("--data: %w", err)}
		}
	}
	return c.make(a, "interpolate", func(ctx context.Context, l *study.Lab) ([]study.Bound, error) { return interpolate.Run(ctx, l, data) })
}

// make runs a study, prints the bounds that it set itself, and says where its
// page is.
func (c *studyFlags) make(a app, name string, run func(context.Context, *study.Lab) ([]study.Bound, error)) error {
	machine, err := timing.Load()
	if err != nil {
		return badUsage{err}
	}
	m := a.meter()
	defer m.clear()
	if machine.Name == timing.Default.Name && !c.Quick {
		m.show(party.Progress{Phase: "measuring this machine"})
		if machine, err = party.Calibrate(a.ctx); err != nil {
			return failed(a.ctx, err)
		}
	}
	l := &study.Lab{Dir: c.Out, Quick: c.Quick, Machine: machine, Progress: func(what string, done, all int) {
		m.show(party.Progress{Phase: what + ":", Done: done, All: all, Unit: "steps"})
	}}
	if err := l.Open(); err != nil {
		return badUsage{fmt.Errorf("--out: %w", err)}
	}
	bars, err := run(a.ctx, l)
	if err != nil {
		return failed(a.ctx, err)
	}
	m.clear()
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "at most\tmeasured\tholds\t  bound")
	for _, b := range bars {
		kept := "yes"
		if !b.Met() {
			kept = "no"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", study.Cell(b.Limit), study.Cell(b.Value), kept, b.Name)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "page: %s\n", filepath.Join(c.Out, name+".md"))
	return err
}
