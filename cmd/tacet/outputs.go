package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/profile"
)

// outputs are the flags for files that are made from a report.
type outputs struct {
	Pprof string `name:"pprof" placeholder:"FILE.pb.gz" help:"Write a profile for go tool pprof: bytes (comm), rounds, offline bytes and time by line, layer and function of the program."`
	HTML  string `name:"html" placeholder:"FILE.html" help:"Write a web page with the costs of layers and operations, and the critical path in rounds."`
}

// save writes them.
func (o *outputs) save(r *profile.Report) error {
	if err := save(o.Pprof, r, profile.Pprof); err != nil {
		return err
	}
	return save(o.HTML, r, profile.HTML)
}

// save writes a file that is made from a report, unless path is "".
func save(path string, r *profile.Report, content func(*profile.Report) ([]byte, error)) error {
	if path == "" {
		return nil
	}
	b, err := content(r)
	if err != nil {
		return err
	}
	return profile.Save(path, b)
}

// checkFolders returns an error before a long run if a file cannot be written.
func checkFolders(paths ...string) error {
	for _, path := range paths {
		if path == "" {
			continue
		}
		parent := filepath.Dir(path)
		if info, err := os.Stat(parent); err != nil || !info.IsDir() {
			return badUsage{fmt.Errorf("%s: cannot be written: there is no folder %s", path, parent)}
		}
	}
	return nil
}
