//go:build !race

package node

import "time"

const (
	raced    = false
	patience = time.Second // the silence of simulated nodes
)
