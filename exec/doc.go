// Package exec walks a program and builds its dataflow graph for one party.
//
// The walk is sequential and the same on every party: each operation instance
// (loop iterations and calls too) takes the next number, which names its
// messages and masks. What an operation does depends on who knows its
// operands:
//
//   - all public: it is evaluated at once, natively, by every party; control
//     flow follows such values only;
//   - all known to one party (or public): that party evaluates it in clear, in
//     the program's types, while the others know its shape;
//   - else it is an operation on secrets, looked up in this package's table and
//     built from package fxp. Known operands are shared (born masked) where
//     they meet a secret or another party's. If public linear maps made
//     one of others that the party knows, those are shared where they have
//     fewer elements, and the maps are applied to what is masked (known.go).
//
// Control flow follows public values only. By a secret predicate or index all
// branches run and one's results are chosen; by a secret condition the body of
// a loop runs as often as the job's while.bound says, and turns after the loop's
// end have no effect. A loop that would take more turns gives what it has by
// then, and nobody is told.
//
// At the turns of main's loops a walk says what another one would need to go on
// from there (Aside); that one walks the program that package pass makes of the
// rest (pass.Resume), which takes those values as arguments.
//
// Secret indices are clamped, or told to be out of bounds, as the operation
// asks, by comparisons of the indices, unless the program's text says that
// they are within; then windows are looked up, or placed, without a round.
// Updates that set several elements at once are told apart by comparing all
// pairs of indices; other bodies than addition whose windows may meet are
// applied one update after the other.
//
// Sorts reveal nothing of their order. Up to 64 rows are sorted by their ranks,
// counted from comparisons of all pairs at once, 4 rounds; more are shuffled and
// sorted by comparisons that the computing parties learn (mpc.Sorts), if the
// comparator compares one function of both rows, or several in turn; else by
// Batcher's merge exchange, 4 rounds a layer, whose first stages ranks replace.
// sort=shuffle shuffles any number of rows, sort=network takes the network
// alone. For n rows of 64-bit keys, bytes that one of two parties sends, and
// rounds:
//
//	64 rows        8.1 KB, 4 rounds     (network: 6.0 KB, 83 rounds)
//	256 rows       44 KB, 22 rounds     (network: 46 KB, 144 rounds)
//	10,000 rows    3.5 MB, 42 rounds    (network: 5.1 MB, 420 rounds)
//
// In the network, a comparator that compares one operand by value costs one
// comparison; any other is evaluated on all pairs of a layer at once, twice, so
// that rows that compare equal keep their order. Keys of shuffled rows are
// computed once a row.
//
// A party walks a program twice: in a weightless graph, to find what inputs to
// share, what to order from the dealer and what all will cost, and then in
// earnest. Inputs are shared in between, so the second walk needs no clear
// data.
package exec
