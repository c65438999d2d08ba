//go:build race

package relu

// raced reports whether the race detector is on; tests then run less.
const raced = true
