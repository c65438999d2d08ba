// Package wire encodes the components of correlation manifests compactly, and decodes them from
// untrusted input.
//
// Numbers are varints; signed ones have their sign in the lowest bit. Vectors of public integers
// are packed at the width of the longest element, lists of positions as runs of equal steps.
//
// A Decoder reads from a stream under a budget of bytes and of words. It does not panic. It checks
// announced lengths against the budget before it allocates: its memory is at most a small multiple
// of the bytes that it may read and the words that it may make.
package wire
