package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Request asks all nodes of a service to evaluate it once. It contains no private data.
type Request struct {
	ID string `json:"id"` // 128 random bits, hexadecimal
	// Program is the name of one of the service's further programs; "" for its first program.
	Program string `json:"program,omitempty"`
	// Inputs names files that replace the service's inputs that are not resident. Those of each owner are in the
	// order of the service's inputs.
	Inputs []Input `json:"inputs,omitempty"`
}

// Digest returns the SHA-256 hash of the whole request, in hexadecimal. Nodes compare it to check that they
// received the same request.
func (r *Request) Digest() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("api: request: %v", err)) // plain data always has a text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// RequestStatus is the status of a request at one node.
type RequestStatus struct {
	ID        string    `json:"id"`                // id of the request
	Service   string    `json:"service"`           // id of the service's job
	Node      string    `json:"node"`              // name of the party whose node reports the status
	State     State     `json:"state"`             // queued, running, done or failed
	Program   string    `json:"program,omitempty"` // name of the further program that it asks for; "" for the first program
	Error     string    `json:"error,omitempty"`   // why the request failed; "" otherwise
	Inputs    []string  `json:"inputs"`            // names of this party's inputs
	Results   int       `json:"results"`           // number of results that this node's party has learned and that can be fetched
	Submitted time.Time `json:"submitted"`         // when the node received the request
	Started   time.Time `json:"started,omitzero"`  // when its evaluation began; the zero time if it has not
	Ended     time.Time `json:"ended,omitzero"`    // when it ended; the zero time if it has not
	Batch     int       `json:"batch,omitempty"`   // number of requests of the batch that it is evaluated in; 0 before it is in one
}

// Lead says how many of a service's coming requests already have correlations. This node's party counts what it has
// asked for and received; it sends no message for that.
type Lead struct {
	// Requested is the number of requests to come for which the parties have asked the dealer for correlations.
	Requested int `json:"requested"`
	// Arrived is the number of these requests whose corrections have all arrived at this party.
	Arrived int `json:"arrived"`
	// Corrections says whether this party receives corrections. The others derive their correlations from a seed, and all have
	// arrived as soon as they are requested.
	Corrections bool `json:"corrections"`
	// Bytes is what the dealer sends for one request, by the plan.
	Bytes int64 `json:"bytes"`
}

// RequestBatch is the message by which a service's leader announces the requests of the next batch to the other
// nodes.
type RequestBatch struct {
	Requests []RequestRef `json:"requests"` // the requests of the batch, in order
}

// RequestRef names a request by its id and its digest (Request.Digest).
type RequestRef struct {
	Request string `json:"request"` // id of the request
	Digest  string `json:"digest"`  // its digest
	// Program is the name of the further program that it asks for; "" for the first program. A node that does not have
	// the request declines one of that program.
	Program string `json:"program,omitempty"`
}
