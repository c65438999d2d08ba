// Package policy is a node owner's consent: what the node may run, with which
// of its inputs, for whom. Nothing is allowed that no rule allows.
//
//	admins: [alice-admin]               # may list, approve, cancel and fetch everything at this node
//	rules:
//	  - name: credit model              # what messages and counts call it
//	    submitters: [carol]             # required
//	    programs: ["sha256:…"]          # digests of program texts; absent: any program
//	    inputs: [alice.npz, customers]  # this party's inputs that may be used, or any; absent: none
//	    reveal: [alice, bob]            # parties that may learn results, or any; absent: this party alone
//	    reveals: 1                      # tensors that a program may reveal on its way, or any; absent: 0
//	    own_control: refuse             # no loops or branches that this party's inputs alone decide on; absent: allow
//	    ranges: true                    # jobs may declare ranges of this party's inputs; absent: false
//	    runs: 10                        # in all, over restarts; absent: without end
//	    rate: 5/hour                    # or /second, /minute, /day; absent: without bound
//	    approve: true                   # an admin must approve each job
//	    fetch: [carol]                  # who, beside admins, may fetch results and reports
//
// A rule fits a submission when every one of its fields does, runs and rate
// included. The first rule that fits decides. Each rule thus only adds to what
// is let in, and taking one away never lets in what was denied with it; the
// order matters only for what a rule asks (approve) and gives (fetch).
//
// A rule's submitters are names in certificates, verified by TLS before a
// submission is read; everything else that is judged is what the node itself
// found: it computes the program's digest, counts its reveals and knows its own
// inputs' names.
//
// # Counting
//
// A [Keeper] counts, for rules with runs or a rate, each run before it starts
// and makes the count durable first. So a crash never gives a run for nothing;
// it may cost one. Counts are kept under the rule's name: who edits a rule and
// keeps its name goes on counting, who gives it a new name starts anew.
package policy
