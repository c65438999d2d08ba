package remote

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/printable"
	"github.com/tacet-mpc/tacet/version"
)

// Proto is the name of the protocol between parties and a dealer, by which a port that serves several protocols tells
// it from others (ALPN).
const Proto = "tacet-dealer/1"

// Limits of a hello.
const (
	maxParties = 64
	maxName    = 253
)

// helloLimits bounds the structure of a hello: a list of maxParties names, and what later releases may add.
var helloLimits = jsonlimit.Of(16 * maxParties)

// Participant says which party of a session of correlated randomness connects to the dealer. It is the part of a
// Hello that does not depend on the correlation manifest.
type Participant struct {
	Session   correlation.SessionID `json:"session"`           // the session's id, the same at all parties
	Rank      int                   `json:"rank"`              // of this party
	Parties   []string              `json:"parties"`           // all parties of the session, in rank order
	Computing int                   `json:"computing"`         // number of computing parties, the first of Parties
	Service   bool                  `json:"service,omitempty"` // further manifests follow when the corrections of one have been sent
}

// ReceivesCorrections reports whether the dealer sends the corrections to this party.
func (s *Participant) ReceivesCorrections() bool {
	return correlation.ReceivesCorrections(s.Rank, s.Computing)
}

// Hello is the first message of a party to the dealer.
type Hello struct {
	Participant
	Digest [32]byte // digest of the correlation manifest
	Length int64    // length of the manifest's encoding in bytes
}

// helloJSON is the wire format of a Hello. A dealer of release 0.1.0 reads the protocol number and compares
// it with 1.
type helloJSON struct {
	Protocol int    `json:"version"`
	Release  string `json:"release"`
	Participant
	manifestJSON
}

// manifestJSON is the announcement of a manifest: its digest in hexadecimal and the length of its
// encoding in bytes.
type manifestJSON struct {
	Manifest string `json:"manifest"`
	Length   int64  `json:"length"`
}

// setNext decodes the announcement of a further manifest.
func (h *Hello) setNext(data []byte) error {
	var f manifestJSON
	if err := jsonlimit.Unmarshal(data, helloLimits, &f); err != nil {
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
	return json.Marshal(helloJSON{version.Protocol, version.Release, h.Participant, manifestJSON{hex.EncodeToString(h.Digest[:]), h.Length}})
}

func decodeHello(data []byte) (*Hello, error) {
	if err := checkProtocol(data); err != nil {
		return nil, err
	}
	var g helloJSON
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, fmt.Errorf("malformed hello: %w", err)
	}
	h := &Hello{Participant: g.Participant}
	return h, h.setManifest(g.manifestJSON)
}

// checkProtocol returns an error if a hello is of another protocol number. It reads nothing else that
// must be well-formed: the rest may be of a form that this build does not know.
func checkProtocol(data []byte) error {
	var sent struct {
		Protocol int             `json:"version"`
		Release  json.RawMessage `json:"release"`
		Rank     json.RawMessage `json:"rank"`
		Parties  json.RawMessage `json:"parties"`
	}
	if err := jsonlimit.Unmarshal(data, helloLimits, &sent); err != nil {
		return fmt.Errorf("malformed hello: %w", err)
	}
	var release string
	var rank int
	var parties []string
	err := errors.Join(json.Unmarshal(sent.Rank, &rank), json.Unmarshal(sent.Parties, &parties))
	json.Unmarshal(sent.Release, &release) // release 0.1.0 sends none
	name, program := "the party", "the party's node"
	if err == nil && rank >= 0 && rank < len(parties) && parties[rank] != "" && printable.Check("name", parties[rank], maxName) == nil {
		name, program = parties[rank], parties[rank]+"'s node"
	}
	other := version.Other(name, program, sent.Protocol, release)
	if sent.Protocol == 1 {
		other = version.Other(name, program, 0, "") // the number of release 0.1.0
	}
	return version.Mismatch(version.Self(theDealer, theDealer), other)
}

// theDealer names the dealer in messages.
const theDealer = "the dealer"

// formerRefusal ends the reason for which a dealer of release 0.1.0 refuses another protocol number.
const formerRefusal = " of the dealer's protocol is spoken, and this dealer speaks 1 (run the same release everywhere)"

// explainFormer returns err, or what it means if it is the refusal of a dealer of release 0.1.0.
func (s *Participant) explainFormer(err error) error {
	var end *EndError
	if !errors.As(err, &end) || !strings.HasSuffix(end.Reason, formerRefusal) {
		return err
	}
	name := s.Parties[s.Rank]
	return version.Mismatch(version.Self(name, name+"'s node"), version.Other(theDealer, theDealer, 0, ""))
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

// Differs compares the hellos of two parties of a session. It returns the name of the first field in which they
// differ and both values as text; "" if they agree.
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
