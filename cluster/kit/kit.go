package kit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/pki"
)

// Names of the admin's and the dealer's files in the folder. No party may have one of these names.
const (
	Admin  = "admin"  // the submitter, who may do everything unless a party's policy says otherwise
	Dealer = "dealer" // the dealer
	caName = "ca"
)

// ClusterFile is the name of the cluster file in the folder; the submitter reads it.
const ClusterFile = "cluster.yaml"

// Daemon is the description of one daemon of the cluster: the dealer, or a party's node.
type Daemon struct {
	Name    string // name in certificates: the party's name; Kit.Write sets the dealer's to Dealer
	Listen  string // host:port at which the daemon listens
	Address string // host:port at which the other daemons and the submitter reach it
	// Data lists a node's data folders, absolute or relative to the node's own folder. The node reads inputs
	// from these only.
	Data []string
	// Policy is the YAML text of a node's policy; "" selects one that allows the admin everything.
	Policy string
}

// Command returns the subcommand of tacet that runs the daemon: "dealer" or "node".
func (m *Daemon) Command() string {
	if m.Name == Dealer {
		return "dealer"
	}
	return "node"
}

// Config returns the path of the daemon's configuration, relative to the cluster's folder.
func (m *Daemon) Config() string { return filepath.Join(m.Name, m.Command()+".yaml") }

// Files returns the paths, relative to the cluster's folder, of all files that the daemon needs. The list has no
// key but the daemon's own.
func (m *Daemon) Files() []string {
	files := []string{"ca.crt", m.Name + ".crt", m.Name + ".key", m.Config()}
	if m.Name != Dealer {
		files = append(files, filepath.Join(m.Name, policyFile))
	}
	return files
}

const policyFile = "policy.yaml"

// Kit is the description of a new cluster, from which Write makes its files.
type Kit struct {
	Dealer  Daemon   // the dealer, if it has a name or an address; Write sets the name
	Parties []Daemon // in any order
	// Protocols lists the protocols that the policies which Write makes allow; nil means any.
	Protocols []string
}

// dealt reports whether the cluster has a dealer.
func (k *Kit) dealt() bool { return k.Dealer.Name != "" || k.Dealer.Address != "" }

// Check returns an error if there are fewer than two parties, if two have the same name, or if a name is
// reserved or not allowed in certificates.
func (k *Kit) Check() error {
	if len(k.Parties) < 2 {
		return errors.New("a cluster needs two or more parties")
	}
	for i, m := range k.Parties {
		switch {
		case slices.Contains([]string{Admin, Dealer, caName}, m.Name):
			return fmt.Errorf("no party can be named %s: the folder uses that name for other files", m.Name)
		case slices.ContainsFunc(k.Parties[:i], func(o Daemon) bool { return o.Name == m.Name }):
			return fmt.Errorf("party %s is named twice", m.Name)
		}
		if err := pki.CheckName(m.Name); err != nil {
			return err
		}
	}
	return nil
}

// Daemons returns pointers to the dealer, if there is one, and then to the parties' nodes, in the order of Parties.
func (k *Kit) Daemons() []*Daemon {
	var out []*Daemon
	if k.dealt() {
		out = append(out, &k.Dealer)
	}
	for i := range k.Parties {
		out = append(out, &k.Parties[i])
	}
	return out
}

// Write checks the description and writes the cluster's files into the folder dir, which it creates if
// necessary. Existing certificates and keys are kept, and missing ones issued; configurations and policies are
// overwritten.
func (k *Kit) Write(dir string) error {
	if err := k.Check(); err != nil {
		return err
	}
	if k.dealt() {
		k.Dealer.Name = Dealer
	}
	if err := pki.Init(dir, pki.Options{}); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := issue(dir, Admin); err != nil {
		return err
	}
	for _, m := range k.Daemons() {
		if err := issue(dir, m.Name); err != nil {
			return err
		}
		text := k.dealerText()
		if m.Name != Dealer {
			text = k.nodeText(m)
			policy := m.Policy
			if policy == "" {
				policy = k.policyText()
			}
			if err := write(dir, filepath.Join(m.Name, policyFile), policy); err != nil {
				return err
			}
		}
		if err := write(dir, m.Config(), text); err != nil {
			return err
		}
	}
	return write(dir, ClusterFile, k.clusterText())
}

func issue(dir, name string) error {
	if _, err := pki.Issue(dir, name, pki.Options{}); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func write(dir, name, text string) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}
