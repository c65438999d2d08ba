package study

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// Lab is where a study works.
type Lab struct {
	Dir     string         // where files are written
	Quick   bool           // less of everything, in seconds instead of minutes
	Machine timing.Machine // whose times plans say
	// Progress, if not nil, is told what is looked at, and how many of all
	// steps are done.
	Progress func(what string, done, all int)

	done, all int
}

// Networks are the links that studies look at, as plans name them, the fastest
// first.
var Networks = []Network{
	{"1e11/0s", "100 Gbit/s, 0 ms"},
	{"lan", "1 Gbit/s, 1 ms"},
	{"wan", "100 Mbit/s, 10 ms"},
	{"slow", "10 Mbit/s, 100 ms"},
}

// Network is a link's name in plans and on pages.
type Network struct{ Name, Title string }

// Open makes the lab's folder where it is not there.
func (l *Lab) Open() error { return os.MkdirAll(l.Dir, 0o777) }

// Steps says how many steps the study has.
func (l *Lab) Steps(n int) { l.done, l.all = 0, n }

// Step says what is looked at next.
func (l *Lab) Step(format string, a ...any) {
	if l.Progress != nil {
		l.Progress(fmt.Sprintf(format, a...), l.done, l.all)
	}
	l.done++
}

// write puts a file into the folder.
func (l *Lab) write(name string, b []byte) error {
	return profile.Save(filepath.Join(l.Dir, name), b)
}

// Conditions says on which machine figures were found.
func (l *Lab) Conditions() string {
	what := "the whole study"
	if l.Quick {
		what = "the quick form of the study, with fewer and smaller runs"
	}
	return fmt.Sprintf("This is %s, on a machine of %d cores (%s, %s). Predicted times are for all parties on it and the profile %q.",
		what, l.Machine.Cores, runtime.GOARCH, runtime.Version(), l.Machine.Name)
}
