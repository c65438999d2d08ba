// Package cluster is the client side of a set of nodes. It reads the cluster file with the nodes' addresses and
// the submitter's certificate, submits jobs, sends requests to services, and fetches results. The map clients in
// its functions has a client of the API for each party's node, by party name (Config.Clients makes it).
package cluster
