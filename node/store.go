package node

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
)

// storesFile remembers how far this party's store and those of the other parties have been used. It is in
// the state folder and thus not in the store, so that a store restored without it is noticed.
const storesFile = "stores.json"

// checkStore removes the sessions of the party's store if it is an older copy, and names a store that an
// earlier version has left in the state folder.
func (n *Node) checkStore() error {
	former := filepath.Join(n.config.State, "store", n.config.Name)
	if _, err := os.Stat(former); err == nil {
		n.log.Warn("a store is in the state folder, where earlier versions had it; its sessions are not used, since backups of the state contain them: remove it",
			"folder", former, "store", n.config.Store)
	}
	f, err := store.Open(n.config.Store, n.config.Name)
	if errors.As(err, new(*store.MissingError)) {
		return nil
	}
	if err != nil {
		return err
	}
	f.Memory, f.Notice = n.stores, func(text string) { n.log.Error(text) }
	if err := f.Check(); !errors.Is(err, store.ErrCopied) {
		return err
	}
	return nil
}
