// Package he multiplies a vector of one party with numbers of another one by homomorphic encryption over the ring
// Z_Q[X]/(X^N + 1) (RLWE). Lemmas, sizes and errors: docs/protocols/cheetah.md#contractions.
//
// # What it does
//
// The party with the secret key, Q, encrypts numbers modulo 2^w as fractions of the modulus (Secret.Encrypt): a
// polynomial with a number in each coefficient that is used. The other party, P, multiplies ciphertexts by polynomials
// of its numbers, adds results of several of them into one polynomial by automorphisms (Context.Combine), and answers
// (Public.Respond). Each of the two then has a share modulo 2^w of each coefficient that is wanted (Secret.Finish).
//
// Slots multiply vectors element by element, modulo primes t: polynomials modulo t are given by their values at N roots of
// unity, and messages are the same with t in the place of 2^w.
//
// # Messages
//
// Polynomials named seeded are streams of AES-128 in counter mode that both parties expand, under a key derived from
// the session's seed and an id that serves once.
//
//   - Public key, Q → P: b = −a·s + e, a seeded.
//   - Switching key of an automorphism φ, Q → P: for each prime of Q, −a·s + e + P·φ(s) at that prime, a seeded, P here
//     the special prime.
//   - Ciphertext, Q → P: c0 = −c1·s + e + ⌊Q·v/2^w⌉ at the coefficients that are used, c1 seeded.
//   - Response, P → Q: c1. c0 is not sent: P's share is −⌊(z − c0)·2^w/Q⌉, z seeded, and Q's is ⌊(z + c1·s)·2^w/Q⌉.
//
// All of them are rounded to as many bits as the result needs (Plan): a rounded polynomial is its fraction of the
// modulus in so many bits, so that each string of bits of the right length is a polynomial.
//
// # Why it is secret
//
// Q's messages are RLWE samples, rounded; switching keys need the usual assumption on keys that are encrypted under
// themselves. P's response has c1 of a ciphertext to which an encryption of 0 under the public key, with fresh u and
// e1, is added: an RLWE sample with the secret u. z is uniform modulo Q and independent of all else, and so is P's
// share, whatever the weights and the noise are: the noise needs no flooding.
//
// Noise, secrets and u are drawn in constant time. Operations on secrets have no branches and no addresses that depend
// on them.
//
// Arithmetic is this package's own. lattigo v6 (ring, core/rlwe) imports testify and with it net/http/httptest and
// testing outside its tests, so that a program that uses it links them.
package he
