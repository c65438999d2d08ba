// Package local runs a cluster on one machine, for tests and for learning: every party's node and the
// dealer are processes of their own, with certificates, addresses, configurations, logs and states in
// one folder.
//
// The folder has the files of package kit and, for each daemon, its log, its pid file and, for a node,
// its state.
//
// [Up] creates the folder if there is none, starts the daemons that do not run, and waits until all of
// them answer. [Down] stops the daemons that run; the folder stays, and the next Up uses it again.
//
// A daemon holds a lock on its pid file as long as it lives: it inherits the lock, and the kernel
// releases it at the process's end, however it ends. A pid that by now belongs to another process is
// therefore never mistaken for a daemon.
//
// A local cluster protects no party from another: one user owns all keys and all data.
package local
