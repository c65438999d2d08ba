// Package npy reads and writes NumPy's array files: one array (.npy) and
// archives of several (.npz).
//
// It reads format versions 1 to 3, C and Fortran order, both byte orders, and
// every element type that a program of Tacet's can have; bfloat16, which NumPy
// has no name for, is stored as two opaque bytes ("<V2"), as JAX's ml_dtypes
// does. Pickled objects, strings and records are refused.
//
// Files come from outside, so nothing is believed before it is checked: a
// header's shape must account for exactly the bytes that follow it before any
// memory is taken for them, and an archive's entry may not claim more bytes
// than its compressed data can expand to. Checksums of archives are verified.
//
// The reader is the house's own because those at hand take a header's word
// for the memory to allocate, panic on a damaged one, and lack half floats.
package npy
