// Package kmeans finds clusters of rows whose columns several parties own, by Lloyd's algorithm.
//
//	shape, err := kmeans.Shape{Parties: []string{"alice", "bob"}, Features: []int{2, 3}, Rows: n, Clusters: 4}.Resolve()
//	training := &kmeans.Training{Shape: shape, Data: features}
//	spec, err := training.Spec()
//	out, err := tacet.Run(ctx, spec)
//	result, err := shape.Result(out.Results, training.Names())
//
// Each owner standardises its columns in cleartext. Centres begin at rows that are drawn by a public seed. An iteration
// computes, on shares, the products of all rows and centres, the nearest centre of each row (the first of equally near
// ones) as a one-hot row, and the means of rows of each cluster; the centre of a cluster without rows stays. The number of
// iterations is public, and the same for all data.
//
// With Hidden the rows are one party's, and only those that match count (package hidden): others are in no cluster. A centre may begin at
// a row without a match, where the other party's columns are means of all of its rows. Centres are mapped back to the features' units on
// shares, in a ring of 128 bits, and no row's cluster is revealed. Of a left join all rows of the keeper count; those without a match have
// means, zeros, of the other party's features, and a cluster of which some rows match, but fewer than MinGroup, is withheld. A
// cluster without any match shows the means of all rows of the other party.
//
// With Stacked the parties have the same columns of different rows, each standardised by its owner and mapped on shares to the means and
// standard deviations of all rows; parties beside them have further columns of all rows. A cluster of which a party of the stacked tables
// has some rows, but fewer than MinGroup, is withheld.
//
// # What is revealed
//
// Outputs, to the parties that learn results: rows and centre of each cluster that has at least MinGroup rows, which
// clusters are empty and which are withheld (as package bins withholds), the sum of squared distances of rows from their
// centres, and mean and standard deviation of each feature, by which centres are mapped back. With Assign, the cluster of
// each row too. The rows at which centres begin are known by number; their values are not.
//
// # Costs
//
// Each party shares its columns once, 8 bytes an element. An iteration sends about 55 bytes a row and cluster, and
// 120 are dealt, in 26 rounds (20,000 rows, 5 clusters).
package kmeans
