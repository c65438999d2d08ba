package remote

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Version is that of what goes over the connection.
const Version = 1

// Proto is the protocol's name where one port serves several (ALPN).
const Proto = "tacet-dealer/1"

// Limits of what a party may say.
const (
	maxParties = 64
	maxName    = 253
)

// Seat is who sits at a session, and where.
type Seat struct {
	Session   correlation.SessionID
	Rank      int      // the party's own
	Parties   []string // in rank order
	Computing int      // how many of them compute, the first ones
	Turns     bool     // more is ordered in the session when all has been dealt
}

// Corrected reports whether the seat is of the party that gets corrections.
func (s *Seat) Corrected() bool { return correlation.Corrected(s.Rank, s.Computing) }

// Hello is what a party says first.
type Hello struct {
	Seat
	Digest [32]byte // of the order form
	Length int64    // of its encoding
}

// greeting is how a Hello is written.
type greeting struct {
	Version   int      `json:"version"`
	Session   string   `json:"session"`
	Rank      int      `json:"rank"`
	Parties   []string `json:"parties"`
	Computing int      `json:"computing"`
	Form      string   `json:"form"`
	Length    int64    `json:"length"`
	Turns     bool     `json:"turns,omitempty"`
}

// further is how the order of a further form is written.
type further struct {
	Form   string `json:"form"`
	Length int64  `json:"length"`
}

// next takes over what a party says of a further form.
func (h *Hello) next(data []byte) error {
	var f further
	if err := json.Unmarshal(data, &f); err != nil {
		return errors.New("no further order")
	}
	return h.orders(f.Form, f.Length)
}

// orders takes over a form's digest and length.
func (h *Hello) orders(form string, length int64) error {
	sum, err := hex.DecodeString(form)
	if err != nil || len(sum) != len(h.Digest) {
		return errors.New("no digest of an order form")
	}
	h.Digest, h.Length = [32]byte(sum), length
	return h.check()
}

func (h *Hello) encode() ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return json.Marshal(greeting{Version, h.Session.String(), h.Rank, h.Parties, h.Computing, hex.EncodeToString(h.Digest[:]), h.Length, h.Turns})
}

func decodeHello(data []byte) (*Hello, error) {
	var g greeting
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, errors.New("no hello")
	}
	if g.Version != Version {
		return nil, fmt.Errorf("version %d of the dealer's protocol is spoken, and this dealer speaks %d (run the same release everywhere)", g.Version, Version)
	}
	id, err := correlation.ParseSessionID(g.Session)
	if err != nil {
		return nil, err
	}
	h := &Hello{Seat: Seat{id, g.Rank, g.Parties, g.Computing, g.Turns}}
	return h, h.orders(g.Form, g.Length)
}

// check refuses seats that there are not.
func (h *Hello) check() error {
	switch n := len(h.Parties); {
	case n < 2 || n > maxParties:
		return fmt.Errorf("%d parties where 2 to %d may be", n, maxParties)
	case h.Computing < 2 || h.Computing > n:
		return fmt.Errorf("%d computing parties of %d", h.Computing, n)
	case h.Rank < 0 || h.Rank >= n:
		return fmt.Errorf("rank %d of %d parties", h.Rank, n)
	case h.Length < 1:
		return fmt.Errorf("order form of %d bytes", h.Length)
	}
	seen := map[string]bool{}
	for _, p := range h.Parties {
		if p == "" || len(p) > maxName || seen[p] {
			return fmt.Errorf("names of parties are to be different and short: %.300q", h.Parties)
		}
		seen[p] = true
	}
	return nil
}

// Differs names the first field that two parties of a session do not say
// alike, and what they say; "" if there is none.
func (h *Hello) Differs(o *Hello) (field, mine, theirs string) {
	for _, f := range []struct{ name, mine, theirs string }{
		{"session", h.Session.String(), o.Session.String()},
		{"parties", strings.Join(h.Parties, ", "), strings.Join(o.Parties, ", ")},
		{"turns", fmt.Sprint(h.Turns), fmt.Sprint(o.Turns)},
		{"computing", fmt.Sprint(h.Computing), fmt.Sprint(o.Computing)},
		{"order", hex.EncodeToString(h.Digest[:]), hex.EncodeToString(o.Digest[:])},
		{"length of the order", fmt.Sprint(h.Length), fmt.Sprint(o.Length)},
	} {
		if f.mine != f.theirs {
			return f.name, f.mine, f.theirs
		}
	}
	return "", "", ""
}
