//go:build race

package interpolate

// raced reports whether the race detector is on; tests then run less.
const raced = true
