package main

import (
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/version"
)

type versionCmd struct {
	JSON bool `name:"json" help:"Print the version as JSON."`
}

// Help returns the text that --help appends.
func (*versionCmd) Help() string {
	return `Nodes and dealers show the same version when they start, at /health and in their metrics. Sides whose protocol numbers are equal may talk to each other.

Examples:

    tacet version
    tacet version --json`
}

// versionReport is the output of tacet version --json.
type versionReport struct {
	version.Info
	System  string `json:"system"` // operating system and architecture: "linux/amd64"
	Kernels string `json:"kernels"`
	CPU     string `json:"cpu"`
}

// Run prints the version.
func (c *versionCmd) Run(a app) error {
	r := versionReport{version.Get(), runtime.GOOS + "/" + runtime.GOARCH, ring.Kernels(), features()}
	if c.JSON {
		return encode(a.stdout, r)
	}
	_, err := fmt.Fprintf(a.stdout, "tacet %s\n%s %s\nkernels: %s\ncpu: %s\n", r.Info, r.Go, r.System, r.Kernels, r.CPU)
	return err
}

// features lists the CPU features of this machine that the choice of kernels depends on.
func features() string {
	var have []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"aes", cpu.X86.HasAES || cpu.ARM64.HasAES},
		{"avx2", cpu.X86.HasAVX2},
		{"avx512f", cpu.X86.HasAVX512F},
		{"avx512dq", cpu.X86.HasAVX512DQ},
		{"avx512ifma", cpu.X86.HasAVX512IFMA},
		{"asimd", cpu.ARM64.HasASIMD},
	} {
		if f.has {
			have = append(have, f.name)
		}
	}
	if len(have) == 0 {
		return "none in use"
	}
	return strings.Join(have, " ")
}
