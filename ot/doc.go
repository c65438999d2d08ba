// Package ot makes random oblivious transfers between two parties: in each, the sender gets two random strings and the
// receiver a random bit and the string that the bit chooses. All else that two parties without a dealer compute on
// shares is made of them (package cheetah).
//
// The package does no input and output. Each protocol is a sequence of functions that take the message of the peer and
// return the next one; messages have fixed sizes, which follow from the number of transfers.
//
// # Protocols
//
// Base transfers (BaseSender, BaseReceive) are those of Chou and Orlandi (Latincrypt '15) over ristretto255, 128 of
// them: the sender sends A = a·G, the receiver answers with B = b·G or b·G + A, and the keys are hashes of a·B,
// a·(B − A) and b·A.
//
// Extension (Sender, Receiver) is SoftSpokenOT (Roy, Crypto '22) with blocks of 8 bits, for semi-honest parties: the
// 128 base transfers are 16 groups of 8. For each group the receiver of the extension makes a tree of 256 seeds, and
// the sender learns all of them but one, whose position is 8 bits of its secret Δ. Sums of the seeds' streams give both
// parties, for each transfer, blocks t and q with q = t ⊕ c·Δ. The receiver sends 15 bits for a transfer: the choice c
// is the sum of the first group's streams, for which nothing is sent.
//
// Silent extension (SilentSet) is that of Ferret (Yang and others, CCS '20) with regular noise and half-trees (Guo and
// others, Eurocrypt '23): of transfers that another extension made it makes 10 to 30 times as many for one message of the
// sender, 16 bytes for each level of a tree.
//
// Strings (Hash) are H(x, i, j) = π(π(x) ⊕ (i, j)) ⊕ π(x) of x = q, x = q ⊕ Δ and x = t: the construction of Guo, Katz,
// Wang and Yu (S&P '20), tweakable and circular correlation robust in the ideal cipher model. π is AES-128 under a key
// of the session, i the number of the transfer and j that of the block within its string.
//
// # What each party sees
//
// Both parties follow the protocols (semi-honest).
//
//   - Base, at the receiver: A, which hides a (discrete logarithm). The key that was not chosen is the hash of a
//     Diffie-Hellman value of A and b·G, which the receiver cannot compute (CDH).
//   - Base, at the sender: B, which is uniform whatever the choice is.
//   - Trees, at the sender of the extension: 16 bytes for each side of each level of a tree, each encrypted with a key
//     of a base transfer. The sender has one key of each pair. The seed at position Δ of a tree, and those on the path
//     to it, remain pseudo-random.
//   - Extension, at the sender: 15 strings of n bits. The stream of the unknown seed is part of each, so each is
//     uniform: the choices remain hidden.
//   - Silent extension, at the receiver: for each level of a tree the sum of the left nodes plus a block q. It knows q
//     plus its choice times Δ, and so the sum of one side; the other one's is masked by Δ.
//   - Silent extension, at the sender: nothing. Choices are a code word of random bits plus one error in each tree (LPN).
//   - Extension, at the receiver: nothing. Δ stays hidden, and with it the strings that were not chosen.
//
// Nobody detects a party that deviates.
//
// # Constant time
//
// No branch and no memory address depends on a choice, Δ, a seed or a string. The tree at the sender is ordered by
// position ⊕ Δ, so that the missing seed is the first one for every Δ. Trees of the silent extension are in the order of
// positions, and nodes are chosen by masks.
package ot
