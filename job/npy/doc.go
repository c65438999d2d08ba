// Package npy reads and writes NumPy's array files: single arrays (.npy) and archives of several
// (.npz).
//
// It reads format versions 1 to 3, C and Fortran order, both byte orders, and every element type of
// Tacet's programs; bfloat16, for which NumPy has no name, is stored as two opaque bytes ("<V2"), as
// JAX's ml_dtypes does. Pickled objects, strings and records are refused.
//
// The files are untrusted: a header's shape must account for exactly the bytes that follow before
// memory is allocated for them, and an archive's entry may not declare more bytes than its compressed
// data can expand to. Checksums of archives are verified.
//
// Existing Go readers were rejected because they allocate memory as a header demands, panic on damaged
// headers, and lack half-precision floats.
package npy
