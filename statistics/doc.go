// Package statistics describes columns that several parties own, row i of all of them belonging together.
//
//	parties := []statistics.Party{{Name: "alice", Columns: alice}, {Name: "bob", Columns: bob}}
//	s := &statistics.Statistics{Parties: parties, Quantiles: []float64{0.5}, Correlation: true}
//	spec, err := s.Spec()
//	out, err := tacet.Run(ctx, spec)
//	result, err := s.Result(out.Results)
//
// Count, number of missing values, mean, variance (divisor n − 1), skewness, kurtosis and quantiles (with linear
// interpolation) of a column are its owner's to compute, in cleartext. The correlation of two columns of one owner is
// too. That of columns of two owners is a secret product: each owner standardises its columns, and the parties compute
// the sums of products of rows.
//
// # Hidden joins
//
// With Hidden, the rows are one party's, their weights of 1 and 0 are shares, and so are the columns of the other party (package
// psi). Each owner standardises its columns by all of its rows and computes their second to fourth powers and which values are
// missing; sums over rows that match, moments and correlations are computed on shares, in a ring of 128 bits. There are no
// quantiles, no moments of columns with fewer than five values in rows that match, and no correlations of fewer than five rows.
// A row then takes 16 bytes for each column, and 64 more for each column of numbers, 80 with correlations.
//
// In left and outer joins values that a row lacks count as missing, and in correlations as the mean of all rows of their owner. With few
// rows that match, correlations of columns of both parties are withheld: with one, they are the values of the other party in it.
//
// # Stacked tables
//
// A Stacked describes tables whose rows are those of one table. Each owner gives, as shares, count, mean, standard deviation and the third
// and fourth moments of its own rows, and their correlations; sums of squares about the common mean are combined from these by the
// parties' shares of the rows. Messages depend on numbers of columns only. Parties beside the stacked tables (Stacked.Beside) have further
// columns of all rows, which they describe alone. Correlations of these with columns of the stacked tables are sums of products of rows,
// which become shares then: 16 bytes for each row and column, to each other party.
//
// # What is revealed
//
// Outputs, to the parties that learn results, and nothing else. Sizes of all messages follow from the numbers of rows
// and columns. For correlations an owner replaces missing values (Column.Fill), so that the program does not depend on
// which are missing; without a replacement they are refused.
//
// # Costs
//
// Each party shares its standardised columns once, 8 bytes an element; the products add 8 bytes for each pair of columns
// and party.
package statistics
