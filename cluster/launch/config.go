package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config has the values of a hosts file (hosts.yaml), with which Run starts a cluster on several machines.
type Config struct {
	File    string   // path of the hosts file
	Program string   // path of the tacet program to copy; "" for Options.Program
	Dir     string   // local folder of certificates and configurations
	Remote  string   // folder on the hosts, relative to the user's home folder
	SSH     []string // further options of ssh, for all hosts
	hosts   []host   // the dealer's host first
}

// host is a daemon and the machine on which it runs.
type host struct {
	kit.Daemon
	ssh string // destination of ssh
}

// Read reads and checks a hosts file. Relative paths of this machine are relative to the file's folder.
func Read(path string) (*Config, error) {
	v, err := yamlfile.Read(path, "a hosts file")
	if err != nil {
		return nil, err
	}
	c := &Config{File: path, Dir: filepath.Join(filepath.Dir(path), "launch"), Remote: "tacet"}
	dealer := host{Daemon: kit.Daemon{Name: kit.Dealer}}
	var nodes []host
	err = v.Mapping("a hosts file", yamlfile.Fields{
		"program": yamlfile.Path(&c.Program),
		"dir":     yamlfile.Path(&c.Dir),
		"remote":  yamlfile.Text(&c.Remote),
		"ssh":     yamlfile.Texts(&c.SSH, "options"),
		"dealer":  dealer.read,
		"nodes": func(key string, v yamlfile.Value) error {
			return v.Each(key, func(name string, v yamlfile.Value) error {
				h := host{Daemon: kit.Daemon{Name: name}}
				err := h.read(key+": "+name, v)
				nodes = append(nodes, h)
				return err
			})
		},
	})
	if err != nil {
		return nil, err
	}
	if dealer.ssh == "" {
		return nil, yamlfile.Wrong(path, "dealer is missing: {ssh: USER@HOST, address: HOST:PORT}")
	}
	c.hosts = append([]host{dealer}, nodes...)
	k := c.kit()
	if err := k.Check(); err != nil {
		return nil, yamlfile.Wrong(path, "nodes: %w", err)
	}
	return c, c.checkDir()
}

// read reads the values of one daemon.
func (h *host) read(key string, v yamlfile.Value) error {
	policy := ""
	fields := yamlfile.Fields{"ssh": yamlfile.Text(&h.ssh), "address": yamlfile.Address(&h.Address), "listen": yamlfile.Address(&h.Listen)}
	if h.Name != kit.Dealer {
		fields["data"] = yamlfile.Texts(&h.Data, "folders on the host")
		fields["policy"] = yamlfile.Path(&policy)
	}
	if err := v.Mapping(key, fields); err != nil {
		return err
	}
	switch {
	case h.ssh == "":
		return v.Wrong("%s: ssh is missing: the login, such as user@host", key)
	case strings.HasPrefix(h.ssh, "-"):
		return v.Wrong("%s: ssh: %q is an option, not a host (put options under the file's top-level ssh)", key, h.ssh)
	case h.Address == "":
		return v.Wrong("%s: address is missing: the address at which the others reach it, such as host:7000", key)
	}
	if h.Listen == "" {
		_, port, err := net.SplitHostPort(h.Address)
		if err != nil {
			return v.Wrong("%s: address: %w", key, err)
		}
		h.Listen = ":" + port
	}
	if policy == "" {
		return nil
	}
	text, err := os.ReadFile(policy)
	if err != nil {
		return v.Wrong("%s: policy: %w", key, err)
	}
	h.Policy = string(text)
	return nil
}

// kit returns the description of the cluster's files.
func (c *Config) kit() kit.Kit {
	k := kit.Kit{Dealer: c.hosts[0].Daemon}
	for _, h := range c.hosts[1:] {
		k.Parties = append(k.Parties, h.Daemon)
	}
	return k
}

// markerFile marks a folder as created by launch.
const markerFile = ".launch"

// checkDir refuses to write into an existing folder that launch did not create.
func (c *Config) checkDir() error {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) ||
		err == nil && (len(entries) == 0 || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == markerFile })) {
		return nil
	}
	if err == nil {
		err = errors.New("exists, and tacet launch did not create it (choose another folder)")
	}
	return yamlfile.Wrong(c.File, "dir: %w", fmt.Errorf("%s: %w", c.Dir, err))
}
