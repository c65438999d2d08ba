// Package hlo reads StableHLO programs, as text or as portable artifacts: it
// parses them into a typed intermediate representation with source positions,
// verifies every operation against StableHLO's rules, and infers which values
// are public.
//
// # Reading
//
// Parse and ReadFile take the MLIR text that jax.jit(f).lower(...).as_text()
// prints, in pretty form, in generic form ("stablehlo.x"(...) <{...}> : ...),
// or mixed. Whatever form the text uses, the same operation gives the same
// Op: shorthands are expanded ("applies stablehlo.add" becomes a region),
// integer lists become []int64 however they are spelt, defaults are filled
// in. What Tacet has no use for (locations beyond their names, attributes of
// other dialects, module and argument attributes) is skipped; dialect
// attributes of operations are kept as Opaque text, which Attrs.Dict opens.
//
// They also take what jax.export serialises (mlir_module_serialized, or all
// that Exported.serialize writes): MLIR bytecode (package bytecode) in VHLO, StableHLO's versioned copy, from version 0.9.0 on. It is told by its
// first bytes. VHLO's operations become those that the text would have given,
// with the attributes that VHLO flattens or renames put back. An operation's
// position is then its number in the file and the place in the Python source.
//
// # Errors
//
// Whatever the bytes, Parse returns a verified Program or an *Error that says
// where (line and column), in which operation, what is wrong, and where
// possible what can be done. Nesting, ranks, sizes and the memory that
// constants take are bounded; the time is linear in the text.
//
// # Operations
//
// One registry (registry.go and the ops_*.go files) describes every operation
// by an entry: how many operands, results and regions it has, its pretty form
// as a list of steps, its attributes with their defaults, and the function
// that infers its result types. A new operation is a new entry. Operations
// that need what Tacet has not (tokens, tuples, dynamic shapes, quantized
// types) are entries too, with the reason of the refusal.
//
// # Visibility
//
// Program.Visibility infers, for given visibilities of main's arguments,
// which values are public, known to one party, or secret. Program.Inspect
// prints a program's arguments, results and operations with it.
package hlo
