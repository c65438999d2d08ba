// Command tacet runs machine-learning programs on data that stays secret-shared among the parties that
// own it. JOB.yaml is a job file, and ID the id of a submitted job.
//
//	tacet run JOB.yaml                 run a job with every party in this process
//	tacet plan JOB.yaml                predict what the job will cost, without its data
//	tacet glm --alice A --bob B        fit a generalised linear model on two tables in this process
//	tacet offline JOB.yaml             make its correlated randomness ahead of time
//	tacet store list|verify|prune DIR  manage what offline has made
//	tacet up, tacet down               start and stop a test cluster on this machine
//	tacet launch --hosts FILE          run nodes and a dealer on several machines over ssh
//	tacet node, tacet dealer           run the daemon of one party, or the dealer
//	tacet submit JOB.yaml              run a job on the parties' nodes
//	tacet jobs, tacet fetch            list jobs at nodes, and fetch results
//	tacet review|approve|cancel ID     read a job's program at a node, and decide about the job
//	tacet serve JOB.yaml               open a service at the nodes
//	tacet request ID                   send a request to a service
//	tacet kept export|import|key       move this party's shares of kept results to another machine
//	tacet audit                        show and verify a node's audit log
//	tacet import MODEL.onnx            import an ONNX model: program, weights and job file
//	tacet export MODEL.json            write a revealed model of glm, lr or gbt as an ONNX model
//	tacet inspect PROGRAM.mlir         list a program's arguments, results and operations
//	tacet report A.json [B.json]       show a report, or compare two
//	tacet bench                        measure operations or, with --calibrate, this machine
//	tacet study exp|conv|relu          answer a question about costs with measurements
//	tacet cert COMMAND                 certificates, for nodes on several machines
//	tacet version                      print version, Go version and CPU features
//
// The exit code is 0 on success, 1 if a job failed, 2 on wrong usage or a bad file, and 3 if results
// differ from the expected ones by more than the tolerance. An error is one line on standard error.
// Every command has --help.
package main
