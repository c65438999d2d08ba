//go:build race

package exp

// raced says that the race detector is on, which makes everything slow.
const raced = true
