// Package pca finds the principal components of columns that several parties own, row i of all of them belonging together.
//
//	shape, err := pca.Shape{Parties: []string{"alice", "bob"}, Features: []int{2, 3}, Rows: n, Components: 2}.Resolve()
//	training := &pca.Training{Shape: shape, Data: features}
//	spec, err := training.Spec()
//	out, err := tacet.Run(ctx, spec)
//	result, err := shape.Result(out.Results, training.Names())
//
// Components are eigenvectors of the matrix of correlations S, which stays shared. Each owner standardises its columns and
// computes its own block of S in cleartext; blocks of two owners are secret products. For each component S/‖S‖ is squared
// 10 times, normalised in between: that is its 1024th power, in which the largest eigenvalue's projector v·vᵀ remains. v is
// that matrix's product with a public vector, and two further products with S. The next component is that of S − λ·v·vᵀ.
//
// The ratio of two neighbouring eigenvalues decides how well they are told apart: at 0.99 the other one's part is 3·10^-5,
// at 0.999 it is 0.36. Then v is a mixture of both eigenvectors, and the variance that both explain together is right.
//
// With Hidden the rows are one party's, and only those that match count (package hidden): all of the matrix, and the means and standard
// deviations of these rows, are computed on shares from features that their owners standardise by all of their rows. In left and outer
// joins all rows of the keeper, or of both parties, count, and features that a row lacks have their owner's mean there.
//
// With Stacked the parties have the same columns of different rows: S follows, on shares, from each party's means, standard deviations and
// correlations, and no row is shared. With parties beside them, which have further columns of all rows, rows are shared too: the blocks
// of S of columns of both are sums of products of rows.
//
// # What is revealed
//
// Outputs, to the parties that learn results: components, their variances, and mean and standard deviation of each feature. The
// matrix of correlations is not revealed, but with all components it follows from them.
//
// # Costs
//
// Each party shares its columns once, 16 bytes an element (ring 128, 40 fraction bits). A squaring opens a matrix of features ×
// features, and takes about 14 rounds with its norm: a component about 200 rounds.
package pca
