// Package fault is a faulty network line between two parties, for tests of code that communicates
// over it: a proxy in this process that delays, throttles, stalls, drops, corrupts and cuts.
//
//	line := fault.New(seed)
//	defer line.Close()
//	addr, err := line.Listen("127.0.0.1:7001") // dialling addr reaches port 7001
//	line.Set(fault.Both, fault.Fault{Delay: 25 * time.Millisecond, Loss: 0.01})
//	line.At(fault.Back, 10_000, line.Cut) // after 10,000 bytes of answers
//
// A line knows bytes, not packets. Loss simulates what TCP makes of a lost packet: a stall of it
// and of everything behind it. The line's seed, the connection's number and the bytes' position
// decide which bytes stall, and At counts bytes: so a test with a seed meets its fault at the same
// byte every time, independent of the machine's speed.
//
// In a bubble of testing/synctest, which cannot wait for sockets, lines are dialled in memory
// (Dial) to a Port.
package fault
