// Package correlation is correlated randomness: how protocols request it, how a dealer makes it,
// and where parties take it from.
//
// # Requests are functions of masks
//
// A Mask is a node of a graph. It is fresh (each party's share comes from its own seed), owned (one
// party knows all of it), a public linear map of other masks, or a shuffle of one. A Request asks
// for a sharing of a function of masks: products of mask bits (XOR shares), a product in a ring of
// masks and functions of masks, thermometer tables of a mask's digits, a bilinear map of two masks,
// the wrap table of a truncation, the one-hot vector of an index's mask and the rows that it
// selects. Requests hold ids, shapes, widths and public maps. They have no field that could hold an
// opened value, and they are made while the dataflow graph is built, before anything is opened. So
// the dealer learns the program's public shape and nothing else.
//
// # Shares from seeds
//
// The dealer and each computing party have a seed in common, fresh for every session. A party's
// share of a mask or of a dealt value is PRG(seed, id), so that shares which may be uniform cost
// nothing. The last computing party's share of a dealt value is the difference of the value and the
// other shares: the correction, the only data that a dealer sends. The length of a correction is
// counted in bits and rounded up to bytes for each request.
//
// # Ids
//
// An id is an operation instance and a count. It names one mask or one dealt value, and is used
// once: a source refuses an id that it has given before (ErrSpent). A dealt value may be used in
// any number of local evaluations, since every result is opened under a mask of its own; a mask
// opens one value.
//
// A session may have several correlation manifests, one after the other, each for some requests to
// the service. Their ids ascend (ManifestSequence). A later manifest may name what an earlier one
// named only if that is the mask of an input that stays the same. The source of one service request
// gives that request's ids only.
//
// # Encoding and delivery
//
// A correlation manifest is encoded (Manifest.Encode) with everything that is dealt from: masks as
// a graph, each once, and the maps' coefficients. Its digest is the hash of the encoding, so that
// parties with equal digests have requested the same correlations to the last bit. DecodeManifest
// reads manifests from untrusted peers.
//
// Corrections arrive in the order of the manifest, which is the program's, as records with a
// checksum, from a connection or a file. A Delivery holds the corrections that have arrived and
// calls back those that wait for one that has not.
//
// # What each party sees
//
// Lemmas and proofs: docs/protocols/README.md#security-argument.
//
// The dealer sees requests and all seeds: it knows all masks, and neither inputs nor anything
// opened. A party sees its own seed; the last one also sees corrections. A correction is a dealt
// value minus the other parties' uniform shares, hence uniform to its receiver as long as one other
// party keeps its seed from it. The dealer must collude with no party. The dealer may be
// a party that does not compute: its own inputs are masked by the sum of what the computing
// parties' seeds give (DealerSource), and each computing party lacks the others' seeds.
package correlation
