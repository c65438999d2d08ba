package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Request asks all nodes of a service to evaluate one request. Inputs names files that replace the
// service's non-resident inputs, in their order for each owner. It holds no data.
type Request struct {
	ID     string  `json:"id"` // 128 random bits, hexadecimal
	Inputs []Input `json:"inputs,omitempty"`
}

// Digest returns the hash of the whole request.
func (r *Request) Digest() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("api: request: %v", err)) // plain data always has a text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// RequestStatus is the status of a request at one node: queued, running, done or failed.
type RequestStatus struct {
	ID        string    `json:"id"`
	Service   string    `json:"service"` // id of the service's job
	Node      string    `json:"node"`
	State     State     `json:"state"`
	Error     string    `json:"error,omitempty"`
	Inputs    []string  `json:"inputs"`  // names of this party's inputs
	Results   int       `json:"results"` // number of results that can be fetched at this node
	Submitted time.Time `json:"submitted"`
	Started   time.Time `json:"started,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
}

// RequestBatch announces, from a service's leader to the other nodes, the requests of the next batch.
type RequestBatch struct {
	Requests []RequestRef `json:"requests"`
}

// RequestRef names a request by its id and digest.
type RequestRef struct {
	Request string `json:"request"`
	Digest  string `json:"digest"`
}
