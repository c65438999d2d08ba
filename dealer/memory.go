package dealer

import (
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// manifestClaim is the memory that a correlation manifest takes at the dealer. The whole length that its
// sender has announced is claimed from the sender's share in advance, so that manifests of one party wait
// for each other and not for ever. From the memory that all parties share it takes only what arrives: who
// announces much and sends nothing holds nothing of it.
type manifestClaim struct {
	*session
	share   *budget // of the sender
	claimed int64   // bytes taken from share
	grown   int64   // bytes taken from Dealer.manifestMemory; grown ≤ claimed
}

// claim takes bytes more from the sender's share.
func (m *manifestClaim) claim(bytes int64) error {
	m.setShort(true)
	defer m.setShort(false)
	err := m.share.grow(m.ctx, m.claimed, bytes)
	if err == nil {
		m.claimed += bytes
	}
	return err
}

// grow takes bytes for what has arrived, or for a vector that is about to be allocated.
func (m *manifestClaim) grow(bytes int64) error {
	if more := m.grown + bytes - m.claimed; more > 0 {
		if err := m.claim(more); err != nil {
			return err
		}
	}
	m.setShort(true)
	defer m.setShort(false)
	err := m.manifestMemory.grow(m.ctx, m.grown, bytes)
	if err == nil {
		m.grown += bytes
	}
	return err
}

// release returns all memory.
func (m *manifestClaim) release() {
	m.manifestMemory.release(m.grown)
	m.share.release(m.claimed)
}

// setShort records whether the session waits for memory.
func (s *session) setShort(short bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.short = short
}

// shortError is the error of a session that has waited for memory in vain.
type shortError struct{ waited time.Duration }

func (e *shortError) Error() string {
	return fmt.Sprintf("waited %v for memory for the correlation manifest (limits: memory in the dealer's configuration)", e.waited)
}

// describe returns the error as the manifest's sender learns it: with the memory that its own manifests
// take.
func (e *shortError) describe(sender string, share *budget) string {
	return fmt.Sprintf("%v; those of %s take %s, and those of one party may take %s",
		e, sender, yamlfile.FormatSize(share.used()), yamlfile.FormatSize(share.total))
}
