// Package flow runs one party's side of a session as a dataflow graph.
//
// Protocol code builds the graph: it runs once, in program order, and every
// step it asks for (Do: local work, Exchange: a message) returns at once a
// promise of its result (Of). A step runs when what it depends on is done, on
// a bounded pool of the process's workers; an exchange sends when it can and
// waits without holding a worker. Everything that decides what is sent
// (shapes, rings, which forms of a value exist) is known while the graph is
// built, so it is the same on every party whatever order steps happen to run
// in: ids, bytes, rounds and results do not depend on scheduling.
//
// # What depends on messages
//
// A step may make further ones when it runs (Then), where what is sent next
// depends on what came: on values that all parties know by then, or they would
// not make the same steps. Their ids and numbers of messages are set aside
// (Aside). In a weightless graph nothing comes; what makes steps then has to
// know by itself what to expect, and marks the operation's costs as an
// expectation (Expect).
//
// What is random or dealt is Lazy: it is made when what needs it has all else,
// so that a graph that is built far ahead of its messages holds no masks.
//
// # Weightless
//
// In a weightless graph vectors have no storage, steps run at once, and an
// exchange sends nothing: it counts. The same protocol code therefore says
// what it will cost; there is no second implementation of costs.
//
// # Clocks
//
// Every step has a logical clock: the largest of those it depends on, plus one
// for an exchange, whose peers' clocks travel with their messages. The largest
// clock is the number of rounds. A weightless graph also keeps which exchanges the
// largest clock came through, and books them as its operations' shares of the
// longest path.
//
// # Bounds and errors
//
// Admit blocks the builder while too much is in flight, so that a long loop
// cannot run ahead without limit. The first error ends the graph: nothing
// further runs, and Wait returns it.
package flow
