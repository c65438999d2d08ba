// Package wire writes what order forms are made of as bytes, compactly, and
// reads them from somebody who may send anything.
//
// Numbers are varints, signed ones with their sign in the lowest bit. Vectors
// of public integers are packed at the width that the largest of them takes,
// lists of positions as runs of equal steps.
//
// A Decoder reads from a stream under a budget of bytes and of words. It
// never panics, and before it makes room for anything that has been announced
// it sees to it that the budget covers that: what it allocates is at most a
// small multiple of the bytes that it may read and the words that it may make.
package wire
