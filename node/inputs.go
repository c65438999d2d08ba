package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

// input is a file of this party's that a job asks for.
type input struct {
	name string // by which policies know it: an entry of the catalogue, or a path within a data folder
	path string
}

// find looks an input up: in the catalogue; under the data folders; and where
// the submitter's own job file points to, if that lies in one of them.
func (c *Config) find(in api.Input) (input, error) {
	if path, ok := c.Catalogue[in.Name]; ok {
		return input{in.Name, path}, nil
	}
	var tries []string
	for _, dir := range c.Data {
		if filepath.IsLocal(in.Name) {
			tries = append(tries, filepath.Join(dir, in.Name))
		}
	}
	switch {
	case filepath.IsAbs(in.Name):
		tries = append(tries, in.Name)
	case filepath.IsAbs(in.Folder):
		tries = append(tries, filepath.Join(in.Folder, in.Name))
	}
	for _, path := range tries {
		if name, ok := c.inData(path); ok {
			return input{name, path}, nil
		}
	}
	return input{}, fmt.Errorf("%s has no input %q (it is neither in its catalogue nor in its data folders)", c.Name, in.Name)
}

// discreet is an error as submitters and other parties may read it. What is
// wrong with an element of this party's files they do not learn, nor with which:
// the element could be quoted, and its place depends on data. The log says the
// place to the owner, and not the element.
func (n *Node) discreet(id string, err error) error {
	var element *job.ElementError
	if !errors.As(err, &element) {
		return err
	}
	var file *job.Error
	place := ""
	if errors.As(err, &file) {
		place = file.Place
	}
	n.log.Error("an input cannot be shared", "job", id, "file", place, "at", element.At)
	return fmt.Errorf("an input of %s holds an element that cannot be shared (the log of its node says where)", n.config.Name)
}

// ownReason writes to the log why this party has failed at what it computed on its
// own inputs. Nobody else learns the reason: it can depend on them.
func (n *Node) ownReason(id string, err error) {
	var own *party.OwnError
	if errors.As(err, &own) {
		n.log.Error("the computation on this party's own inputs has failed", "job", id, "reason", own.Cause().Error())
	}
}

// inData is the path of a file that is there within the data folder that it
// lies in, links followed.
func (c *Config) inData(path string) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	for _, dir := range c.Data {
		base, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if base, err = filepath.Abs(base); err != nil {
			continue
		}
		if abs, err := filepath.Abs(real); err == nil {
			if rel, err := filepath.Rel(base, abs); err == nil && filepath.IsLocal(rel) && !strings.HasPrefix(rel, "..") {
				return filepath.ToSlash(rel), true
			}
		}
	}
	return "", false
}
