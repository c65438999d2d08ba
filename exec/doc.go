// Package exec walks a program and builds its dataflow graph for one party.
//
// # Walk
//
// The walk is sequential and the same on every party: each operation instance (loop iterations and calls
// included) takes the next number, which identifies its messages and masks. The owner of an operation's
// operands decides how it is evaluated:
//   - all operands are public: every party evaluates it at once, natively;
//   - all operands are public or known to one party: that party evaluates it in cleartext, in the program's
//     types, and the others know only its shape;
//   - otherwise it is an operation on secrets, looked up in this package's table and built from package fxp.
//     Operands that one party knows are shared (masked from the start) where they are combined with a secret
//     or with another party's value. If a party derived such an operand by public linear maps from values
//     with fewer elements, those values are shared instead, and the maps are applied to their shares
//     (known.go).
//
// A party walks a program twice: in a dry run, which finds the inputs to share, the correlation manifest and
// all costs, and in the real run. Inputs are shared in between, so the second walk needs no cleartext inputs.
//
// # Control flow
//
// Control flow follows public values only. For a secret predicate or index all branches run and one branch's
// results are selected. For a secret condition the body of a loop runs while.bound times, and iterations
// after the loop's end have no effect. A loop that would take more iterations returns the values it has by
// then, and no party learns that it was cut short.
//
// At the iterations of main's loops a walk reports the live-in values that a resumed execution would need
// (Config.Checkpoint). The resumed execution walks the program that pass.Resume makes of the rest, which
// takes those values as arguments.
//
// # Reveals
//
// @tacet.reveal reveals a value to all computing parties, which compute with it as a public vector among shares; it decides
// no branch, index or bound. @tacet.reveal_to reveals it to one computing party. The result is known to that party as its inputs are,
// but only when the graph runs (late.go): no walk waits for it. Both count against Config.Reveals.
//
// # Indices and scatters
//
// Secret indices are clamped, or checked for being out of bounds, as the operation requires, by comparisons,
// unless the program's text shows that they are in range. Then windows are looked up, or placed, without a
// round. Updates that set several elements at once are checked for equal indices by comparing all pairs. For
// update computations other than addition, updates whose windows may overlap are applied one after the other.
//
// Package hlo/algo says in which order and in which trees regions combine elements, and where windows lie. It
// does so for package eval too, so both packages combine the same elements.
//
// # Sorting
//
// Sorts reveal nothing about their order. Up to 64 rows are sorted by their ranks, counted from comparisons
// of all pairs at once, in 4 rounds. More rows are shuffled and sorted by comparisons that the computing
// parties learn (mpc.Sorts), if the comparator compares one function of both rows, or several in
// lexicographic order. Otherwise Batcher's merge exchange sorts them, 4 rounds a layer; ranks replace its
// first stages. sort=shuffle shuffles any number of rows, sort=network uses the network only. For n rows of
// 64-bit keys, the bytes that each of two parties sends, and the rounds:
//
//	64 rows        8.1 KB, 4 rounds     (network: 6.0 KB, 83 rounds)
//	256 rows       44 KB, 22 rounds     (network: 46 KB, 144 rounds)
//	10,000 rows    3.5 MB, 42 rounds    (network: 5.1 MB, 420 rounds)
//
// In the network, a comparator that compares one operand by value costs one comparison. Any other comparator
// is evaluated on all pairs of a layer at once, twice, so that rows that compare equal keep their order. Keys
// of shuffled rows are computed once a row.
package exec
