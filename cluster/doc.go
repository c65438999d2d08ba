// Package cluster is the client side of a set of nodes: their addresses, the submitter's certificate,
// submissions, requests and results.
package cluster
