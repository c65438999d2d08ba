// Package pair is the offline phase of two parties that have no dealer: it makes the random oblivious transfers
// (package ot) that a protocol of two parties uses online, and the keys with which it encrypts (package he).
//
// A dry run records in a Demand how many transfers each step of the protocol takes, and which party receives them, and
// which keys each party has to make, of which precision.
// Phase makes all of them: base transfers in one direction, an extension in that direction, and an extension in the
// other direction whose base transfers are 128 of the first. Its result, a Material, gives each step its transfers
// once. Sizes and rounds follow from the Demand, which depends on the program alone, so that the plan predicts them by
// running Phase without data.
//
// # Messages
//
// Rank 0 is the sender of the base transfers and the receiver of the first extension. Package ot says what each message
// hides.
//
//	round 1   both    keys that the demand has of the sender, each in a message
//	round 1   0 → 1   the point A, 32 bytes
//	round 2   1 → 0   128 points, 4096 bytes
//	round 3   0 → 1   16 trees, 4096 bytes; 15 bits for each transfer that rank 0 receives, and for 128 more if
//	                  rank 1 receives any
//	round 4   1 → 0   16 trees, 4096 bytes; 15 bits for each transfer that rank 1 receives
//
//	rounds 4, 5       where a direction has more than about 150,000 transfers: messages of the silent extension, from the
//	                  sender of the direction's transfers, 4 if rank 0 receives them and 5 otherwise
//
// If the parties have kept a State, keys that the other party has are not sent, an extension that was kept goes on with its
// next batch, without base transfers and trees, and transfers that are left from before are used first. Messages of the
// extension then arrive in round 1, those of the silent extension one round later, or in round 1 if the extension makes none.
//
// Numbers of transfers are rounded up to a multiple of 64 in each direction. Round 4 is left out if rank 1 receives
// none, and a session without any transfer sends keys only.
//
// # Single use
//
// A transfer that served two products would give one party an equation between two secrets of the other one. So the
// requests of a Demand have distinct ids, Material gives each request its own part of the transfers, and it gives it
// once: a second call returns ErrSpent.
//
// A State serves one session too. What a session leaves, a new State, has the transfers that it has not used, and counts
// the batches of both extensions; the hash's key and all seeds of ciphertexts and responses are drawn for each session.
// party/offline.PairStore marks a State as used, durably, before anything of it is sent.
package pair
