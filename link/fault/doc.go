// Package fault is a line between two parties on which things go wrong, for
// tests of those who talk over it: a proxy in this process that delays,
// throttles, stalls, swallows, corrupts and cuts.
//
//	line := fault.New(seed)
//	defer line.Close()
//	addr, err := line.Listen("127.0.0.1:7001") // whoever dials addr reaches 7001
//	line.Set(fault.Both, fault.Fault{Delay: 25 * time.Millisecond, Loss: 0.01})
//	line.At(fault.Back, 10_000, line.Cut) // after 10,000 bytes of answers
//
// A line knows bytes, not packets: what a lost packet is to those who talk over
// TCP, a stall of everything behind it, is what Loss does. Which bytes stall is
// decided by the line's seed, the connection's number and the bytes' place, and
// At counts bytes: so a test with a seed meets its fault at the same byte every
// time, whatever the machine does meanwhile.
//
// Where time is to be the test's too, in a bubble of testing/synctest, which
// knows no sockets, lines are dialled in memory (Dial) to a Port there.
package fault
