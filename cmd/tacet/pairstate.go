package main

// pairFlag is the flag of commands that run or plan sessions of two parties without a dealer.
type pairFlag struct {
	PairState string `placeholder:"DIR" help:"Folder in which two parties without a dealer (protocol cheetah) keep keys and oblivious transfers from one session to the next, for a day: DIR/PARTY for each. Created if it does not exist."`
}
