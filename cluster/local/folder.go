package local

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// folder is a cluster's folder.
type folder struct {
	path string
	*cluster.Config
	daemons []*daemon // the dealer first, if there is one
}

// open reads a cluster's folder. The error is fs.ErrNotExist if there is none.
func open(path string) (*folder, error) {
	c, err := cluster.Read(filepath.Join(path, kit.ClusterFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notClusterError(path)
	}
	if err != nil {
		return nil, err
	}
	f := &folder{path: path, Config: c}
	if c.Dealer.Address != "" {
		f.daemons = append(f.daemons, newDaemon(path, kit.Dealer, c.Dealer.Address))
	}
	for _, name := range f.parties() {
		f.daemons = append(f.daemons, newDaemon(path, name, c.Nodes[name]))
	}
	return f, nil
}

// notClusterError returns the error for a folder without a cluster file: it does not exist, or it has
// other content.
func notClusterError(path string) error {
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		return fmt.Errorf("%s exists but has no %s, so tacet up did not create it (choose another folder with --dir)", path, kit.ClusterFile)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("there is no cluster in %s (tacet up creates one): %w", path, fs.ErrNotExist)
}

// parties returns the names of the nodes, sorted.
func (f *folder) parties() []string { return slices.Sorted(maps.Keys(f.Nodes)) }

// lock keeps other processes from starting or stopping the cluster at the same time.
func (f *folder) lock() (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(f.path, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	free, err := durable.Lock(file)
	if err == nil && !free {
		err = fmt.Errorf("another tacet up or down is using %s (wait for it to end)", f.path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { durable.Close(file) }, nil
}

// checkParties refuses a set of parties other than the folder's.
func (f *folder) checkParties(parties []string) error {
	if parties != nil && !slices.Equal(slices.Sorted(slices.Values(parties)), f.parties()) {
		return fmt.Errorf("%s is a cluster of %s, not of %s (omit --parties, or choose another folder with --dir)",
			f.path, strings.Join(f.parties(), ", "), strings.Join(parties, ", "))
	}
	return nil
}

// checkProtocol refuses a protocol that needs a dealer in a cluster without one; "" is no protocol.
func (f *folder) checkProtocol(name string) error {
	if name == "" {
		return nil
	}
	d, err := findProtocol(name)
	if err == nil && d.Supply == protocol.OutsideDealer && f.Dealer.Address == "" {
		return fmt.Errorf("%s is a cluster without a dealer, and protocol %s needs one (omit --protocol, or choose another folder with --dir)", f.path, name)
	}
	return err
}
