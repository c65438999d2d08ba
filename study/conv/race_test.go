//go:build race

package conv

// raced reports whether the race detector is on; tests then run less.
const raced = true
