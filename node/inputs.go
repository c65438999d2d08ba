package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

// input is an input file of this party that a job uses.
type input struct {
	name  string // the name that policies use: an entry of the catalogue, or a path relative to a data folder
	path  string
	table *job.Table // how an argument is made of the file's table; nil: the file holds arrays
}

// findInput returns the file of an input. It looks in the catalogue, then under the data folders, then
// at the path relative to the submitter's job file, which must lie in a data folder.
func (c *Config) findInput(in api.Input) (input, error) {
	if path, ok := c.Catalogue[in.Name]; ok {
		return input{in.Name, path, c.Tables[in.Name]}, nil
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
		if found, ok := c.inData(path); ok {
			return found, nil
		}
	}
	return input{}, fmt.Errorf("%s has no input %q (it is neither in its catalogue nor in its data folders)", c.Name, in.Name)
}

// inputNames returns the names by which policies know this party's inputs among these: of files that
// exist, as findInput names them; of others, the names that the submission gives. asked holds the latter
// for all of them.
func (c *Config) inputNames(inputs []api.Input) (names, asked []string) {
	for _, in := range inputs {
		if in.Owner != c.Name || in.Kept != "" {
			continue
		}
		name := in.Name
		if found, err := c.findInput(in); err == nil {
			name = found.name
		}
		names, asked = append(names, name), append(asked, in.Name)
	}
	return names, asked
}

// redactInputError returns err as submitters and other parties may read it. An error about an element
// of this party's file is replaced by one that names neither the element nor its index, since both
// depend on secret data. The node's log gets the file and the index, but not the element.
func (n *Node) redactInputError(id string, err error) error {
	var element *job.ElementError
	if !errors.As(err, &element) {
		return err
	}
	var file *job.Error
	place := ""
	if errors.As(err, &file) {
		place = file.Place
	}
	n.log.Error("an input holds an element that cannot be shared", "job", id, "file", place, "at", element.At)
	return fmt.Errorf("an input of %s holds an element that cannot be shared (the log of its node says where)", n.config.Name)
}

// logOwnFailure logs why a local computation on this party's own inputs failed. Other parties do not
// learn the reason: it can depend on the inputs.
func (n *Node) logOwnFailure(id string, err error) {
	var own *party.LocalError
	if errors.As(err, &own) {
		n.log.Error("local computation on this party's own inputs failed", "job", id, "reason", own.Cause().Error())
	}
}

// inData returns a regular file in a data folder; false if there is none at the path. The file's name is its
// path relative to the data folder that contains it, with symbolic links resolved. The path is made
// shorter (x/.. is removed) and compared with the data folders first, and the file system is asked only
// about paths below one of them: otherwise the answer would say whether a folder outside exists.
func (c *Config) inData(path string) (input, bool) {
	for _, dir := range c.Data {
		for _, base := range folderPaths(dir) {
			rel, ok := below(base, path)
			if !ok {
				continue
			}
			at := filepath.Join(base, rel)
			real, err := filepath.EvalSymlinks(at)
			if err != nil {
				continue
			}
			if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if name, ok := c.nameInData(real); ok {
				return input{name: name, path: at}, true
			}
		}
	}
	return input{}, false
}

// nameInData returns the path of a file relative to the first data folder that contains it. real has no
// symbolic links.
func (c *Config) nameInData(real string) (string, bool) {
	for _, dir := range c.Data {
		base, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if rel, ok := below(base, real); ok {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// folderPaths returns the paths by which a folder of the configuration may be named: its own, and the one
// without symbolic links.
func folderPaths(dir string) []string {
	paths := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != filepath.Clean(dir) {
		paths = append(paths, real)
	}
	return paths
}

// below returns a path relative to a folder, if it lies below the folder. It does not ask the file system.
func below(dir, path string) (string, bool) {
	base, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(base, abs)
	return rel, err == nil && rel != "." && filepath.IsLocal(rel)
}
