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

// Names that no party may have, since other files in the folder use them.
const (
	Admin  = "admin"
	Dealer = "dealer"
	caName = "ca"
)

// ClusterFile is the submitter's configuration file in the folder.
const ClusterFile = "cluster.yaml"

// Daemon is the dealer or a party's node.
type Daemon struct {
	Name    string
	Listen  string
	Address string   // at which others reach it
	Data    []string // a node's data folders, absolute or relative to its own folder
	Policy  string   // a node's policy, YAML; "": one that allows the admin everything
}

// Command is the tacet subcommand that runs the daemon.
func (m *Daemon) Command() string {
	if m.Name == Dealer {
		return "dealer"
	}
	return "node"
}

// Config is the path of the daemon's configuration within the folder.
func (m *Daemon) Config() string { return filepath.Join(m.Name, m.Command()+".yaml") }

// Files lists the files in the folder that the daemon needs; its own key is the only key.
func (m *Daemon) Files() []string {
	files := []string{"ca.crt", m.Name + ".crt", m.Name + ".key", m.Config()}
	if m.Name != Dealer {
		files = append(files, filepath.Join(m.Name, policyFile))
	}
	return files
}

const policyFile = "policy.yaml"

// Kit is the description of a new cluster.
type Kit struct {
	Dealer  Daemon
	Parties []Daemon // in any order
}

// Check refuses an invalid description.
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

// Daemons returns the dealer, followed by the parties' nodes.
func (k *Kit) Daemons() []*Daemon {
	out := []*Daemon{&k.Dealer}
	for i := range k.Parties {
		out = append(out, &k.Parties[i])
	}
	return out
}

// Write writes the folder. Existing certificates are kept; configurations are overwritten.
func (k *Kit) Write(dir string) error {
	if err := k.Check(); err != nil {
		return err
	}
	k.Dealer.Name = Dealer
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
				policy = policyText
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
