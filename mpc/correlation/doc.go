// Package correlation is correlated randomness: how protocols ask for it, how
// a dealer makes it, and where parties take it from.
//
// # Requests speak of masks
//
// A Mask is a node of a graph: fresh (every party's share from its own seed),
// owned (one party knows it whole), the result of a public linear map of
// other masks, or of a shuffle of one. A Request asks for a sharing of a function of masks: products
// of mask bits (XOR), a product in the ring of masks and functions of masks,
// thermometer tables of a mask's digits, a bilinear map of two masks, the wrap
// table of a truncation, the one-hot of an index's mask and what it picks. Requests carry ids, shapes, widths and public maps;
// they have no field that could hold an opened value, and they are made while
// the dataflow graph is built, before anything is opened. So the dealer learns
// the program's public shape and nothing else.
//
// # Shares from seeds
//
// The dealer and each computing party hold a seed in common, fresh for every
// session. A party's share of a mask or of dealt material is PRG(seed, id), so
// whatever may be uniform costs nothing; the last computing party's share of
// dealt material is what makes the sum right: its correction, the only thing a
// dealer sends. Its length is counted in bits and rounded up to bytes for each
// request.
//
// # Ids
//
// An id is an operation instance and a count. It names one mask or one dealt
// vector, for ever: a source refuses an id that was taken before (ErrSpent).
// What is dealt may be used in any number of local evaluations, since every
// result leaves under a mask of its own; a mask opens one value.
//
// A session may have several forms, one after the other, for turns of a program.
// Their ids ascend (Turns); what an earlier form named, a later one names only as
// the mask of an input that stays what it was. A source of a turn gives that
// turn's ids alone.
//
// # On the way
//
// An order form is encoded (Form.Encode) with all that is dealt from: masks as
// a graph, each once, and the maps' coefficients. Its digest is that of the
// encoding, so that parties who compare digests have ordered the same to the
// last bit. DecodeForm takes what comes from outside.
//
// Corrections come in the order of the form, which is that of the program, as
// records with a checksum, over a wire or from a file. A Delivery holds those
// that have come; who needs one that has not yet is told when it has.
//
// # What each party sees
//
// The dealer sees requests and all seeds: it knows all masks, and neither
// inputs nor anything opened. A party sees its own seed and the last one also
// corrections; a correction is a dealt value minus the other parties' uniform
// shares, hence uniform to it as long as one other party keeps its seed from
// it. The dealer must collude with no computing party. It may be one of the
// parties, who computes nothing: its own inputs are masked by the sum of what
// the computing parties' seeds give (Masker), each of which lacks the other's.
package correlation
