package local

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	_ "github.com/tacet-mpc/tacet/mpc/protocols" // registers the protocols
)

// build creates a cluster's folder atomically. protocol is Options.Protocol.
func build(path string, parties []string, data, protocol string) error {
	var k kit.Kit
	for _, name := range parties {
		k.Parties = append(k.Parties, kit.Daemon{Name: name, Data: []string{data}})
	}
	if err := k.Check(); err != nil {
		return fmt.Errorf("--parties: %w", err)
	}
	if info, err := os.Stat(data); err != nil || !info.IsDir() {
		return fmt.Errorf("--data: %s is not a folder", data)
	}
	dealt, err := settle(&k, protocol)
	if err != nil {
		return err
	}
	if dealt {
		k.Dealer.Name = kit.Dealer
	}
	if err := assignPorts(k.Daemons()); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = k.Write(tmp)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return nil
}

// settle sets the protocols of the kit's policies and reports whether the cluster has a dealer. name is Options.Protocol.
func settle(k *kit.Kit, name string) (dealt bool, err error) {
	if name == "" {
		return true, nil
	}
	d, err := findProtocol(name)
	if err != nil {
		return false, err
	}
	if len(k.Parties) < d.Least {
		return false, fmt.Errorf("--parties: %w", d.Check(len(k.Parties)))
	}
	k.Protocols = []string{name}
	return d.Supply == protocol.OutsideDealer, nil
}

// findProtocol returns the descriptor of a protocol that nodes run.
func findProtocol(name string) (*protocol.Descriptor, error) {
	d, err := protocol.Find(name)
	if err != nil {
		return nil, fmt.Errorf("--protocol: %w", err)
	}
	if d.Clear {
		return nil, fmt.Errorf("--protocol: %s computes in one process, in cleartext: nodes do not run it (tacet run does)", name)
	}
	return d, nil
}

// assignPorts gives each daemon a free port of the loopback interface.
func assignPorts(members []*kit.Daemon) error {
	addresses, err := FreePorts(len(members))
	if err != nil {
		return err
	}
	for i, m := range members {
		m.Listen, m.Address = addresses[i], addresses[i]
	}
	return nil
}

// FreePorts returns n addresses host:port on the loopback interface whose ports are free now. The ports are
// below the range from which systems take ports of outgoing connections, so that a daemon that restarts finds
// its port free.
func FreePorts(n int) ([]string, error) {
	const first, ports, tries = 10000, 20000, 1000
	var out []string
	var last error
	for range tries {
		if len(out) == n {
			return out, nil
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first+rand.IntN(ports)))
		if err != nil {
			last = err
			continue
		}
		defer l.Close() // after all are found, so that they are distinct
		out = append(out, l.Addr().String())
	}
	return nil, fmt.Errorf("no ports are free: %w", last)
}
