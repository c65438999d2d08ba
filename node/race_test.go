//go:build race

package node

import "time"

const (
	raced    = true
	patience = 3 * time.Second // the silence of simulated nodes: this one is slow
)
