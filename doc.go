// Package tacet runs machine-learning programs on data that stays secret-shared
// among the parties that own it.
//
// For most uses three functions are enough:
//
//   - [Run] runs a program with all parties and the dealer in this process: to
//     develop a program, to test it, and to measure it. The process holds all
//     parties' data, so its user can see all of it.
//   - [Plan] predicts the costs of the same run without data, exact to the byte
//     but for large sorts.
//   - [Submit] runs a job among the parties' nodes, each of which holds its own data.
//     This is where data is protected.
//
// A program is StableHLO: [Parse] and [ReadProgram] read what JAX exports, and
// package [github.com/tacet-mpc/tacet/hlo/build] writes programs in Go. A [Spec]
// says who owns each argument and who learns the results:
//
//	p, err := tacet.ReadProgram("score.mlir") // two arguments: x, w
//	out, err := tacet.Run(ctx, tacet.Spec{
//		Program: p,
//		Parties: []string{"alice", "bob"},
//		Args:    []tacet.Arg{{Owner: 0, Data: x}, {Owner: 1, Data: w}},
//		Reveal:  []int{0}, // alice
//	})
//	scores, err := tacet.Float32s(out.Results[0])
//
// # Spec
//
// Zero fields have the job file's defaults:
//
//	Program    required
//	Parties    required: names in rank order
//	Args       required: one for each argument of the program's main function
//	Reveal     ranks that learn the results; nil: all parties, an empty slice: none
//	Protocol   "semi2k" ("plain" if there is one party); also "aby3", "cheetah", "plain"
//	Ring       64 bits; also 32, 128
//	Fraction   18 bits (8 in a ring of 32, 26 in a ring of 128)
//	Computing  how many of Parties compute, the first ones: all (3 for aby3, 2 for
//	           cheetah); the others share inputs and learn outputs
//	Network    "none"; "lan", "wan", "slow" or BITS_PER_SECOND/ROUND_TRIP, such as
//	           "1e9/1ms", slows links down to that speed
//	Reveals    0: how many tensors the program may reveal while it runs
//	Set        options, as in --set and in set: of job files
//
// An [Arg] has an Owner, which is a rank or [Public], and Data, an [Array]. [NewArray]
// makes an Array from a Go slice. Floats are encoded in fixed point: what is shared must be
// finite and below 2^(Ring−2−Fraction) in magnitude. docs/functions.md states the
// ranges.
//
// # Errors
//
// Every error has a kind, which errors.Is finds: [ErrUsage], [ErrUnsupported],
// [ErrRange], [ErrDenied], [ErrPeerLost], [ErrTolerance], [ErrLimit], [ErrInterrupted],
// [ErrInternal], or [ErrFailed] for all others. [Describe] gives its place, operation, argument, element, party and
// remedy, as the command's --errors json prints them. Error types for errors.As are
// [FieldError], [ProgramError], [ElementError], [LostError] and others.
//
// All functions return when their context ends, and leave no goroutine behind.
package tacet
