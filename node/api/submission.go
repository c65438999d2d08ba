package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/tacet-mpc/tacet/printable"
)

// Submission asks the nodes of all its parties to run a job.
type Submission struct {
	ID        string            `json:"id"` // 128 random bits, hexadecimal
	File      string            `json:"file"`
	Program   Program           `json:"program"`
	Parties   []string          `json:"parties"` // in rank order
	Computing int               `json:"computing"`
	Protocol  string            `json:"protocol"`
	Ring      int               `json:"ring"`
	Fraction  int               `json:"fraction"`
	Network   string            `json:"network"`
	Set       map[string]string `json:"set,omitempty"`
	Inputs    []Input           `json:"inputs,omitempty"`
	Public    []Public          `json:"public,omitempty"`
	Reveal    []int             `json:"reveal"`  // ranks that learn the results
	Reveals   int               `json:"reveals"` // maximum number of tensors that the program may reveal while it runs
	// Offline asks for the correlated randomness of a run, stored for later use, instead of a run.
	Offline bool `json:"offline,omitempty"`
	// Serve asks for a service: a job that stays, with its resident inputs, and answers requests.
	Serve bool `json:"serve,omitempty"`
	// Batch is the maximum number of requests that a service evaluates as one batch; 0 means 1.
	// Nodes may reduce it.
	Batch int `json:"batch,omitempty"`
	// Restart is RestartAlways for a service that opens again after each loss of its session; "" for one that ends.
	Restart string `json:"restart,omitempty"`
	// Keep is the name under which the nodes keep the results as shares; "" to keep none.
	Keep string `json:"keep,omitempty"`
	// Checkpoint is the number of loop iterations between two checkpoints; 0 for no checkpoints.
	// Resume is the id of the job whose newest checkpoint this job resumes; "" for none.
	Checkpoint int    `json:"checkpoint,omitempty"`
	Resume     string `json:"resume,omitempty"`
}

// SubmissionMessage is the body of the request that submits a job. Nodes of release 0.1.0 refuse it
// because they do not know the second field: they would accept a job that other nodes refuse.
type SubmissionMessage struct {
	*Submission
	ProtocolNumber int `json:"tacet_protocol"` // as in the header version.ProtocolHeader
}

// Program is the program as its file holds it.
type Program struct {
	Name string `json:"name"`
	Text []byte `json:"text"`
}

// Digest returns "sha256:" and the hash of the program's text in hexadecimal, by which policies name
// the program.
func (p Program) Digest() string {
	sum := sha256.Sum256(p.Text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Input names an input file of one owner, or a kept result of which all parties have shares.
type Input struct {
	Owner string `json:"owner,omitempty"`
	// Kept and Result name a result that an earlier job kept, instead of an owner's file.
	Kept   string `json:"kept,omitempty"`
	Result int    `json:"result,omitempty"`
	// Name is the file's name in the job file, or a name in the owner's catalogue. Folder is the
	// folder of the submitter's job file; it matters only to a node on the same machine.
	Name   string `json:"name,omitempty"`
	Folder string `json:"folder,omitempty"`
	Args   []int  `json:"args"` // arguments that the input provides; null if the file's array names say so
	// Resident inputs are shared once for all requests of a service.
	Resident bool `json:"resident,omitempty"`
	// Ranges holds, for arguments among Args, the declared least and greatest value of all
	// elements. The owner's node checks them.
	Ranges map[int][2]float64 `json:"ranges,omitempty"`
}

// Public is an argument that is public to all parties.
type Public struct {
	Arg   int    `json:"arg"`
	Array []byte `json:"array"` // content of an .npy file
	// Range, if not nil, is the declared range of all elements, as in Input.Ranges.
	Range *[2]float64 `json:"range,omitempty"`
}

// MaxArguments bounds the arguments of a job's program.
const MaxArguments = 10000

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
	for what, n := range map[string]int{"inputs": len(s.Inputs), "public arguments": len(s.Public), "settings": len(s.Set), "reveal": len(s.Reveal)} {
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
	for key, value := range s.Set {
		check("the name of a setting", key, maxName, &err)
		check("a setting's value", value, maxName, &err)
	}
	return cmp.Or(err, checkInputTexts(s.Inputs))
}

// CheckTexts is Submission.CheckTexts for a request.
func (r *Request) CheckTexts() error {
	if len(r.Inputs) > maxEntries {
		return fmt.Errorf("inputs: %d entries; at most %d are allowed", len(r.Inputs), maxEntries)
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

// Digest returns the hash of the whole submission, by which nodes check that they received the same
// one.
func (s *Submission) Digest() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("api: submission: %v", err)) // plain data always has a text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Terms returns all fields of a submission by the names that job files have for them. Values longer
// than maxTerm are replaced by their hash.
func (s *Submission) Terms() map[string]string {
	terms := map[string]string{"program": s.Program.Digest()}
	for name, value := range map[string]any{
		"name of the program": s.Program.Name, "name of the job": s.File, "parties": s.Parties, "computing": s.Computing, "protocol": s.Protocol, "ring": s.Ring,
		"fraction": s.Fraction, "network": s.Network, "set": s.Set, "inputs": s.Inputs, "public inputs": s.Public, "reveal": s.Reveal, "reveals": s.Reveals,
		"offline": s.Offline, "serve": s.Serve, "batch": s.Batch, "restart": s.Restart, "keep": s.Keep, "checkpoint": s.Checkpoint, "resume": s.Resume,
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
