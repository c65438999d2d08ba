// Package metrics compares predictions with a target without revealing either.
//
//	e := &metrics.Evaluation{Parties: []string{"alice", "bob"}, Parts: parts, Link: glm.Logit, Owner: 1, Target: y,
//		Metrics: []metrics.Metric{metrics.AUC, metrics.KS, metrics.Confusion}, Thresholds: []float64{0.5}}
//	spec, err := e.Spec()
//	out, err := tacet.Run(ctx, spec)
//	result, err := e.Result(out.Results)
//
// The linear predictor of a row is the sum of the parties' parts, each computed by its party in cleartext from a
// model that all know. A score that one party owns is a part with the identity link.
//
// # Rankings
//
// AUC and KS need the order of the rows only. If several parties have parts, they round them to multiples of 2^-16, so
// that equal rows have equal sums; a single owner replaces its scores by their ranks. With q these integers and l the
// label, rows are sorted twice, by 2q + l and by 2q + 1 − l, by a sort that reveals no order. In the first order
// negatives are before positives of the same score, in the second after them. If S is the sum of the positions of the
// positives over both orders and P their number, then the area under the ROC curve is (S − P(P+1))/(2PN): ties count
// half. S is a public linear map of the sorted labels.
//
// KS is the largest of F_neg − F_pos over the second order and of F_pos − F_neg over the first one, each at all rows:
// within equal scores each order lowers its difference, so that the maximum is at the end of equal scores.
//
// # Lift and calibration
//
// Both are sums over rows at public places of the two orders: over the last ⌊f·n⌉ rows for each fraction f of Lift, and
// over equal parts of all rows for Calibration, whose predictions are sorted with the labels. Where a cut divides rows of the same
// score, the target's sum is the mean of both orders', of which one has the lowest values first and the other the highest: so
// it does not depend on the order of the tables' rows. A constant score has lift 1 everywhere.
//
// A target of other values than 0 and 1 is sorted with the scores as second key, ascending and descending, in units of its spread that its
// owner alone knows, in the wide ring of RMSE and R².
//
// Cuts lie at least five rows apart, or are equal, those of Lift and Calibration together: otherwise the difference of two sums would be a
// row's label, which the party that has the scores could assign to a row.
//
// # Hidden joins
//
// With Hidden the rows are the keeper's, and only those that match count. The sorts move each row's weight with its label, and sums of
// weights stand for positions: S is the sum of the positives' places among the rows that match. AUC, KS, RMSE and R² are quotients on
// shares, in the wide ring, so that the numbers of rows and of positives stay secret; a confusion matrix reveals both. A metric that
// does not exist, or is one of fewer than five matching rows, five for each threshold, is −1, R² 2. There are no lift and calibration,
// since they cut the rows that match at places that depend on their number. In a left join all rows of the keeper count, and the
// other party's part is 0 where no row matches.
//
// # What is revealed
//
// Outputs, to the parties that learn results: the number of positives (the sum of a target that is not of 0 and 1, for Lift
// and Calibration), S (so AUC), the maximum of KS times P·N, for each threshold the numbers of rows and of positives that
// reach it, for each fraction and each bin twice the mean of the target's sums in both orders, for each bin the sum of
// predictions, the sums of squares of RMSE and R². No score, order or label of a row is revealed, and sizes of all messages
// follow from the number of rows.
package metrics
