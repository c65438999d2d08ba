// Package launch runs a cluster on several machines over ssh, for experiments of one user with logins
// on all of them.
//
//	program: tacet                  # path of the tacet to copy; default: the running one
//	dir: launch                     # local folder of certificates and configurations, created if it does not exist
//	remote: tacet                   # folder on the hosts, below the home folder; it has a folder for each daemon
//	ssh: [-p, "2222"]               # further options of ssh, for all hosts
//	dealer: {ssh: me@h3, address: "h3.example:7000"}
//	nodes:
//	  alice: {ssh: me@h1, address: "h1.example:7000", data: [/srv/alice]}
//	  bob: {ssh: me@h2, address: "h2.example:7000", listen: ":7000", policy: bob-policy.yaml}
//
// The system's ssh runs as a subprocess with the user's configuration, agent, keys and known hosts. It
// never asks for a password, since several processes would ask at once. The hosts need only sh, tar
// and gzip.
//
// Each host gets the program, the daemon's own configuration, certificate and key, and the CA's
// certificate. The daemon runs as long as the ssh connection lasts: a shell beside it waits for the
// end of its standard input, which comes when this process closes it, dies or is cut off, and then
// sends the daemon SIGTERM. So no daemon keeps running unattended. State stays on the hosts.
//
// As with tacet up, one user owns all keys; parties that do not trust each other each run their own
// node.
package launch
