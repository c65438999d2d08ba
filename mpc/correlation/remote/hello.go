package remote

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Version is the version of the protocol on the connection.
const Version = 1

// Proto is the protocol's name where one port serves several (ALPN).
const Proto = "tacet-dealer/1"

// Limits of a hello.
const (
	maxParties = 64
	maxName    = 253
)

// Participant is one party's place in a session of correlated randomness. It is also the part of a
// hello that does not depend on the correlation manifest.
type Participant struct {
	Session   correlation.SessionID `json:"session"`
	Rank      int                   `json:"rank"`            // of this party
	Parties   []string              `json:"parties"`         // all parties of the session, in rank order
	Computing int                   `json:"computing"`       // number of computing parties, the first of Parties
	Service   bool                  `json:"turns,omitempty"` // further manifests follow when the corrections of one have been sent
}

// ReceivesCorrections reports whether this party is the one that receives corrections.
func (s *Participant) ReceivesCorrections() bool {
	return correlation.ReceivesCorrections(s.Rank, s.Computing)
}

// Hello is a party's first message.
type Hello struct {
	Participant
	Digest [32]byte // of the correlation manifest
	Length int64    // of the manifest's encoding, in bytes
}

// helloJSON is the wire format of a Hello.
type helloJSON struct {
	Version int `json:"version"`
	Participant
	manifestJSON
}

// manifestJSON is the announcement of a manifest: its digest in hexadecimal and the length of its
// encoding in bytes.
type manifestJSON struct {
	Manifest string `json:"form"`
	Length   int64  `json:"length"`
}

// setNext decodes the announcement of a further manifest.
func (h *Hello) setNext(data []byte) error {
	var f manifestJSON
	if err := json.Unmarshal(data, &f); err != nil {
		return errors.New("malformed announcement of a further correlation manifest")
	}
	return h.setManifest(f)
}

// setManifest sets a manifest's digest and length.
func (h *Hello) setManifest(f manifestJSON) error {
	sum, err := hex.DecodeString(f.Manifest)
	if err != nil || len(sum) != len(h.Digest) {
		return errors.New("malformed digest of a correlation manifest")
	}
	h.Digest, h.Length = [32]byte(sum), f.Length
	return h.check()
}

func (h *Hello) encode() ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return json.Marshal(helloJSON{Version, h.Participant, manifestJSON{hex.EncodeToString(h.Digest[:]), h.Length}})
}

func decodeHello(data []byte) (*Hello, error) {
	var g helloJSON
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, fmt.Errorf("malformed hello: %w", err)
	}
	if g.Version != Version {
		return nil, fmt.Errorf("the party speaks version %d of the dealer's protocol and the dealer version %d (run the same release everywhere)", g.Version, Version)
	}
	h := &Hello{Participant: g.Participant}
	return h, h.setManifest(g.manifestJSON)
}

// check refuses inconsistent hellos.
func (h *Hello) check() error {
	switch n := len(h.Parties); {
	case n < 2 || n > maxParties:
		return fmt.Errorf("%d parties, 2 to %d are possible", n, maxParties)
	case h.Computing < 2 || h.Computing > n:
		return fmt.Errorf("%d computing parties of %d", h.Computing, n)
	case h.Rank < 0 || h.Rank >= n:
		return fmt.Errorf("rank %d of %d parties", h.Rank, n)
	case h.Length < 1:
		return fmt.Errorf("correlation manifest of %d bytes", h.Length)
	}
	seen := map[string]bool{}
	for _, p := range h.Parties {
		if p == "" || len(p) > maxName || seen[p] {
			return fmt.Errorf("names of parties must be distinct and at most 253 bytes long: %.300q", h.Parties)
		}
		seen[p] = true
	}
	return nil
}

// Differs names the first field in which two parties' hellos of a session differ, and both values;
// "" if there is none.
func (h *Hello) Differs(o *Hello) (field, mine, theirs string) {
	for _, f := range []struct{ name, mine, theirs string }{
		{"session", h.Session.String(), o.Session.String()},
		{"parties", strings.Join(h.Parties, ", "), strings.Join(o.Parties, ", ")},
		{"service", fmt.Sprint(h.Service), fmt.Sprint(o.Service)},
		{"computing", fmt.Sprint(h.Computing), fmt.Sprint(o.Computing)},
		{"correlation manifest", hex.EncodeToString(h.Digest[:]), hex.EncodeToString(o.Digest[:])},
		{"length of the correlation manifest", fmt.Sprint(h.Length), fmt.Sprint(o.Length)},
	} {
		if f.mine != f.theirs {
			return f.name, f.mine, f.theirs
		}
	}
	return "", "", ""
}
