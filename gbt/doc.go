// Package gbt trains gradient-boosted trees on columns that several parties own, for a target of 0 and 1, and predicts
// with revealed ones.
//
//	s, err := gbt.Shape{Parties: []string{"alice", "bob"}, Features: []int{2, 1}, Rows: 1000, Owner: 1}.Resolve()
//	spec, err := s.Spec()                       // what all parties know
//	args, err := s.Args(0, gbt.Data{Features: alice})
//	out, err := tacet.Run(ctx, spec)            // with the parties' arguments
//	model, err := s.Model(out.Results, names)
//
// # Algorithm
//
// Each owner puts the values of a feature into bins at the feature's quantiles, in cleartext, and inputs one-hot vectors of
// bins. Gradients g and Hessians h of the logistic loss are integers with Bits fraction bits. One level of a tree:
//
//   - Histograms, the sums of g and h of each node's rows in each bin, are products of the one-hots with the vectors
//     (row is in the node)·g and ·h. Only left children's are computed: the right child's is the parent's less the left's.
//   - The gain G_L²/(H_L+λ) + G_R²/(H_R+λ) of each feature and bin follows from prefix sums over bins, which are local, by
//     quotients. Splits with H_L or H_R below MinWeight have gain −2^20. The last bin of a feature leaves all rows in the
//     left child; it stands for no split, so that all trees are complete and their shape is not visible.
//   - The split is the largest gain, the first of equal ones, as a secret one-hot vector.
//   - A row goes right if its bin is above the split's: the one-hots times the prefix sums of the split's vector.
//
// With Holdout, the logistic loss of rows that no tree is trained on is computed on shares after each tree. The model ends with
// the tree after which it is least; later trees are multiplied by 0 before anything is revealed.
//
// Integers are in Z_2^32 and exact; gains are fixed-point numbers. One-hots are input, and opened under their mask, once;
// messages' sizes depend on Shape only.
//
// # Hidden joins
//
// With Hidden the rows are one party's, and gradients of those that do not match are 0 (package hidden). One-hots of the other party come
// to these rows as shares, a column for each bin. Bins are quantiles of all rows of their owner.
//
// Of a left join all rows of the keeper count. Bin 0 of each feature of the other party has the rows without a match and no others, so that
// they lie below all values. Right sides of splits on these features have rows that match alone, of Hessians of MinWeight or more.
//
// # Stacked tables
//
// With Stacked each party has some of the rows, and all columns of them. Bins have the bounds Edges, which all parties know before any
// table is read, or bounds at quantiles of all rows in a range of Grids: each party counts its rows in the cells of the range, the cells
// of the quantiles are found on shares (package stacked) and revealed to each party, which then makes its one-hots in cleartext.
// Histograms are the sums of those of the parties' rows. MinWeight holds for each party's rows: a party that subtracts its own rows from
// what the model shows learns sums of at least 4·MinWeight rows of another party, as a Hessian is at most 1/4.
//
// # What is revealed
//
// The model, to the parties that learn results: each node's feature, bin and threshold, and the leaves' values. Nodes that
// are not split are part of it. With Holdout, the number of trees that are kept and the loss of the rows that are held out are
// revealed too; later trees are not. No gradient, histogram, gain or row is revealed. Thresholds are quantiles of a column, so
// that a bin's bound is a value of some row; of stacked tables they are among Edges, or bounds of cells of Grids. With Grids the bounds of
// all bins are revealed: to each party before the first tree (Early), and with the model.
//
// With OwnerSplits each owner of features learns more, while trees grow (Early): of each node of each tree that is trained, feature and bin
// if the split is on one of its features, and otherwise that it is not. A node without a split stands as one on the last bin of a
// feature, so that feature's owner learns that the node is not split. The owner computes in cleartext which rows go right, and inputs
// them as bits, zeros where the split is another party's: others do not learn whose feature it is. Where all ancestors of a node are
// the owner's, it knows the node's rows. A party that learns the model and has its own columns can compute as much, but for trees that
// Holdout leaves out.
//
// A model may also be kept as shares by nodes, so that no party learns it: KeptPrediction predicts with it.
//
// # Costs
//
// With n rows, C columns of one-hots (features times bins) and K nodes of a level: input 4·n·C bytes; each level opens 4·n·K
// elements of 4 bytes, and multiplies n × C matrices by 2·K columns (K with histograms, K to route). With OwnerSplits nothing is
// multiplied to route, and a quarter of these elements are bits.
//
// An owner multiplies by its one-hots as by any other matrix. To add each row to the sums of its bin would be less work, the same for all
// data, but other parties, who wait for the result, could tell from its time how rows of a bin follow each other: for 50,000 rows of 15
// features in 32 bins such additions took 20 to 24 ms if bins were random, and 25 to 29 ms if rows were sorted by bin.
package gbt
