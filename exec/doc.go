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
//     they meet a secret or another party's.
//
// A party walks a program twice: in a weightless graph, to find what inputs to
// share, what to order from the dealer and what all will cost, and then in
// earnest. Inputs are shared in between, so the second walk needs no clear
// data.
package exec
