//go:build race

package conv

// raced says that the race detector is on, which makes everything slow.
const raced = true
