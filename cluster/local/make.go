package local

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/cluster/kit"
)

// build makes a cluster's folder, whole or not at all.
func build(path string, parties []string, data string) error {
	var k kit.Kit
	for _, name := range parties {
		k.Parties = append(k.Parties, kit.Member{Name: name, Data: []string{data}})
	}
	if err := k.Check(); err != nil {
		return fmt.Errorf("--parties: %w", err)
	}
	if info, err := os.Stat(data); err != nil || !info.IsDir() {
		return fmt.Errorf("--data: %s is no folder of inputs", data)
	}
	if err := place(k.Members()); err != nil {
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

// place gives each a port of the loopback that nobody listens at.
func place(members []*kit.Member) error {
	addresses, err := FreePorts(len(members))
	if err != nil {
		return err
	}
	for i, m := range members {
		m.Listen, m.Address = addresses[i], addresses[i]
	}
	return nil
}

// FreePorts are addresses on the loopback that nobody listens at, below those
// from which systems take the ports of outgoing connections: who stops and
// starts again finds its port free.
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
		defer l.Close() // when all are found, so that none is twice
		out = append(out, l.Addr().String())
	}
	return nil, fmt.Errorf("no ports are free: %w", last)
}
