//go:build race

package semi2k

// raced makes sweeps short.
const raced = true
