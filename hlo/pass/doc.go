// Package pass rewrites programs so that they cost less on secrets.
//
// A pass takes a program and gives a new one with the same arguments and
// results; the one that it was given stays as it is. New operations have the
// position of the operation that they stand for, so that messages and costs
// name the program's own lines. Program.Verify accepts every result.
//
// # What a pass may do
//
// Values that all know, or one party, are computed natively, bit for bit as
// the program's types have it: on them a pass makes only changes that are
// exact. On secrets a number is a fixed-point number of fraction bits; a pass
// may round otherwise than the program, but not visibly worse, and each says
// at its top why it does not. Integers wrap as before. That secrets are never
// NaN may be assumed.
//
// What package pattern finds in a program it finds afterwards too.
//
// # The rest of a program
//
// Resume, which is no pass, makes of a program what is left of it from a turn of a
// loop on: another program, which takes what the loop carries then as arguments.
package pass
