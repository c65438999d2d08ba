// Package launch runs a cluster on several machines over ssh, for experiments
// of one user who may log in to all of them.
//
//	program: tacet                  # the tacet to copy; default: the one that runs
//	dir: launch                     # local folder of certificates and configurations, made if it is not there
//	remote: tacet                   # folder on the hosts, below the home; each daemon has one of its name in it
//	ssh: [-p, "2222"]               # further options of ssh, for all hosts
//	dealer: {ssh: me@h3, address: "h3.example:7000"}
//	nodes:
//	  alice: {ssh: me@h1, address: "h1.example:7000", data: [/srv/alice]}
//	  bob: {ssh: me@h2, address: "h2.example:7000", listen: ":7000", policy: bob-policy.yaml}
//
// The system's ssh is used, as a subprocess, with the user's configuration,
// agent, keys and known hosts; it is never let ask for a password, since several
// would ask at once. Nothing needs to be on the hosts but sh, tar and gzip.
//
// Each daemon gets the program, its own configuration, certificate and key, and
// the CA's certificate, and runs as long as the connection lasts: a shell beside it
// waits for the end of its standard input, which comes when this process closes
// it, dies, or is cut off, and then sends the daemon SIGTERM. So nothing is left
// running that nobody looks at. State stays on the hosts.
//
// As with tacet up one user owns all keys here; parties who do not trust each
// other each run their own node.
package launch
