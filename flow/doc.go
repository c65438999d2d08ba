// Package flow runs one party's side of a session as a dataflow graph.
//
// Protocol code builds the graph: it runs once, in program order, and every step that it adds (Do:
// local work, Exchange: messages) returns a Future of its result at once. A step runs when its
// dependencies are done, on a bounded pool of workers of the process; the first step that becomes ready
// when another one is done runs next, on the same worker. An exchange sends as soon as
// it can and waits without holding a worker. Everything that decides what is sent (shapes, rings,
// which forms of a value exist) is known while the graph is built, so it is the same at every party
// in whatever order steps run: ids, bytes, rounds and results do not depend on scheduling.
//
// # Steps that depend on messages
//
// A step may add further steps when it runs (Then), where what is sent next depends on values that
// arrived. All parties must know these values by then, or they would not add the same steps. Ids
// and message numbers of such steps are reserved (Reserve). In a dry run nothing arrives; the step
// then has to choose the expected steps itself, and marks the operation's costs as an expectation
// (Expect).
//
// Steps that make random or dealt values are Lazy: they run when a step that needs them has all its
// other dependencies, so that a graph that is built far ahead of its messages holds no masks.
//
// # Dry runs
//
// In a dry run vectors have no storage, steps run when they are added, and an exchange sends
// nothing but counts. The same protocol code therefore predicts its costs; there is no second
// implementation of costs.
//
// # Clocks
//
// Every step has a logical clock: the largest clock of its dependencies, plus one for an exchange,
// whose senders' clocks travel with their messages. The largest clock is the number of rounds. A
// dry run also records the exchanges on the path to the largest clock, and books them as their
// operations' shares of the longest path.
//
// # Bounds and errors
//
// Admit blocks the builder while too much is in flight, so that a long loop cannot run ahead
// without limit. The first error ends the graph: nothing further runs, and Wait returns it.
package flow
