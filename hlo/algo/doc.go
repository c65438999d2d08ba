// Package algo holds the algorithms of StableHLO's structured operations (reductions, windows, scatters,
// gathers, convolutions), each once for all kinds of values. Package eval runs them on arrays, package exec on
// secrets. Both find elements at the same positions and combine them in the same order.
//
// # Values
//
// Values is what an algorithm needs of a kind of values: shapes, and copies by views. Combiner adds the
// combination of elements by a region. Region is the Combiner of a region over scalars: if all operations of
// the region are elementwise, each runs once on tensors that hold all instances, else the region runs once per
// instance.
//
// # Algorithms
//
// ReduceRows, FoldLists, ReduceOverlapping and ReduceSeparately combine neighbours in trees; StableHLO requires
// regions of reductions to be associative. CombineUpdates and Sequential apply the updates of a scatter.
//
// # Positions
//
// Window computes the positions of elements in windows with strides, padding and dilations. Indexed computes
// the positions of gather's and scatter's elements from index vectors. Updates groups updates by position.
// Reducer and Neutral recognise regions of one operation and their neutral elements.
package algo
