package budget

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestMachine(t *testing.T) {
	if n := Machine(); runtime.GOOS == "linux" && n < 1<<20 {
		t.Errorf("the machine has %d bytes of memory", n)
	}
	old := debug.SetMemoryLimit(100 << 20)
	defer debug.SetMemoryLimit(old)
	if n := Machine(); n > 100<<20 || n <= 0 {
		t.Errorf("GOMEMLIMIT is 100 MiB, and the machine's memory %d bytes", n)
	}
}

func TestCgroupLimits(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("fs/memory.max", "max\n")
	write("fs/user/memory.max", "3000\n")
	write("fs/user/one/memory.max", "5000\n")
	write("fs/memory/docker/memory.limit_in_bytes", "7000\n")
	write("fs/memory/memory.limit_in_bytes", "9223372036854771712\n")
	for _, c := range []struct{ list, want string }{
		{"0::/user/one\n", "[5000 3000]"},
		{"0::/\n", "[]"},
		{"4:cpu,memory:/docker\n3:pids:/docker\n", "[7000]"},
		{"0::/../..\n", "[]"},
		{"broken", "[]"},
	} {
		if got := fmt.Sprint(cgroupLimits(write("list", c.list), filepath.Join(dir, "fs"))); got != c.want {
			t.Errorf("%q: %s, not %s", c.list, got, c.want)
		}
	}
	if n := memTotal(write("meminfo", "MemFree: 1 kB\nMemTotal:       8000 kB\n")); n != 8000<<10 {
		t.Errorf("the machine has %d bytes", n)
	}
	if n := memTotal(filepath.Join(dir, "none")); n != 0 {
		t.Errorf("without a file the machine has %d bytes", n)
	}
}
