package main

import (
	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/node/api"
)

// clusterFlag is the flag for the cluster file.
type clusterFlag struct {
	Cluster string `placeholder:"FILE" env:"TACET_CLUSTER" help:"The cluster file: the nodes' addresses and this client's certificate (default: cluster.yaml, or cluster/cluster.yaml, where tacet up writes it)."`
}

// clients returns clients of the nodes of some parties, or of all nodes if no party is given.
func (f clusterFlag) clients(parties ...string) (map[string]*api.Client, error) {
	c, err := f.connect()
	if err != nil {
		return nil, err
	}
	clients, err := c.Clients(parties...)
	if err != nil {
		return nil, badUsage{err}
	}
	return clients, nil
}

// connect reads the cluster's file.
func (f clusterFlag) connect() (*tacet.Cluster, error) {
	c, err := tacet.Connect(f.Cluster)
	if err != nil {
		return nil, badUsage{err}
	}
	return c, nil
}
