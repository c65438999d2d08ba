package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/jsonlimit"
)

// Memory remembers in a file how far stores have been used: this party's own and those of its peers. The file lies
// outside of all stores, so that a store which was restored without it is noticed; a peer's Memory notices a store
// that was restored together with it. One process at a time may have the file open.
type Memory struct {
	path string

	mu    sync.Mutex
	known map[string][]Mark // by party, in the order in which the generations were seen
}

// maxGenerations bounds the generations of a party that are remembered: the last ones.
const maxGenerations = 100

// memoryStructure bounds the structural characters (package jsonlimit) of a memory's file: those of 10,000 parties.
const memoryStructure = 10_000 * 4 * maxGenerations

// OpenMemory reads a memory's file. If there is none, the memory is empty, and Remember makes the file.
func OpenMemory(path string) (*Memory, error) {
	m := &Memory{path: path, known: map[string][]Mark{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = jsonlimit.Unmarshal(text, jsonlimit.Of(memoryStructure), &m.known)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s, which remembers the used sessions: %w (remove it together with the store)", path, withoutPath(err))
	}
	return m, nil
}

// Known returns the most used marks of a party's store, one for each generation.
func (m *Memory) Known(party string) []Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.known[party])
}

// Remember adds marks of parties' stores, by the parties' names. When it returns nil, they are on stable storage.
func (m *Memory) Remember(marks map[string]Mark) error {
	for party, k := range marks {
		if !validGeneration(k.Generation) || len(k.Proof) > maxProof {
			return fmt.Errorf("store: %s has sent a malformed mark of its store", party)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.remember(marks)
}

// maxProof bounds a mark's proof, in characters.
const maxProof = 64

func (m *Memory) remember(marks map[string]Mark) error {
	before := maps.Clone(m.known)
	changed := false
	for party, k := range marks {
		changed = m.add(party, k) || changed
	}
	if !changed {
		return nil
	}
	text, err := json.MarshalIndent(m.known, "", " ")
	if err == nil {
		err = durable.WriteFile(m.path, append(text, '\n'), 0o600)
	}
	if err != nil {
		m.known = before
		return fmt.Errorf("store: %s: %w", m.path, withoutPath(err))
	}
	return nil
}

// add adds a mark in memory, and reports whether it was more used than the one that was known.
func (m *Memory) add(party string, mark Mark) bool {
	marks := slices.Clone(m.known[party])
	i := slices.IndexFunc(marks, func(k Mark) bool { return k.Generation == mark.Generation })
	switch {
	case i < 0:
		marks = append(marks, mark)
		marks = marks[max(0, len(marks)-maxGenerations):]
	case marks[i].Uses >= mark.Uses:
		return false
	default:
		marks[i] = mark
	}
	m.known[party] = marks
	return true
}
