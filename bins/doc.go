// Package bins compares the bins of columns with a target of 0 and 1, and sums columns over groups of rows, where several
// parties own the columns and row i of all of them belongs together.
//
//	b := &bins.Binning{Parties: []string{"alice", "bob"}, Rows: n, Features: features, Owner: 1, Target: y, MinGroup: 5}
//	spec, err := b.Spec()
//	out, err := tacet.Run(ctx, spec)
//	result, err := b.Result(out.Results)
//
// # Weight of evidence
//
// The owner of a feature puts its rows into bins in cleartext, as a matrix of one-hot rows. The positives of a bin are a
// row's product with the target, modulo 2^32. If P of the positives and N of the negatives of all rows are known, the
// weight of evidence of a bin with p positives and q negatives is ln((p/P)/(q/N)), and the information value of the
// feature is the sum of (p/P − q/N) times that. With a target that says to which of two samples a row belongs, the
// information value is the population stability index of both samples.
//
// # Groups
//
// The groups' owner knows how many rows each has. It sends a one-hot matrix in which the rows of withheld groups are 0; the
// sums of another party's column are a product with it.
//
// # Withheld bins and groups
//
// A bin is withheld if it has fewer than MinGroup rows, or rows of one class only, which would tell its owner the target of
// each; a group if it has fewer than MinGroup rows. Since totals are known, the withheld ones together are the total
// less the others. So if any is withheld, more are, in ascending order of their rows, until there are two of at least
// MinGroup rows together. The program computes this for bins with 6 comparisons each, so that the owner does not learn why
// a bin is withheld; for groups the owner computes it.
//
// # Hidden joins
//
// With Hidden the rows are one party's, and only those that match count (package hidden). One-hots of the other party come to these rows as
// shares, and so are all numbers of rows; which bins and groups are withheld is computed on shares. Bins of numbers are quantiles of all
// rows of their owner. If fewer than MinGroup rows match, nothing else is revealed: the pattern would show in which bin a row is.
//
// Of a left join all rows of the keeper count. Those without a match are in the bins of missing values of the other party's features. If it
// owns the groups they are one more group; else its values are summed over rows that match, whose number is revealed, and a group of
// which fewer than MinGroup match, but some, is withheld.
//
// # Stacked tables
//
// With Stacked each party has some of the rows, and all columns of them. Bounds of bins are known before any table is read, or, of features
// with a Grid, they are quantiles of all rows that the program finds from the parties' numbers of rows in the grid's cells; then they
// are revealed. A bin is withheld too if one party has rows of it, but fewer than MinGroup or of one class only.
//
// # What is revealed
//
// Outputs, to the parties that learn results: which bins and groups are empty and which are withheld (the pattern), rows
// and positives (sums) of the others, and the number of positives of all rows. Bounds of bins are revealed too: values of
// some row, about quantiles. Sizes of all messages follow from numbers of rows, bins and columns.
//
// # Costs
//
// Bins: 4 bytes a row and bin of the parties that do not own the target, 4 bytes a row for the target; then some hundred
// bytes a bin. Groups: 16 bytes a row and group, and a row and summed column of other parties (ring 128).
package bins
