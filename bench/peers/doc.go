// Peers runs the same jobs with Tacet and with other systems, taking turns, and
// prints how long each takes and how many times as long as Tacet.
//
// The others are SPU and CrypTen, each installed from PyPI into a Python
// environment of its own that is made on first use. They are driven by the
// scripts in drivers: like tacet bench --step, a script runs its task once for
// every line that it is sent, so that compiling, sharing and a first run are
// done before clocks start, and whatever else the machine does meets all
// systems alike. Every system has a process (CrypTen one a party) for each job,
// whose peak memory is the job's.
//
// What a clock contains is as alike as the systems allow: from shared inputs to
// shared results, all parties on this machine. SPU and CrypTen make correlated
// randomness when they need it; Tacet makes it before, so there are two ratios,
// to its online phase and to online and offline together.
//
// This is a module of its own, so that nothing here weighs on the core; of the
// core it uses the command, no package.
package main
