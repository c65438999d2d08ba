// Package bytecode reads the container that MLIR's bytecode is: sections,
// string, dialect, attribute and type tables, and the tree of operations with
// the numbers of the attributes, types and values that they name. What an
// attribute or a type means is its dialect's affair: package hlo knows the
// dialects that StableHLO's portable artifacts use.
//
// The format is MLIR's "MLIR Bytecode Format", versions 0 to 6. Every number
// in a file is held against the bytes that are left before anything is made
// of it, so that a file asks for memory in proportion to its size only.
package bytecode
