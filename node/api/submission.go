package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/printable"
)

// Submission is the message that asks the nodes of all its parties to run a job. The nodes get the same
// submission. Fields without a comment have the meaning that they have in job files (docs/settings.md).
type Submission struct {
	ID        string            `json:"id"`   // 128 random bits, hexadecimal
	File      string            `json:"file"` // base name of the submitter's job file
	Program   Program           `json:"program"`
	Parties   []string          `json:"parties"`          // in rank order
	Computing int               `json:"computing"`        // number of computing parties, the first of Parties
	Protocol  string            `json:"protocol"`         // name of the protocol
	Ring      int               `json:"ring"`             // bits
	Fraction  int               `json:"fraction"`         // fraction bits
	Network   string            `json:"network"`          // the declared network
	Set       map[string]string `json:"set,omitempty"`    // options by name
	Inputs    []Input           `json:"inputs,omitempty"` // inputs of owners, and kept results
	Public    []Public          `json:"public,omitempty"` // values of public arguments
	Reveal    []int             `json:"reveal"`           // ranks that learn the results
	Reveals   int               `json:"reveals"`          // maximum number of tensors that the program may reveal while it runs
	// Offline says that the job makes the correlated randomness of one run and stores it for later use; the
	// program does not run.
	Offline bool `json:"offline,omitempty"`
	// Serve says that the job is a service: it stays, with its resident inputs, and evaluates requests.
	Serve bool `json:"serve,omitempty"`
	// Batch is the maximum number of requests that a service evaluates as one batch; 0 means 1.
	// Nodes may reduce it.
	Batch int `json:"batch,omitempty"`
	// Restart is RestartAlways for a service that opens again after each loss of its session; "" for a service
	// that ends then.
	Restart string `json:"restart,omitempty"`
	// Programs are a service's further programs by name; each request names one of them, or none for Program.
	Programs map[string]Program `json:"programs,omitempty"`
	// State maps each argument that a service replaces after each request to the number of the result that replaces it.
	State map[int]int `json:"state,omitempty"`
	// Keep is the name under which the nodes keep the results as shares; "" to keep none.
	Keep string `json:"keep,omitempty"`
	// Checkpoint is the number of loop iterations between two checkpoints; 0 for no checkpoints.
	Checkpoint int `json:"checkpoint,omitempty"`
	// Resume is the id of the job from whose newest checkpoint this job resumes; "" for none.
	Resume string `json:"resume,omitempty"`
	// Task, if not nil, is the task whose program Program is. Inputs are then tables of the owners' catalogues.
	Task *Task `json:"task,omitempty"`
}

// SubmissionMessage is the JSON body of the request that submits a job: the submission, and the submitter's
// protocol number. Nodes of release 0.1.0 do not know the number and refuse the message. Otherwise they would
// accept a job that other nodes refuse.
type SubmissionMessage struct {
	*Submission
	ProtocolNumber int `json:"tacet_protocol"` // version.Protocol of the submitter
}

// Program is the program of a job as its submitter sends it, not parsed.
type Program struct {
	Name string `json:"name"` // path of the program's file at the submitter, for messages
	Text []byte `json:"text"` // the file's content, byte for byte: StableHLO text or a serialised portable artifact
}

// Digest returns "sha256:" followed by the SHA-256 hash of the program's text in hexadecimal. Policies name
// programs by it.
func (p Program) Digest() string {
	sum := sha256.Sum256(p.Text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Input names an input of a job: a file of one owner, or a kept result of which the parties have shares.
type Input struct {
	Owner string `json:"owner,omitempty"` // name of the party that owns the file; "" for a kept result
	// Kept is the name of results that an earlier job kept, and Result the number of one of them. Kept is "" for
	// an owner's file.
	Kept   string `json:"kept,omitempty"`
	Result int    `json:"result,omitempty"`
	// Name is the file's name in the job file, or the name of an entry in the owner's catalogue.
	Name string `json:"name,omitempty"`
	// Folder is the folder of the submitter's job file, which only a node on the same machine can use; "" if
	// Name is an entry in the catalogue.
	Folder string `json:"folder,omitempty"`
	Args   []int  `json:"args"` // numbers of the arguments that the input provides; null if the names of the file's arrays say so
	// Resident says that a service shares the input once for all requests.
	Resident bool `json:"resident,omitempty"`
	// Ranges has, for arguments among Args, the declared least and greatest value of all elements. The owner's
	// node checks the elements.
	Ranges map[int][2]float64 `json:"ranges,omitempty"`
}

// Public is the value of an argument that all parties know. The submitter sends it to all nodes.
type Public struct {
	Arg   int    `json:"arg"`   // number of the argument
	Array []byte `json:"array"` // content of an .npy file
	// Range, if not nil, is the declared least and greatest value of all elements.
	Range *[2]float64 `json:"range,omitempty"`
}

// MaxArguments is the maximum number of arguments of a job's program.
const MaxArguments = 10000

// MaxPrograms is the maximum number of a service's further programs.
const MaxPrograms = 16

// Bounds of a submission's texts and lists.
const (
	maxName    = 255  // bytes of a file name or of another name
	maxPath    = 1024 // bytes of a path
	maxParties = 256
	maxEntries = 10000 // inputs, public arguments, settings
)

// CheckTexts returns an error that names a text or list of the submission that is too long, or a text that
// cannot be printed. Texts of submitters appear on the screens of people who approve jobs, in lists of
// jobs and in logs.
func (s *Submission) CheckTexts() error {
	if len(s.Parties) > maxParties {
		return fmt.Errorf("the job names %d parties; at most %d are allowed", len(s.Parties), maxParties)
	}
	for what, n := range map[string]int{"inputs": len(s.Inputs), "public arguments": len(s.Public), "settings": len(s.Set), "reveal": len(s.Reveal),
		"state": len(s.State)} {
		if n > maxEntries {
			return fmt.Errorf("%s: %d entries; at most %d are allowed", what, n, maxEntries)
		}
	}
	check := func(what, text string, max int, err *error) {
		if *err == nil {
			*err = printable.Check(what, text, max)
		}
	}
	var err error
	check("the program's name", s.Program.Name, maxPath, &err)
	check("the job's name", s.File, maxPath, &err)
	check("protocol", s.Protocol, maxName, &err)
	check("network", s.Network, maxName, &err)
	check("keep", s.Keep, maxName, &err)
	check("resume", s.Resume, maxName, &err)
	check("restart", s.Restart, maxName, &err)
	for _, name := range s.Parties {
		check("a party's name", name, maxName, &err)
	}
	if n := len(s.Programs); n > MaxPrograms {
		return fmt.Errorf("programs: %d further programs; at most %d are allowed", n, MaxPrograms)
	}
	for name, p := range s.Programs {
		check("the name of a further program", name, maxName, &err)
		if name == "" {
			return errors.New("programs: a further program has no name (requests name it)")
		}
		check("the name of a further program's file", p.Name, maxPath, &err)
	}
	for key, value := range s.Set {
		check("the name of a setting", key, maxName, &err)
		check("a setting's value", value, maxName, &err)
	}
	if s.Task != nil && err == nil {
		err = s.Task.checkTexts()
	}
	return cmp.Or(err, checkInputTexts(s.Inputs))
}

// CheckTexts returns an error that names a text or list of the request that is too long, or a text that cannot
// be printed, as Submission.CheckTexts does.
func (r *Request) CheckTexts() error {
	if len(r.Inputs) > maxEntries {
		return fmt.Errorf("inputs: %d entries; at most %d are allowed", len(r.Inputs), maxEntries)
	}
	if err := printable.Check("program", r.Program, maxName); err != nil {
		return err
	}
	for i, in := range r.Inputs {
		if in.Kept != "" {
			return fmt.Errorf("input %d: requests name files, not kept results", i)
		}
	}
	return checkInputTexts(r.Inputs)
}

func checkInputTexts(inputs []Input) error {
	for i, in := range inputs {
		for _, x := range []struct {
			what, text string
			max        int
		}{{"owner", in.Owner, maxName}, {"name", in.Name, maxPath}, {"folder", in.Folder, maxPath}, {"kept", in.Kept, maxName}} {
			if err := printable.Check(fmt.Sprintf("input %d: %s", i, x.what), x.text, x.max); err != nil {
				return err
			}
		}
		if len(in.Args) > maxEntries || len(in.Ranges) > maxEntries {
			return fmt.Errorf("input %d: more than %d arguments or ranges", i, maxEntries)
		}
	}
	return nil
}

// ProgramDigests returns the digests of the further programs by name; nil if there are none.
func (s *Submission) ProgramDigests() map[string]string {
	if len(s.Programs) == 0 {
		return nil
	}
	out := map[string]string{}
	for name, p := range s.Programs {
		out[name] = p.Digest()
	}
	return out
}

// Digest returns the SHA-256 hash of the whole submission, in hexadecimal. Nodes compare it to check that they
// received the same submission.
func (s *Submission) Digest() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("api: submission: %v", err)) // plain data always has a text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Terms returns all fields of a submission as texts, by the names that job files have for them. Long values are
// replaced by their hash.
func (s *Submission) Terms() map[string]string {
	terms := map[string]string{"program": s.Program.Digest()}
	for name, p := range s.Programs {
		terms["program "+name] = p.Digest()
	}
	for name, value := range map[string]any{
		"name of the program": s.Program.Name, "name of the job": s.File, "parties": s.Parties, "computing": s.Computing, "protocol": s.Protocol, "ring": s.Ring,
		"fraction": s.Fraction, "network": s.Network, "set": s.Set, "inputs": s.Inputs, "public inputs": s.Public, "reveal": s.Reveal, "reveals": s.Reveals,
		"offline": s.Offline, "serve": s.Serve, "batch": s.Batch, "restart": s.Restart, "state": s.State, "keep": s.Keep, "checkpoint": s.Checkpoint, "resume": s.Resume, "task": s.Task,
	} {
		text, err := json.Marshal(value)
		if err != nil {
			panic(fmt.Sprintf("api: submission: %v", err)) // plain data always has a text
		}
		if len(text) > maxTerm {
			sum := sha256.Sum256(text)
			text = []byte("sha256:" + hex.EncodeToString(sum[:]))
		}
		terms[name] = string(text)
	}
	return terms
}

// maxTerm is the maximum length in bytes of a value in Terms.
const maxTerm = 80
