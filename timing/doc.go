// Package timing predicts how long a plan takes. Machine holds the cost of each kind of local work
// on a machine, measured once by Calibrate. Simulate computes how long the steps of a dry run take
// on that machine over a given network.
//
// The simulation runs the steps recorded by the dry run (package flow's Trace) in the order in
// which a run would execute them. Each party builds its graph; a step is ready when its
// dependencies are done; ready steps wait for a free core; a message waits until its line is free,
// occupies it for bytes/bandwidth, and arrives half a round trip later. The predicted time is
// therefore the length of the critical path:
//
//	rounds × (half the round trip + handling of a message)
//	+ bytes / bandwidth, unless overlapped by other steps
//	+ local work / cores, unless overlapped by other steps
//
// Not modelled: other load on the machine, and the memory bandwidth that cores share.
package timing
