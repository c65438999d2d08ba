package cluster

import (
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config has the values of a cluster file (cluster.yaml), with which a submitter finds the parties' nodes.
type Config struct {
	File   string            // path of the cluster file
	TLS    pki.Files         // files of the submitter's certificate, its key and the CA
	Nodes  map[string]string // host:port of each party's node, by party name
	Dealer Remote            // the dealer's name and address; not used for submissions, since each node has its own configuration
}

// Remote is a daemon: its name in certificates, and the host:port at which it can be reached.
type Remote struct{ Name, Address string }

// Read reads and checks a cluster file. Relative paths in it are relative to its folder. Errors name the file
// and line, and are of kind usage except when the file cannot be read.
func Read(path string) (*Config, error) {
	v, err := yamlfile.Read(path, "a cluster's file")
	if err != nil {
		return nil, err
	}
	c := &Config{File: path, Nodes: map[string]string{}}
	err = v.Mapping("a cluster", yamlfile.Fields{
		"tls": pki.Paths(&c.TLS),
		"nodes": func(key string, v yamlfile.Value) error {
			return v.Each(key, func(name string, v yamlfile.Value) error {
				if err := yamlfile.CheckName(v.Key, "nodes:", name); err != nil {
					return err
				}
				var s string
				err := yamlfile.Address(&s)("nodes: "+name, v)
				c.Nodes[name] = s
				return err
			})
		},
		"dealer": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{"name": yamlfile.Name(&c.Dealer.Name), "address": yamlfile.Address(&c.Dealer.Address)})
		},
	})
	switch {
	case err != nil:
		return nil, err
	case c.TLS.Cert == "" || c.TLS.Key == "" || !c.TLS.HasCA():
		return nil, yamlfile.Wrong(path, "tls is missing or incomplete: {cert: me.crt, key: me.key, ca: ca.crt}")
	case len(c.Nodes) == 0:
		return nil, yamlfile.Wrong(path, "nodes is missing: the parties' addresses, such as {alice: 127.0.0.1:7001}")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Nodes)) {
		if err := c.TLS.CheckOwned(name); err != nil {
			return nil, yamlfile.Wrong(path, "nodes: %w", err)
		}
	}
	return c, nil
}

// Self returns the identity in the submitter's certificate, as policies spell it. Errors are of kind usage: unreadable
// files.
func (c *Config) Self() (string, error) {
	id, err := pki.Load(c.TLS)
	if err != nil {
		return "", problem.New(problem.Usage, c.File, "tls: %w", err)
	}
	return id.String(), nil
}

// Clients returns a client for the node of each named party, by party name, or of all nodes if no party is
// named. It reads the certificate's files and connects to no node. Errors are of kind usage: unreadable files,
// or a party without a node.
func (c *Config) Clients(parties ...string) (map[string]*api.Client, error) {
	id, err := pki.Load(c.TLS)
	if err != nil {
		return nil, problem.New(problem.Usage, c.File, "tls: %w", err)
	}
	if len(parties) == 0 {
		parties = slices.Collect(maps.Keys(c.Nodes))
	}
	out := map[string]*api.Client{}
	for _, p := range parties {
		address, ok := c.Nodes[p]
		if !ok {
			return nil, problem.New(problem.Usage, c.File, "no node of %s under nodes (there are %s)", p, strings.Join(slices.Sorted(maps.Keys(c.Nodes)), ", "))
		}
		out[p] = api.NewClient(id, p, address)
	}
	return out, nil
}
