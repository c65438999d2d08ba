// Package policy implements a node owner's consent: which programs the node may run, with which of its
// inputs, for which submitters. Everything that no rule allows is denied.
//
//	admins: [alice-admin]               # may list, approve, cancel and fetch everything at this node
//	rules:
//	  - name: credit model              # appears in messages and counts
//	    submitters: [carol]             # required
//	    programs: ["sha256:…"]          # digests of program texts; absent: any program
//	    inputs: [alice.npz, customers]  # this party's inputs that may be used, or any; absent: none
//	    reveal: [alice, bob]            # parties that may learn results, or any; absent: this party alone
//	    reveals: 1                      # tensors that a program may reveal while it runs, or any; absent: 0
//	    owner_local_control: refuse             # no loops or branches whose conditions depend on this party's inputs alone; absent: allow
//	    ranges: true                    # jobs may declare ranges of this party's inputs; absent: false
//	    runs: 10                        # in total, over restarts; absent: unlimited
//	    rate: 5/hour                    # or /second, /minute, /day; absent: unlimited
//	    approve: true                   # an admin must approve each job
//	    fetch: [carol]                  # names, besides admins, that may fetch results and reports
//
// A rule matches a submission if all of its fields do, runs and rate included. The first rule that
// matches decides. Adding a rule can thus only allow more, and removing one can only allow less; the
// order matters only for what a rule requires (approve) and grants (fetch).
//
// A rule's submitters are names in certificates, which TLS verifies before a submission is read. The
// node determines all other facts itself: the program's digest, its number of reveals and the names of
// its own inputs.
//
// # Counting
//
// For rules with runs or a rate, an [Enforcer] counts each run before it starts and writes the count
// to stable storage first. A crash can therefore waste a counted run but never allow an uncounted one.
// Counts are stored under the rule's name: a rule that is edited and keeps its name keeps its count; a
// rule with a new name starts at 0.
package policy
