//go:build !race

package interpolate

const raced = false
