// Package job turns a user's files into what package party runs: the job file
// (YAML) with its parties, settings and inputs, and the arrays in the files
// that it names (.npz, .npy, .csv). On the way back it writes results and
// compares them with expected ones.
//
//	j, err := job.Load("job.yaml")
//	p, err := hlo.ReadFile(j.Program)
//	spec, err := j.RunSpec(p)       // or j.PlanSpec(p), which needs no owner's data
//	out, err := party.Run(ctx, spec)
//	err = job.WriteResults(j.Dir, out.Results)
//
// # The job file
//
//	program: program.mlir          # StableHLO text, or what jax.export serialised
//	parties: [alice, bob]          # in rank order
//	protocol: semi2k               # default semi2k for 2 or more parties, plain for one; or aby3
//	ring: 64                       # bits, 32, 64 (default), 128 or auto
//	fraction: 18                   # default 8, 18, 26 for ring 32, 64, 128
//	inputs:                        # who owns which of the program's arguments
//	  - {owner: alice, file: alice.npz}
//	  - {owner: bob, file: bob.npz, args: [1, 2]}
//	  - {owner: bob, file: ages.csv, arg: 3}
//	  - {public: true, file: public.npz}
//	  - {owner: bob, file: more.npz, args: [4, 5], range: [-1, 1]}   # where all elements lie; or range: {4: [-1, 1], 5: [0, 255]}
//	  - {owner: bob, file: weights.npz, resident: true}   # of a service: shared once, for all requests
//	  - {kept: model, result: 1, arg: 4}   # of nodes: a result that an earlier job has kept
//	outputs:
//	  reveal: [alice]              # who learns the results; default: all named parties
//	  keep: model                  # of nodes: the results also stay there, as shares, by this name
//	  dir: out                     # where out0.npy, out1.npy, … are written
//	expect: {file: expected.npz, atol: 0.001, rtol: 0.001}
//	reveals: 1                     # how many tensors @tacet.reveal may reveal on the way; default 0
//	set: {exp.mode: prime}         # options
//	checkpoint: {every: 50}        # turns of a loop after which what it carries is set aside, as shares
//
// Paths are relative to the job file. Only program and parties must be there.
// An .npz file's arrays are named arg0, arg1, … after the arguments that they
// give; args says which of them are meant, so that a plan and other parties
// need not see the file. An .npy file holds one array; so does a .csv file,
// one row a line, numbers with commas between, a line of headings or none. An
// array has exactly the shape and element type of its argument; numbers in a
// .csv file are read in that type.
//
// # Refusals
//
// Everything that a user can get wrong is an *Error that says in which file
// and line, what, and what would be right. A key that the format does not
// have, an argument without a value or with two, an array of another type than
// the program's: each is refused, because a run that guesses would share the
// wrong secret.
//
// Files are checked before they are read: array headers against the program's
// types first, values after. What is shared must fit the fixed-point ring
// (CheckValues); public inputs are never encoded here and may hold anything.
//
// An input may declare the range of its arguments, ends included: of floats and
// integers. Whoever reads the file checks it (CheckRange), of public inputs too; the
// parties agree on it before they start, and what is computed of the argument is
// known to be bounded accordingly. An element outside, or NaN, is refused. Its owner
// reads which; the others do not, but that it is refused they see: so a node's policy
// says whether ranges may be declared of its inputs.
package job
