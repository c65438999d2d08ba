package budget

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// Machine returns the memory that this process may use, in bytes: the smallest of GOMEMLIMIT, the limits of its cgroups
// and the machine's memory. It returns 0 where none of these is known. The last two are read on Linux only.
func Machine() int64 {
	least := debug.SetMemoryLimit(-1) // which only reads it
	for _, n := range append(cgroupLimits("/proc/self/cgroup", "/sys/fs/cgroup"), memTotal("/proc/meminfo")) {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// memTotal reads the machine's memory from a file like /proc/meminfo; 0 if it cannot.
func memTotal(file string) int64 {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			n, _ := strconv.ParseInt(f[1], 10, 54)
			return n << 10
		}
	}
	return 0
}

// cgroupLimits reads the limits of a process's cgroup, which the file list names, and of the cgroups around it.
// root is where the file system of cgroups is.
func cgroupLimits(list, root string) (limits []int64) {
	text, _ := os.ReadFile(list)
	for line := range strings.Lines(string(text)) {
		number, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		folder, file := root, "memory.max"
		switch {
		case number == "0" && controllers == "":
		case strings.Contains(","+controllers+",", ",memory,"): // version 1
			folder, file = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		default:
			continue
		}
		for at := filepath.Clean("/" + path); ; at = filepath.Dir(at) {
			value, _ := os.ReadFile(filepath.Join(folder, at, file))
			if n, err := strconv.ParseInt(strings.TrimSpace(string(value)), 10, 64); err == nil && n < 1<<60 { // else "max", or none
				limits = append(limits, n)
			}
			if at == "/" {
				break
			}
		}
	}
	return limits
}
