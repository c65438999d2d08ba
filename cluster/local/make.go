package local

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/pki"
)

// build makes a cluster's folder, whole or not at all.
func build(path string, parties []string, data string) error {
	if err := checkParties(parties); err != nil {
		return err
	}
	if info, err := os.Stat(data); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder of inputs (--data)", data)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = fill(tmp, parties, data)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return nil
}

func checkParties(parties []string) error {
	if len(parties) < 2 {
		return errors.New("a cluster has two parties or more: --parties alice,bob")
	}
	for i, name := range parties {
		switch {
		case slices.Contains([]string{adminName, dealerName, caName}, name):
			return fmt.Errorf("no party can be called %s: that is somebody else in the folder (--parties)", name)
		case slices.Contains(parties[:i], name):
			return fmt.Errorf("party %s is named twice (--parties)", name)
		}
		if err := pki.CheckName(name); err != nil {
			return err
		}
	}
	return nil
}

// fill writes all files.
func fill(dir string, parties []string, data string) error {
	if err := pki.Init(dir, pki.Terms{}); err != nil {
		return err
	}
	for _, name := range append([]string{adminName, dealerName}, parties...) {
		if _, err := pki.Issue(dir, name, pki.Terms{}); err != nil {
			return err
		}
	}
	free, err := addresses(len(parties) + 1)
	if err != nil {
		return err
	}
	dealer, nodes := free[0], free[1:]
	if err := write(dir, clusterFile, clusterText(dealer, parties, nodes)); err != nil {
		return err
	}
	if err := write(dir, filepath.Join(dealerName, "dealer.yaml"), dealerText(dealer, parties)); err != nil {
		return err
	}
	for i, name := range parties {
		if err := write(dir, filepath.Join(name, "node.yaml"), nodeText(i, dealer, parties, nodes, data)); err != nil {
			return err
		}
		if err := write(dir, filepath.Join(name, "policy.yaml"), policyText()); err != nil {
			return err
		}
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

// addresses finds n ports of the loopback that nobody listens at.
func addresses(n int) ([]string, error) {
	out := make([]string, n)
	for i := range out {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // when all are found, so that none is found twice
		out[i] = l.Addr().String()
	}
	return out, nil
}

// pairs is a mapping of names to addresses, in YAML.
func pairs(names, addresses []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = fmt.Sprintf("%q: %s", name, addresses[i])
	}
	return "{" + strings.Join(out, ", ") + "}"
}
