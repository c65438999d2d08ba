package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Release is the semantic version of this build. Release builds set it:
//
//	go build -ldflags "-X github.com/tacet-mpc/tacet/version.Release=0.2.0" ./cmd/tacet
var Release = "0.2.0-dev"

// The protocol between machines that this build has. The package comment explains its number.
const (
	Protocol = 2       // number of the protocol
	Since    = "0.2.0" // the first release with this number
)

// Info describes a build.
type Info struct {
	Version  string `json:"version"`  // the release
	Protocol int    `json:"protocol"` // number of the protocol
	// Commit is the commit in hexadecimal; "" if the build does not know it. Modified says that the source
	// differed from the commit.
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"` // version of Go that compiled it
}

// Get returns the description of this build.
var Get = sync.OnceValue(func() Info {
	build, _ := debug.ReadBuildInfo()
	return infoOf(build)
})

// infoOf returns the Info of a build; build may be nil.
func infoOf(build *debug.BuildInfo) Info {
	i := Info{Version: Release, Protocol: Protocol, Go: runtime.Version()}
	if build == nil {
		return i
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.modified":
			i.Modified = s.Value == "true"
		}
	}
	return i
}

// String returns the Info on one line: "0.2.0 (protocol 2, commit 130685710f6a, modified, go1.26.0)".
func (i Info) String() string {
	parts := []string{fmt.Sprintf("protocol %d", i.Protocol), "commit unknown"}
	if i.Commit != "" {
		parts[1] = fmt.Sprintf("commit %.12s", i.Commit)
	}
	if i.Modified {
		parts = append(parts, "modified")
	}
	return fmt.Sprintf("%s (%s)", i.Version, strings.Join(append(parts, i.Go), ", "))
}
