package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Request asks all nodes of a service for one turn of it. It names files in
// place of those that the service's job names for what does not stay: of each
// owner's, in their order. Never data.
type Request struct {
	ID     string  `json:"id"` // 128 random bits, hexadecimal
	Inputs []Input `json:"inputs,omitempty"`
}

// Digest is the hash of all that a request says.
func (r *Request) Digest() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("api: request: %v", err)) // plain data always has a text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Served is a request as one node sees it: queued, running, done or failed.
type Served struct {
	ID        string    `json:"id"`
	Service   string    `json:"service"` // the job
	Node      string    `json:"node"`
	State     State     `json:"state"`
	Error     string    `json:"error,omitempty"`
	Inputs    []string  `json:"inputs"`  // of the node's party
	Results   int       `json:"results"` // how many lie here to be fetched
	Submitted time.Time `json:"submitted"`
	Started   time.Time `json:"started,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
}

// Turns is how the lead of a service says which requests are next, all at once.
type Turns struct {
	Turns []Turn `json:"turns"`
}

// Turn names a request by its id and its digest.
type Turn struct {
	Request string `json:"request"`
	Digest  string `json:"digest"`
}
