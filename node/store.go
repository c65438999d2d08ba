package node

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party"
)

// storesFile remembers how far this party's store and those of the other parties have been used. It is in
// the state folder and thus not in the store, so that a store restored without it is noticed.
const storesFile = "stores.json"

// checkStore removes the sessions of the party's store if it is an older copy, and names a store that an
// earlier version has left in the state folder. Jobs check the store again when they use it.
func (n *Node) checkStore() {
	former := filepath.Join(n.config.State, "store", n.config.Name)
	if _, err := os.Stat(former); err == nil {
		n.log.Warn("a store is in the state folder, where earlier versions had it; its sessions are not used, since backups of the state contain them: remove it",
			"folder", former, "store", n.config.Store)
	}
	f, err := store.Open(n.config.Store, n.config.Name)
	if errors.As(err, new(*store.MissingError)) {
		return
	}
	if err == nil {
		f.Memory, f.Notice = n.stores, func(text string) { n.log.Error(text) }
		err = f.Check()
	}
	if err != nil && !errors.Is(err, store.ErrCopied) { // Notice has named a copy
		n.log.Error("the store cannot be checked", "error", err.Error())
	}
}

// keepsPairState reports whether the node keeps something of a run for later runs with the same parties.
func (n *Node) keepsPairState(spec *party.Spec) bool {
	between := spec.Descriptor().Between
	return n.config.PairState > 0 && between != nil && between.Keep != nil && spec.Checkpoints == nil
}
