package local

import (
	"errors"
	"fmt"
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
	for _, m := range members {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close() // when all have one, so that none is found twice
		m.Listen = l.Addr().String()
		m.Address = m.Listen
	}
	return nil
}
