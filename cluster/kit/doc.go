// Package kit creates the files of a new cluster whose nodes, dealer and admin belong to one user: a
// CA, certificates and configurations, in one folder.
//
//	cluster.yaml            for the submitter: addresses and the admin's certificate
//	ca.crt ca.key           the cluster's own CA
//	NAME.crt NAME.key       of each party, the dealer and the admin
//	dealer/dealer.yaml      unless the cluster has no dealer
//	alice/node.yaml         of each party
//	alice/policy.yaml       allows the admin everything, unless another policy is given
//
// Configurations name other files by relative paths, so that the folder, or a daemon's part of it, can
// be moved.
package kit
