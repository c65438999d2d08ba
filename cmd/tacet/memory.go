package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// memoryFlag is the flag that run and plan share for the memory that they may take.
type memoryFlag struct {
	Memory string `placeholder:"SIZE" help:"Refuse a program whose plan, public values or inputs take more memory than SIZE, such as 8GiB, before they take it; none for no limit. Default: 7/8 of this machine's memory, or of the process's limit (GOMEMLIMIT, cgroup)."`
}

// bounded returns a context in which a program may be planned and run within the memory that the flag allows.
func (f *memoryFlag) bounded(ctx context.Context) (context.Context, context.CancelFunc, error) {
	l := budget.Limits{Settings: budget.Settings{Memory: "--memory"}}
	switch f.Memory {
	case "none":
	case "":
		all := budget.Machine()
		l.Memory = all / 8 * 7
		if all > 0 && all < debug.SetMemoryLimit(-1) {
			debug.SetMemoryLimit(all / 16 * 15) // the collector works harder where the heap would outgrow the machine
		}
	default:
		var ok bool
		if l.Memory, ok = yamlfile.ParseSize(f.Memory); !ok || l.Memory <= 0 {
			return nil, nil, badUsage{fmt.Errorf("--memory: want a size such as 512MiB or 8GiB, or none, got %q", f.Memory)}
		}
	}
	ctx, _, cancel := budget.New(ctx, l)
	return ctx, cancel, nil
}
