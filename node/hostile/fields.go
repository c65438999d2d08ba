package hostile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/node/api"
)

// fields are submissions whose fields are out of range.
func fields() []Case {
	var out []Case
	add := func(name string, change func(*api.Submission)) { out = append(out, Case{Name: name, change: change}) }
	for _, n := range []int{math.MinInt, -1, 0, 1, 7, 65, 1 << 20, math.MaxInt} {
		add(fmt.Sprintf("ring %d", n), func(s *api.Submission) { s.Ring = n })
		add(fmt.Sprintf("fraction %d", n), func(s *api.Submission) { s.Fraction = n + 100 })
		add(fmt.Sprintf("computing %d", n), func(s *api.Submission) { s.Computing = n + 10 })
		add(fmt.Sprintf("reveal %d", n), func(s *api.Submission) { s.Reveal = []int{n + 10} })
		add(fmt.Sprintf("argument %d", n), func(s *api.Submission) {
			s.Inputs = slices.Clone(s.Inputs)
			s.Inputs[0].Args = []int{n + 100}
		})
		add(fmt.Sprintf("public argument %d", n), func(s *api.Submission) {
			s.Public = append(slices.Clone(s.Public), api.Public{Arg: n, Array: npy("(4,)")})
		})
		add(fmt.Sprintf("checkpoint %d", n), func(s *api.Submission) { s.Checkpoint = -1 - max(n, 0)/2; s.Serve = true })
		add(fmt.Sprintf("batch %d", n), func(s *api.Submission) { s.Serve, s.Batch = true, -1-max(n, 0)/2 })
		add(fmt.Sprintf("reveals %d", n), func(s *api.Submission) { s.Reveals = n; s.Ring = 63 })
	}
	for name, text := range map[string]string{
		"escapes": "\x1b]0;approved\x07\x1b[2J", "lines": "a\nstate done\n", "long": strings.Repeat("x", 1<<16), "path": "../../../../etc/passwd",
		"device": "/dev/zero", "percent": "%s%n%x", "NUL": "a\x00b", "right to left": "\u202etxt.exe", "no UTF-8": "\xff\xfe",
	} {
		add("id: "+name, func(s *api.Submission) { s.ID = text })
		add("protocol: "+name, func(s *api.Submission) { s.Protocol = text })
		add("network: "+name, func(s *api.Submission) { s.Network = text })
		add("input: "+name, func(s *api.Submission) {
			s.Inputs = slices.Clone(s.Inputs)
			s.Inputs[0].Name = text
		})
		add("kept: "+name, func(s *api.Submission) {
			s.Inputs = slices.Clone(s.Inputs)
			s.Inputs[0] = api.Input{Kept: text, Args: []int{0}}
		})
		add("keep: "+name, func(s *api.Submission) { s.Keep = "../" + text })
		add("restart: "+name, func(s *api.Submission) { s.Serve, s.Restart = true, text })
		add("resume: "+name, func(s *api.Submission) { s.Resume = text })
		add("setting: "+name, func(s *api.Submission) { s.Set = map[string]string{text: text} })
		add("party: "+name, func(s *api.Submission) { s.Parties = append(slices.Clone(s.Parties), text) })
	}
	for name, shape := range map[string]string{"huge": "(1099511627776,)", "overflow": "(4294967296, 4294967296)", "negative": "(-1,)", "deep": "(" + strings.Repeat("1,", 1000) + ")"} {
		add("public array: "+name, func(s *api.Submission) {
			s.Public = []api.Public{{Arg: 0, Array: npy(shape)}}
			s.Inputs = slices.Clone(s.Inputs)[1:]
		})
	}
	for _, n := range []int{300, 100_000} {
		add(fmt.Sprintf("%d parties", n), func(s *api.Submission) { s.Parties = append(slices.Clone(s.Parties), numbered(n)...) })
		add(fmt.Sprintf("%d inputs", n), func(s *api.Submission) { s.Inputs = slices.Repeat(s.Inputs, n) })
		add(fmt.Sprintf("%d settings", n), func(s *api.Submission) {
			s.Set = map[string]string{}
			for _, name := range numbered(n) {
				s.Set[name] = name
			}
		})
	}
	add("a party twice", func(s *api.Submission) { s.Parties = append(slices.Clone(s.Parties), s.Parties[0]) })
	add("no parties", func(s *api.Submission) { s.Parties = nil })
	add("a program's name of 8 MiB", func(s *api.Submission) { s.Program.Name = strings.Repeat("n", 8<<20) })
	add("ranges without end", func(s *api.Submission) {
		s.Inputs = slices.Clone(s.Inputs)
		s.Inputs[0].Ranges = map[int][2]float64{0: {1, -1}, -5: {0, 0}}
	})
	sortByName(out)
	return out
}

// numbered returns n different names.
func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("p%d", i)
	}
	return out
}

// npy returns an .npy file whose header promises a shape, and which has 16 bytes of data.
func npy(shape string) []byte {
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }"
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), byte(len(header) >> 8)})+header), make([]byte, 16)...)
}
