// Package bytecode reads the container format of MLIR bytecode: sections; string, dialect,
// attribute and type tables; and the tree of operations, which refer to attributes, types and
// values by number. The meaning of attributes and types is defined by dialects: package hlo knows
// those that StableHLO's portable artifacts use.
//
// The format is MLIR's "MLIR Bytecode Format", versions 0 to 6. Every count in a file is checked
// against the number of remaining bytes before memory is allocated, so that memory use is
// proportional to the size of the file.
package bytecode
