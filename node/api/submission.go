package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Submission asks all nodes of its parties to run a job.
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
	Reveals   int               `json:"reveals"` // tensors that the program may reveal on its way
	// Offline asks for no run but for the correlated randomness of one, to be
	// put into the nodes' stores.
	Offline bool `json:"offline,omitempty"`
	// Serve asks for a service: it stays, with what its inputs say is resident,
	// and answers requests.
	Serve bool `json:"serve,omitempty"`
	// Batch is how many requests a service is to answer at once, at most; 0 is 1.
	// Nodes may allow fewer.
	Batch int `json:"batch,omitempty"`
	// Keep is the name under which the results stay at the nodes as shares, ""
	// if they do not.
	Keep string `json:"keep,omitempty"`
	// Checkpoint is after how many turns of a loop the nodes set aside what it
	// carries, 0 for never. Resume is the id of a job that broke off, from whose
	// newest checkpoint this one goes on, "" for none.
	Checkpoint int    `json:"checkpoint,omitempty"`
	Resume     string `json:"resume,omitempty"`
}

// Program is the program to run, as its file holds it.
type Program struct {
	Name string `json:"name"`
	Text []byte `json:"text"`
}

// Digest is the hash by which policies know the program: sha256 of its text.
func (p Program) Digest() string {
	sum := sha256.Sum256(p.Text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Input names values that a party holds, or all parties, as shares.
type Input struct {
	Owner string `json:"owner,omitempty"`
	// Kept and Result name, instead of an owner's file, a result that an earlier
	// job has kept.
	Kept   string `json:"kept,omitempty"`
	Result int    `json:"result,omitempty"`
	// Name is the file's name as the job has it, or one in the owner's
	// catalogue; Folder is where the job's file lies for whoever submits, which
	// an owner's node on another machine makes nothing of.
	Name   string `json:"name,omitempty"`
	Folder string `json:"folder,omitempty"`
	Args   []int  `json:"args"` // the arguments that it gives; null if it says so itself
	// Resident values are shared once for all requests of a service.
	Resident bool `json:"resident,omitempty"`
	// Ranges are where all elements of arguments among Args lie, as the owner's
	// node checks: the least and the greatest value.
	Ranges map[int][2]float64 `json:"ranges,omitempty"`
}

// Public is an argument that everybody knows.
type Public struct {
	Arg   int    `json:"arg"`
	Array []byte `json:"array"` // an .npy file
	// Range, if not nil, is where all elements lie, as of Input.
	Range *[2]float64 `json:"range,omitempty"`
}

// Digest is the hash of all that a submission says, by which nodes see that
// they were sent the same.
func (s *Submission) Digest() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("api: submission: %v", err)) // plain data always has a text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Terms are all that a submission says, by the names that job files have for
// it; what is long by its hash.
func (s *Submission) Terms() map[string]string {
	terms := map[string]string{"program": s.Program.Digest()}
	for name, value := range map[string]any{
		"name of the program": s.Program.Name, "name of the job": s.File, "parties": s.Parties, "computing": s.Computing, "protocol": s.Protocol, "ring": s.Ring,
		"fraction": s.Fraction, "network": s.Network, "set": s.Set, "inputs": s.Inputs, "public inputs": s.Public, "reveal": s.Reveal, "reveals": s.Reveals,
		"offline": s.Offline, "serve": s.Serve, "batch": s.Batch, "keep": s.Keep, "checkpoint": s.Checkpoint, "resume": s.Resume,
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

// maxTerm is how long a term may be that stands for itself.
const maxTerm = 80
