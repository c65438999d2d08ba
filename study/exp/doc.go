// Package exp studies the exponential of a secret: bytes, rounds, memory, valid range, error and
// time of every exp.mode, alone and within generalised linear models.
//
// The argument of the exponential is a product of secrets, as in a network or a regression: it has
// not been opened before, and its scale is still double (it is not truncated before the
// exponential).
package exp
