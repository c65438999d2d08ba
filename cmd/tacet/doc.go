// Command tacet runs machine-learning programs on data that stays secret-shared among the parties that
// own it.
//
//	tacet run JOB.yaml            run a job with every party in this process
//	tacet plan JOB.yaml           predict what the job will cost, without its data
//	tacet glm --alice A --bob B   fit a generalised linear model on two tables
//	tacet offline JOB.yaml        generate its correlated randomness ahead of time
//	tacet store list|verify|prune DIR  manage what offline generated
//	tacet inspect PROGRAM.mlir    list a program's arguments, results and operations
//	tacet report A.json [B.json]  show a report, or compare two
//	tacet bench --calibrate       measure this machine, for the times of plans
//	tacet cert init|issue|show|request|sign    certificates, for nodes on several machines
//	tacet version                 print version, Go version and CPU features
//
// The exit code is 0 on success, 1 if a job failed, 2 on wrong usage or a bad file, and 3 if results
// differ from the expected ones by more than the tolerance. An error is one line on standard error.
// Every command has --help.
package main
