//go:build !race

package semi2k

const raced = false
