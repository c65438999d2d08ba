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

// Names that no party can have: they are somebody else's.
const (
	Admin  = "admin"
	Dealer = "dealer"
	caName = "ca"
)

// ClusterFile is the file in the folder for whoever submits.
const ClusterFile = "cluster.yaml"

// Member is the dealer, or a party's node.
type Member struct {
	Name    string
	Listen  string
	Address string   // where others reach it
	Data    []string // a node's folders of inputs, absolute or relative to its own
	Policy  string   // a node's policy, YAML; "" for one that lets the admin do anything
}

// Command is how tacet runs it.
func (m *Member) Command() string {
	if m.Name == Dealer {
		return "dealer"
	}
	return "node"
}

// Config is its configuration within the folder.
func (m *Member) Config() string { return filepath.Join(m.Name, m.Command()+".yaml") }

// Files are all of the folder's that it needs, and nobody else's key.
func (m *Member) Files() []string {
	files := []string{"ca.crt", m.Name + ".crt", m.Name + ".key", m.Config()}
	if m.Name != Dealer {
		files = append(files, filepath.Join(m.Name, policyFile))
	}
	return files
}

const policyFile = "policy.yaml"

// Kit is a cluster to be made.
type Kit struct {
	Dealer  Member
	Parties []Member // in any order
}

// Check refuses what is no cluster.
func (k *Kit) Check() error {
	if len(k.Parties) < 2 {
		return errors.New("a cluster has two parties or more")
	}
	for i, m := range k.Parties {
		switch {
		case slices.Contains([]string{Admin, Dealer, caName}, m.Name):
			return fmt.Errorf("no party can be called %s: that is somebody else in the folder", m.Name)
		case slices.ContainsFunc(k.Parties[:i], func(o Member) bool { return o.Name == m.Name }):
			return fmt.Errorf("party %s is named twice", m.Name)
		}
		if err := pki.CheckName(m.Name); err != nil {
			return err
		}
	}
	return nil
}

// Members are the dealer and the parties.
func (k *Kit) Members() []*Member {
	out := []*Member{&k.Dealer}
	for i := range k.Parties {
		out = append(out, &k.Parties[i])
	}
	return out
}

// Write writes the folder. Certificates that are there stay; configurations are
// written anew.
func (k *Kit) Write(dir string) error {
	if err := k.Check(); err != nil {
		return err
	}
	k.Dealer.Name = Dealer
	if err := pki.Init(dir, pki.Terms{}); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := issue(dir, Admin); err != nil {
		return err
	}
	for _, m := range k.Members() {
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
	if _, err := pki.Issue(dir, name, pki.Terms{}); err != nil && !errors.Is(err, fs.ErrExist) {
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
