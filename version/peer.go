package version

import (
	"fmt"
	"strconv"
	"strings"
)

// Headers of HTTP requests and answers between clients and nodes.
const (
	ProtocolHeader = "Tacet-Protocol" // the sender's protocol number
	ReleaseHeader  = "Tacet-Release"  // the sender's release
)

// first is the release without a protocol number.
const first = "0.1.0"

// Peer is one side of a connection, for Mismatch.
type Peer struct {
	Name     string // name of the side, such as "bob"
	Program  string // what must be upgraded at that side, such as "bob's node"
	Protocol int    // its protocol number; 0 or less if it sent something else
	Release  string // its release
}

// Self returns this build as one side of a connection.
func Self(name, program string) Peer { return Peer{name, program, Protocol, Release} }

// Other returns the other side of a connection with the protocol number (ParseProtocol) and the release that it
// has sent. A protocol of 0 means that it has sent no number, as release 0.1.0 does, and stands for protocol 1.
func Other(name, program string, protocol int, release string) Peer {
	if protocol == 0 {
		return Peer{name, program, 1, first}
	}
	return Peer{name, program, protocol, cleanRelease(release)}
}

// ParseProtocol returns the protocol number in the value of ProtocolHeader: 0 for an empty text, −1 for one that
// is not a positive number.
func ParseProtocol(text string) int {
	if text == "" {
		return 0
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return -1
}

// maxRelease bounds the length in bytes of a release that another side sends.
const maxRelease = 40

// cleanRelease returns a release from outside, or "of an unknown release" if it is none.
func cleanRelease(text string) string {
	odd := func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' || r == '-' || r == '+')
	}
	if text == "" || len(text) > maxRelease || strings.ContainsFunc(text, odd) {
		return "of an unknown release"
	}
	return text
}

// Mismatch returns an error if the protocol numbers of two sides differ, nil otherwise. The error names both
// sides, so that either can show it, and says which one must be upgraded.
func Mismatch(a, b Peer) error {
	if a.Protocol == b.Protocol {
		return nil
	}
	older, newer := a, b
	if newer.Protocol < older.Protocol && newer.Protocol > 0 || older.Protocol <= 0 {
		older, newer = newer, older
	}
	if newer.Protocol <= 0 {
		return fmt.Errorf("%s does not say which protocol it runs, and %s runs protocol %d (tacet %s): upgrade %s", newer.Name, older.Name, older.Protocol, older.Release, newer.Program)
	}
	return fmt.Errorf("%s runs protocol %d (tacet %s), %s protocol %d (tacet %s): upgrade %s",
		older.Name, older.Protocol, older.Release, newer.Name, newer.Protocol, newer.Release, older.Program)
}
