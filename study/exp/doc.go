// Package exp studies the exponential of a secret: bytes, rounds, memory, valid
// range, error and time of every exp.mode, alone and within generalised linear
// models.
//
// The exponential's argument is a product of secrets, as in a network or a
// model: it has to be opened under a mask first, and its double scale is not
// truncated before.
package exp
