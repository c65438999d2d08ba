// Package conformance is the suite that every protocol passes, and that a new protocol
// runs from its own test:
//
//	func TestConformance(t *testing.T) { conformance.Run(t, mine.Protocol) }
//
// It runs every operation of mpc.Protocol, whether the protocol overrides it or uses the
// default, for each number of parties and each ring that the descriptor allows, and for
// the rings of integers. It checks:
//
//   - Results are those of package plain, exactly or within the rounding that the
//     operation's contract allows, on operands that include the ends of their range.
//   - Costs are those that the dry run predicts: bytes, messages and rounds of the online
//     phase, bytes by sender and rounds of the offline phase. They are also those of the
//     golden file testdata/conformance.txt below the protocol's folder, so that an operation
//     that gets more expensive fails a test (go test -run Conformance -conformance.rewrite
//     writes the file anew).
//   - What parties send each other online looks uniform, for fixed secrets: bits are
//     balanced and bytes equally frequent. This sees masks that are forgotten or used
//     twice within a message, not every leak; the argument that a protocol is secure
//     stands in its doc.go.
//   - What cannot be computed is refused: operands whose lengths do not fit the map, rings
//     that do not fit the operation, numbers of parties that the protocol does not have.
package conformance
