// Package node is the daemon of one party: it takes jobs from those whom the
// owner's policy allows, and runs the party's side of them with the nodes of
// the other parties.
//
// # A job's way
//
// A submission comes to all nodes of its parties, from whoever submits it, and
// each judges it by its own policy. The node of rank 0 leads: it asks the
// others for a slot, from the last rank to its own, and keeps all or none, so
// that leads that want each other's slots cannot block one another. With the
// slots come the arguments that each party's files give. Then it draws the
// session's id and starts the job everywhere; the nodes dial each other, higher
// ranks lower ones, one connection for every two parties of every session, and
// join (party.Join). What breaks ends with its session; another try is another
// session.
//
// # Services
//
// A service is a job that stays (party.Service). A request comes to all nodes
// like a submission; the lead says which is next, and the parties go through a
// turn. A node that has not got it, or whose policy or files do not allow it,
// declines in the turn's first step, before anything is shared, and says why to
// whoever asked it alone.
//
// # Kept results
//
// Of a job that keeps its results each node writes its shares down when all
// parties have finished. A later job names them like inputs, and each node
// takes its own; that all are parts of one run the parties compare before they
// share anything.
//
// # Checkpoints
//
// Of a job that sets aside what its loops carry (party.Checkpoints) each node has
// its shares in the job's folder. A job that goes on from one that has broken off
// begins with the same files, as links: so both may be gone on from, whatever
// becomes of the second, and each goes with its own folder. Judged, counted and
// written down it is like any other.
//
// # What others see
//
// Everything goes through TLS 1.3 with certificates on both sides, and names in
// them are checked. A submission says nothing of an owner's data but names. A
// submitter learns the states of its jobs, and results only where the policy of
// a party that learns them says so (fetch). Other nodes learn which arguments
// this party's files give; packages party and semi2k say what they see of a
// run. The control API and the log hold no values. On disk lie this party's own
// shares of what is kept or set aside, which reveal nothing without those of the
// other computing parties.
package node
