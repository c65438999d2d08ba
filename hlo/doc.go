// Package hlo reads StableHLO programs, as text or as portable artifacts. It parses them into a
// typed intermediate representation with source positions, verifies every operation against
// StableHLO's rules, and infers which values are public.
//
// # Reading
//
// Parse and ReadFile accept the MLIR text that jax.jit(f).lower(...).as_text() prints, in pretty
// form, in generic form ("stablehlo.x"(...) <{...}> : ...), or mixed. The same operation results in
// the same Op in every form: shorthands are expanded ("applies stablehlo.add" becomes a region),
// integer lists become []int64 in every spelling, defaults are filled in. Parts that Tacet does not
// need (locations except their names, attributes of other dialects, module and argument attributes)
// are skipped; dialect attributes of operations are kept as Opaque text, which Attrs.Dict parses.
//
// They also accept the output of jax.export (mlir_module_serialized, or all of Exported.serialize):
// MLIR bytecode (package bytecode) in VHLO, the versioned copy of StableHLO, from version 0.9.0 on.
// Bytecode is recognised by its first bytes. VHLO operations are converted to the operations that
// the text would have contained; attributes that VHLO flattens or renames are restored. The
// position of an operation is then its number in the file and its location in the Python source.
//
// # Printing
//
// Program.Print writes a program as text that Parse and XLA read, in pretty
// form where the registry has one.
//
// # Building
//
// Op.Infer makes an operation's results by the rules that texts are held
// against, and Op.RegionParams the parameters of its regions. Package
// hlo/build writes programs in Go with them; Program.Verify checks what was
// made or changed in memory.
//
// # Errors
//
// For any input Parse returns a verified Program or an *Error that contains the position (line and
// column), the operation, the reason and, if possible, a remedy. Nesting, ranks, sizes and the
// memory of constants are bounded; the running time is linear in the length of the text.
//
// # Operations
//
// One registry (registry.go and the ops_*.go files) describes every operation
// by an entry: how many operands, results and regions it has, its pretty form
// as a list of steps that read and print it, its attributes with their
// defaults, and the function that checks it and infers its result types. A new operation is a new entry. Operations
// that need what Tacet has not (tokens, tuples, dynamic shapes, quantized
// types) are entries too, with the reason of the refusal.
//
// # Visibility
//
// Program.Visibility infers, for given visibilities of main's arguments, which values are public,
// owner-local (known to one party), or secret. Program.Inspect prints a program's arguments,
// results and operations with their visibilities.
package hlo
