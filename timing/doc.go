// Package timing says how long a plan will take: what a machine needs for each
// kind of local work (Machine, measured once by Calibrate), and how long the
// steps of a weightless run take on it over a given network (Simulate).
//
// The simulation runs the same steps that the weightless run made (package
// flow's Trace), in the order in which the run would: each party builds its
// graph, a step is ready when what it depends on is done, ready steps wait for
// one of so many cores, a message waits until its line is free, takes its bytes
// over the bandwidth, and arrives half a round trip later. So a time is what
// stands on the critical path:
//
//	rounds × (half the round trip + handling a message)
//	+ bytes / bandwidth, as far as nothing else hides them
//	+ local work / cores, likewise
//
// What it leaves out: whatever else the machine does, and that cores share
// memory's bandwidth.
package timing
