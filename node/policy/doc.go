// Package policy implements a node owner's consent: which programs the node may run, with which of its
// inputs, for which submitters. Everything that no rule allows is denied.
//
//	admins: [alice-admin]               # may list, approve, deny, cancel and fetch everything at this node
//	admins_may_add_rules: true          # may also add a rule that allows exactly one job again (Narrow); absent: false
//	rules:
//	  - name: credit model              # appears in messages and counts
//	    submitters: [carol]             # required
//	    programs: ["sha256:…"]          # digests of program texts, or any; required. Of a service, all programs
//	    protocols: [semi2k]             # or any; absent: semi2k, the default of jobs
//	    parties: [alice, bob]           # the job's parties in rank order, or any; absent: any
//	    computing: 2                    # how many of them compute; absent: any number that the protocol allows
//	    ring: 64                        # rings that may be used, such as [64, 128], or any; absent: see Arithmetic
//	    fraction: 18                    # numbers of fraction bits, or any; absent: see Arithmetic
//	    set: {exp.mode: taylor}         # settings with the values that they may have, or any; absent: see Arithmetic
//	    arguments: {0: alice, 1: [bob, carol], 2: public}   # owners of arguments, or any; absent: any party
//	    inputs: [alice.npz, customers]  # this party's inputs that may be used, or any; absent: none; or with the arguments that
//	                                    # they may provide: {a.npy: 0, b.npy: [1, 2], alice.npz: any}
//	    exactly: ["sha256:…"]           # of rules for tasks: digests of all that a task says; absent: any with these columns
//	    joins: [psi, hidden, stacked]   # of rules for tasks: methods by which rows of several tables may meet, or any; absent: none
//	    keys: [patients.id]             # with joins psi and hidden: columns of this party's tables that may make keys, or any
//	    reveal: [alice, bob]            # parties that may learn results, or any; absent: this party alone
//	    outputs: ["tensor<10xf32>"]     # types of results and of tensors revealed while a program runs, or any; absent: any
//	    reveals: 1                      # tensors that a program may reveal while it runs, or any; absent: 0
//	    owner_local_control: refuse     # no loops or branches whose conditions depend on this party's inputs alone; absent: allow
//	    ranges: true                    # jobs may declare ranges of this party's inputs; absent: false
//	    describe: true                  # submitters may learn types and shapes of these inputs without a job; absent: false
//	    runs: 10                        # in total, over restarts; absent: unlimited
//	    rate: 5/hour                    # or /second, /minute, /day; absent: unlimited
//	    approve: true                   # an admin must approve each job
//	    fetch: [carol]                  # names, besides admins, that may fetch results and reports
//
// A rule matches a submission if all of its fields do, runs and rate included. The first rule that
// matches decides. Adding a rule can thus only allow more, and removing one can only allow less; the
// order matters only for what a rule requires (approve) and grants (fetch).
//
// # Arguments
//
// A program's digest does not say who provides its arguments. A submitter who may choose another
// party's argument, for instance a public matrix in place of its weights, chooses what the result
// reveals about this party's inputs. Public arguments, whose values the submitter sends, are therefore
// allowed only where a rule lists them: {3: public}, or arguments: any. Other arguments may be any
// party's unless the rule names their owners. Results of earlier jobs (kept) count as arguments of the
// owner "kept".
//
// # Arithmetic
//
// A digest does not fix the ring either, nor the fraction bits and the settings (set) with which a program runs. In a
// ring that is too small products wrap around, and the result reveals low bits of what it was computed from.
// A rule that names programs by digest therefore allows, where it says nothing, only what jobs have by
// default: a ring of 64 bits, the ring's usual fraction bits, and no settings but those that choose costs
// only (optimize, offline.budget, sort, FUNCTION.table). A rule with programs: any allows all.
//
// # Facts
//
// A rule's submitters are identities, which TLS verifies before a submission is read: names in
// certificates, each with its organisation (carol@clinic) if the node's tls: ca lists organisations. The
// node determines all other facts itself: the program's digest, its number of reveals, the names of
// its own inputs, and the types of results. The owners of arguments that only file contents assign are
// known when the nodes have answered one another, before any input is read; the policy judges the job
// again then.
//
// # Counting
//
// For rules with runs or a rate, an [Enforcer] counts each run, each request to a service and,
// separately, each session of correlations that is made ahead of time, before it starts and writes the count
// to stable storage first. A crash can therefore waste a counted run but never allow an uncounted one. A job that
// ends before, because the owner's values are not as it declares, counts as one run: that it ends says something of
// the values.
// Counts are stored under the rule's name: a rule that is edited and keeps its name keeps its count; a
// rule with a new name starts at 0.
package policy
