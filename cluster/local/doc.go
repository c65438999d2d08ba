// Package local is a cluster on one machine, for tests and for learning: every
// party's node and the dealer as processes of their own, with certificates,
// addresses, configurations, logs and states in one folder.
//
//	cluster/
//	  cluster.yaml            for whoever submits: addresses, and the admin's certificate
//	  ca.crt ca.key           the cluster's own CA
//	  NAME.crt NAME.key       of each party, the dealer and the admin
//	  dealer/dealer.yaml      and its log and pid
//	  alice/node.yaml         and its log and pid
//	  alice/policy.yaml       the admin may run anything
//	  alice/state/            jobs, results, the audit log
//
// [Up] makes the folder if there is none, starts what does not run, and waits
// until all of it answers. [Down] stops what runs; the folder stays, and the
// next Up goes on with it.
//
// A process has its pid file locked as long as it lives: it inherits the lock,
// which the kernel takes back at its end, however it comes. So a pid that is
// another process's by now is never mistaken for a daemon.
//
// It is no way to run parties who do not trust each other: here one user owns
// all keys and all data.
package local
