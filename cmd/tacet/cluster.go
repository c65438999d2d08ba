package main

import (
	"errors"
	"os"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
)

// clusterFlag says where the nodes are.
type clusterFlag struct {
	Cluster string `placeholder:"FILE" env:"TACET_CLUSTER" help:"The cluster's file: the nodes' addresses, and the certificate to talk to them with (default: cluster.yaml here, or cluster/cluster.yaml, where tacet up puts it)."`
}

// clients are clients of the nodes of some parties, or of all if none is named.
func (f clusterFlag) clients(parties ...string) (map[string]*api.Client, error) {
	path := f.Cluster
	if path == "" {
		path = "cluster.yaml"
		if _, err := os.Stat(path); err != nil {
			path = "cluster/cluster.yaml"
		}
		if _, err := os.Stat(path); err != nil {
			return nil, badUsage{errors.New("no cluster.yaml is here, nor cluster/cluster.yaml (name one with --cluster, or make a test cluster with tacet up)")}
		}
	}
	c, err := cluster.Read(path)
	if err != nil {
		return nil, badUsage{err}
	}
	clients, err := c.Clients(parties...)
	if err != nil {
		return nil, badUsage{err}
	}
	return clients, nil
}
