// Package cluster is what whoever submits jobs knows of a set of nodes: where
// they are, and by which certificate it talks to them.
package cluster
