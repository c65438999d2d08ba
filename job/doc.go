// Package job reads the files of a job: the job file (YAML) with its parties, settings and inputs, and
// the arrays in the files that it names (.npz, .safetensors, .npy, .csv). It resolves them into the spec that
// package party runs, writes results, and compares them with expected ones.
//
//	j, err := job.Load("job.yaml")
//	p, err := j.ReadProgram(ctx)
//	spec, err := j.RunSpec(p)       // or j.PlanSpec(p), which needs no owner's data
//	out, err := party.Run(ctx, spec)
//	err = job.WriteResults(j.Dir, out.Results)
//
// # The job file
//
//	program: program.mlir          # StableHLO text, a portable artifact of jax.export, or an ONNX model
//	shapes: {x: 1x3x224x224}       # of an ONNX model: shapes of inputs that the file leaves open
//	parties: [alice, bob]          # in rank order
//	protocol: semi2k               # default semi2k for 2 or more parties, plain for one; or aby3
//	ring: 64                       # bits, 32, 64 (default), 128 or auto
//	fraction: 18                   # fraction bits; default 8, 18, 26 for ring 32, 64, 128
//	computing: 2                   # how many parties compute, the first ones; default all (aby3: three)
//	inputs:                        # the owner of each program argument
//	  - {owner: alice, file: alice.npz}
//	  - {owner: bob, file: bob.npz, args: [1, 2]}
//	  - {owner: bob, file: ages.csv, arg: 3}
//	  - {public: true, file: public.npz}
//	  - {owner: bob, table: patients.csv, columns: [age, bmi], arg: 4, prepare: {bmi: {missing: mean}}}
//	  - {owner: bob, file: more.npz, args: [4, 5], range: [-1, 1]}   # range of all elements; or range: {4: [-1, 1], 5: [0, 255]}
//	  - {owner: bob, file: weights.npz, resident: true}   # services: shared once, for all requests
//	  - {kept: model, result: 1, arg: 4}   # nodes: a result that an earlier job has kept
//	outputs:
//	  reveal: [alice]              # parties that learn the results; default: all named parties
//	  keep: model                  # nodes: also keep the results as shares, under this name
//	  dir: out                     # folder for out0.npy, out1.npy, …
//	expect: {file: expected.npz, atol: 0.001, rtol: 0.001}
//	reveals: 1                     # maximum number of tensors revealed by @tacet.reveal and @tacet.reveal_to; default 0
//	set: {exp.mode: prime}         # options
//	checkpoint: {every: 50}        # loop iterations between two checkpoints
//	programs: {prefill: prefill.mlir}   # of a service: further programs, of which a request may name one
//	state: {2: 1}                  # of a service: result 1 of a request is argument 2 of the next one, as shares
//	restart: always                # of a service: open it again after each loss of its session
//
// Paths are relative to the job file. Only program, or task, and parties are required. The arrays of an .npz or .safetensors file are
// named arg0, arg1, … after the program's arguments; args lists the arguments that the file provides,
// so that a plan and the other parties need not read it. An .npy file holds one array; so does a .csv
// file, with one row per line, comma-separated numbers and an optional line of headings. An array must
// have the shape and element type of its argument; numbers in a .csv file are parsed as that type.
//
// A table, CSV or Parquet, provides an argument that is a matrix with a row for each row and a column for
// each feature that its columns are prepared to, or a vector of one feature; package table has the rules, and
// Table the keys. Its kinds and values are its owner's: an error about them is an *ElementError.
//
// A job with task instead of program generates its program: see Task.
//
//	task: {fit: glm, family: poisson, target: bob.claims, features: [alice.age, bob.visits]}
//	join: {method: aligned}        # row i of all tables belongs together
//
// # Errors
//
// Every mistake of the user is reported as an *Error that names the file and line, the mistake and the
// correction. An unknown key, an argument without a value or with two, and an array of another type
// than the program's are refused: a run that guessed could share the wrong secret.
//
// Files are checked before they are read: first array headers against the program's types, then
// values. Values that are shared must fit the fixed-point ring (CheckValues); public inputs are not
// encoded here and may have any value.
//
// An input may declare the range of its arguments, ends included, for floats and integers. Every
// reader of the file checks the range (CheckRange), of public inputs too. The parties compare the
// declared ranges before they start, and bounds of the values computed from the argument follow from
// them. An element outside the range, or NaN, is refused. Only the owner learns which element it is,
// but the other parties learn that the input was refused: a node's policy therefore says whether
// ranges of its inputs may be declared.
package job
