//go:build !race

package exp

const raced = false
