// Package local is a cluster on one machine, for tests and for learning: every
// party's node and the dealer as processes of their own, with certificates,
// addresses, configurations, logs and states in one folder.
//
// It has the files of package kit, and for each daemon its log, its pid and, if
// it is a node, its state.
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
