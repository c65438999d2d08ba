//go:build !race

package node

const (
	raced = false
)
