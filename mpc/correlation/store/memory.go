package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/durable"
)

// Memory remembers in a file how far stores have been used: this party's own and those of its peers. The
// file is not in a store, so that a store which was restored without it is noticed, and a peer's memory
// notices a store that was restored together with it. One process at a time may have the file open.
type Memory struct {
	path string

	mu    sync.Mutex
	known map[string][]Mark // by party, in the order in which the generations were seen
}

// maxGenerations bounds the generations of a party that are remembered: the last ones.
const maxGenerations = 100

// OpenMemory reads a memory's file. A missing file is an empty memory.
func OpenMemory(path string) (*Memory, error) {
	m := &Memory{path: path, known: map[string][]Mark{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m.known)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s, which remembers the used sessions: %w (remove it together with the store)", path, withoutPath(err))
	}
	return m, nil
}

// Known lists the most used marks of a party's store, one for each generation.
func (m *Memory) Known(party string) []Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.known[party])
}

// Remember adds a mark of a party's store. When it returns nil, the mark is on stable storage.
func (m *Memory) Remember(party string, mark Mark) error {
	if !validGeneration(mark.Generation) {
		return fmt.Errorf("store: %.40q is not a generation", mark.Generation)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.remember(party, mark)
}

func (m *Memory) remember(party string, mark Mark) error {
	marks := slices.Clone(m.known[party])
	i := slices.IndexFunc(marks, func(k Mark) bool { return k.Generation == mark.Generation })
	switch {
	case i < 0:
		marks = append(marks, mark)
		marks = marks[max(0, len(marks)-maxGenerations):]
	case marks[i].Uses >= mark.Uses:
		return nil
	default:
		marks[i] = mark
	}
	before := m.known[party]
	m.known[party] = marks
	text, err := json.MarshalIndent(m.known, "", " ")
	if err == nil {
		err = durable.WriteFile(m.path, append(text, '\n'), 0o600)
	}
	if err != nil {
		m.known[party] = before
		return fmt.Errorf("store: %s: %w", m.path, withoutPath(err))
	}
	return nil
}
