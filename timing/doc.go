// Package timing predicts how long a plan takes. Machine holds the cost of each kind of local work
// on a machine, measured once by Calibrate. Simulate computes how long the steps of a dry run take
// on that machine over a given network.
//
// The simulation runs the steps recorded by the dry run (package flow's Trace) in the order in
// which a run would execute them. Each party builds its graph; a step is ready when its
// dependencies are done; ready steps wait for a free core, or for one that has slept to wake; a message waits until its line is free,
// occupies it for bytes/bandwidth, and arrives half a round trip later. The predicted time is
// therefore the length of the critical path:
//
//	rounds × (half the round trip + handling of a message)
//	+ bytes / bandwidth, unless overlapped by other steps
//	+ local work / cores, unless overlapped by other steps
//
// Local work is counted by the code that does it, in units of package flow's kinds of work. Of a result that is a view, such as an
// input as it came or a correction, nothing is counted.
//
// Not modelled: other load on the machine, and the memory bandwidth that cores share. What memory and caches cost in a run on average
// is in the times of Machine, which Calibrate of package party fits to runs.
package timing
