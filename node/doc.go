// Package node is the daemon of one party: it accepts jobs from the submitters that the owner's policy
// allows, and runs the party's side of them together with the nodes of the other parties.
//
// # The course of a job
//
// The submitter sends a submission to the nodes of all parties, and each node judges it by its own
// policy. The node of rank 0 is the job's leader. It asks the nodes to reserve a slot each, from the
// last rank down to its own, and holds either all slots or none, so that two leaders that need each
// other's slots cannot deadlock. The answers also list the arguments that each party's input files
// provide; with the owners known, each node plans the job and reserves memory. If the session needs the
// dealer, the leader then waits until the dealer accepts connections. Then the leader draws
// the session id and starts the session at all nodes. The nodes connect, each rank dialling all lower
// ranks, with one connection per pair of parties and session, and join (party.Join). A failure ends
// the session; there is no retry within a session.
//
// # States
//
// The function jobstate.Step holds the states of all jobs and all decisions about them: it takes a state
// and an event to the next state and the effects that the node carries out, in order. It does no I/O and
// reads no clock; its transcripts are in jobstate/testdata. The node takes its one lock for a step and
// its effects; whatever takes long (planning, sessions, messages to other nodes) runs outside of it and
// ends with an event. The table lists the states that a job may have after an event, by its state
// before. Events that are not in it, and "-", change no state.
//
//	event           none                                         pending    queued          running                       ended
//	Submitted       pending/queued/denied                        -          -               -                             -
//	Approved        -                                            queued     -               -                             -
//	Declined        -                                            denied     -               -                             -
//	Cancelled       -                                            cancelled  cancelled       -                             -
//	OwnersKnown     -                                            denied     denied          -                             -
//	Judged          -                                            -          running/denied  -                             -
//	Released        -                                            failed     failed          -                             -
//	Attempt         -                                            failed     failed          -                             -
//	Probed          -                                            -          failed          -                             -
//	DealerProbed    -                                            -          failed          -                             -
//	Answered        -                                            -          failed          -                             -
//	Assigned        -                                            -          failed          -                             -
//	SessionStarted  -                                            -          failed          -                             -
//	SessionEnded    -                                            -          -               queued/done/failed/cancelled  -
//	Tick            -                                            failed     failed          -                             -
//	Restored        pending/queued/done/failed/denied/cancelled  -          -               -                             -
//	Unwritten       -                                            none       none/pending    failed                        none
//	Removed         -                                            -          -               -                             none
//
// A job that is pending waits for an admin, a queued one for slots and memory at all nodes, and a running
// one has a session. The others have ended, as done, failed, denied or cancelled, and stay so until they
// are removed. A queued job holds a slot between Reserve and Released or a Tick, and a running one until
// its session ends. Unwritten undoes a step that could not be written to the disk.
//
// # Services
//
// A service is a job that stays and answers requests (party.Service). A request is sent to all nodes,
// like a submission. The leader forms batches of queued requests and announces them, and the parties
// evaluate a batch side by side. A node declines a request of a batch if it does not have it or if its
// policy or its files do not allow it: it does so in the batch's first step, before any input is
// shared. Only the submitter learns its reason.
//
// If a service with api.RestartAlways loses its session after it was open, each node queues it again, and the
// leader opens it with another session after waits that grow (jobstate/reopen.go). Each opening is judged and
// counted as a run, and nothing of a lost session is used again. The requests that a session had fail with it:
// a node cannot know whether another party has learned their results.
//
// # Kept results
//
// If a job keeps its results, each node stores its shares when all parties have finished. A later job
// names kept results like inputs, and each node reads its own shares. The parties check that all
// shares come from the same run before they share anything.
//
// # Checkpoints
//
// If a job writes checkpoints of its loops (resume.Checkpoints), each node stores its shares of the
// live-in values in the job's folder. A job that resumes a failed one starts with the same files, as
// hard links: both jobs can then be resumed, whatever becomes of the second one, and each removes its
// own links. A resuming job is judged, counted and logged like any other.
//
// # Backups
//
// The state folder is backed up; the store is outside of it and is not. The state remembers how far this
// party's store and its peers' have been used (store.Memory), and how far the peers' audit logs went
// (audit.Head), so that a node which was restored is noticed by itself or by others.
//
// # What others learn
//
// All connections use TLS 1.3 with certificates on both sides, whose names are checked. A submission
// contains nothing about an owner's data except names. A submitter learns the states of its jobs; it
// learns results only if the policy of a party that learns them lists it under fetch. Other nodes
// learn which arguments this party's files provide; the packages party and semi2k say what they see of
// a run. The control API and the log contain no values. The disk holds this party's own shares of kept
// results and checkpoints, which reveal nothing without the shares of the other computing parties.
package node
