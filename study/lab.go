package study

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// Lab is what a study works with: its folder, its machine and the report of its progress.
type Lab struct {
	Dir     string         // folder into which output files are written
	Quick   bool           // make fewer and smaller measurements: seconds instead of minutes
	Machine timing.Machine // machine for which plans predict times
	// Progress, if not nil, is called at the start of each step with a description, the number of
	// finished steps and the number of all steps.
	Progress func(what string, done, all int)

	done, all int
}

// Networks are the networks of all studies, the fastest first.
var Networks = []Network{
	{"1e11/0s", "100 Gbit/s, 0 ms"},
	{"lan", "1 Gbit/s, 1 ms"},
	{"wan", "100 Mbit/s, 10 ms"},
	{"slow", "10 Mbit/s, 100 ms"},
}

// Network is a network of the studies: its name in plans, and its title in pages.
type Network struct{ Name, Title string }

// Open creates the folder Dir if it is missing.
func (l *Lab) Open() error { return os.MkdirAll(l.Dir, 0o777) }

// Steps sets the number of steps of the study, which Progress reports.
func (l *Lab) Steps(n int) { l.done, l.all = 0, n }

// Step calls Progress for the start of the study's next step, which the text describes.
func (l *Lab) Step(format string, a ...any) {
	if l.Progress != nil {
		l.Progress(fmt.Sprintf(format, a...), l.done, l.all)
	}
	l.done++
}

// write writes a file into the folder.
func (l *Lab) write(name string, b []byte) error {
	return profile.Save(filepath.Join(l.Dir, name), b)
}

// Conditions returns a text for pages that describes the machine of the measurements.
func (l *Lab) Conditions() string {
	what := "the full study"
	if l.Quick {
		what = "the quick study, with fewer and smaller runs"
	}
	return fmt.Sprintf("This is %s, on a machine of %d cores (%s, %s). Predicted times are for all parties on this machine, with the profile %q.",
		what, l.Machine.Cores, runtime.GOARCH, runtime.Version(), l.Machine.Name)
}
