// Peers runs the same jobs with Tacet and with other systems, in alternation, and prints how long
// each takes and the ratio to Tacet's time.
//
// The other systems are SPU and CrypTen. Each is installed from PyPI into a Python environment of
// its own, which is created on first use. The scripts in folder drivers run them: like tacet bench
// --step, a script runs its task once for every line on standard input. Compilation, sharing and a
// first run therefore happen before any time is measured, and other load on the machine affects all
// systems alike. Every system has its own process for each job (CrypTen one per party), whose peak
// memory is the job's.
//
// The measured interval is as similar as the systems allow: from shared inputs to shared results,
// with all parties on this machine. SPU and CrypTen generate correlated randomness when they need
// it; Tacet generates it before. There are therefore two ratios: to Tacet's online phase, and to
// its online and offline phases together.
//
// Peers is a module of its own, so that the core does not depend on its requirements. It uses the
// core's command and none of its packages.
package main
