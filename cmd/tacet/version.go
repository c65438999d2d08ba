package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/tacet-mpc/tacet/ring"
)

type versionCmd struct{}

// Help returns the text that --help appends.
func (*versionCmd) Help() string { return "Example:\n\n    tacet version" }

// Run prints the version.
func (*versionCmd) Run(a app) error {
	_, err := fmt.Fprintf(a.stdout, "tacet %s\n%s %s/%s\nkernels: %s\ncpu: %s\n",
		version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, ring.Kernels(), features())
	return err
}

// version returns the module's version, or "devel" with the commit if it is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value
		}
	}
	return "devel"
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
