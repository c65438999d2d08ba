package audit

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/jsonlimit"
)

// Head is a party's signed statement of how many lines its log has and of the last line's hash. A log that lacks
// that line, or has another one in its place, was changed or cut afterwards.
type Head struct {
	Party     string    `json:"party"`     // name of the party
	Lines     int64     `json:"lines"`     // number of lines of the log
	Hash      string    `json:"hash"`      // hash of the last line
	Time      time.Time `json:"time"`      // when the head was signed
	Key       []byte    `json:"key"`       // public key of the party's certificate, in the form PKIX, DER
	Signature []byte    `json:"signature"` // signature of the other fields with that key
}

// Signer has the key with which a party signs the heads of its log.
type Signer struct {
	Party string        // name of the party
	Key   crypto.Signer // ECDSA, Ed25519 or RSA
}

// text is what is signed.
func (h *Head) text() []byte {
	return fmt.Appendf(nil, "tacet audit head 1\n%s\n%d\n%s\n%s\n", h.Party, h.Lines, h.Hash, h.Time.UTC().Format(time.RFC3339Nano))
}

// sign returns the signed head of a log with this many lines.
func (s *Signer) sign(lines int64, hash string) (*Head, error) {
	h := &Head{Party: s.Party, Lines: lines, Hash: hash, Time: time.Now().UTC()}
	var err error
	if h.Key, err = x509.MarshalPKIXPublicKey(s.Key.Public()); err != nil {
		return nil, err
	}
	text, options := h.text(), crypto.SignerOpts(crypto.Hash(0))
	if _, ok := s.Key.Public().(ed25519.PublicKey); !ok {
		sum := sha256.Sum256(text)
		text, options = sum[:], crypto.SHA256
	}
	h.Signature, err = s.Key.Sign(rand.Reader, text, options)
	return h, err
}

// Verify returns an error unless the signature is right for Key. The caller must check that Key is the party's
// (IsKeyOf).
func (h *Head) Verify() error {
	key, err := x509.ParsePKIXPublicKey(h.Key)
	if err != nil {
		return errors.New("the signed head has no public key")
	}
	text := h.text()
	sum, valid := sha256.Sum256(text), false
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		valid = ecdsa.VerifyASN1(k, sum[:], h.Signature)
	case ed25519.PublicKey:
		valid = ed25519.Verify(k, text, h.Signature)
	case *rsa.PublicKey:
		valid = rsa.VerifyPKCS1v15(k, crypto.SHA256, sum[:], h.Signature) == nil
	}
	if !valid {
		return errors.New("the head's signature is wrong")
	}
	return nil
}

// IsKeyOf reports whether c is a certificate of the key that signed the head.
func (h *Head) IsKeyOf(c *x509.Certificate) bool {
	return bytes.Equal(h.Key, c.RawSubjectPublicKeyInfo)
}

// A head's file is a line of JSON, padded with spaces to one of these lengths and overwritten in place: one
// sector of a disk holds the head of any key but RSA's.
const (
	headSize    = 512
	maxHeadSize = 2048
)

// HeadPath returns the path of the file with the signed head of the log at path log: audit.head for audit.log.
// The name sorts before the log's, so that a copy of a folder that is being written, file by file in the order
// of names, does not have a head that is newer than the log.
func HeadPath(log string) string { return strings.TrimSuffix(log, ".log") + ".head" }

// padded is the head as it is written.
func (h *Head) padded() ([]byte, error) {
	text, err := json.Marshal(h)
	size := headSize
	if len(text) >= size {
		size = maxHeadSize
	}
	if err == nil && len(text) >= size {
		err = fmt.Errorf("a signed head of %d bytes is too long", len(text))
	}
	if err != nil {
		return nil, err
	}
	text = append(text, bytes.Repeat([]byte{' '}, size-1-len(text))...)
	return append(text, '\n'), nil
}

// ReadHead reads the signed head of the log at path log and checks its signature. It returns nil, without an
// error, if there is no file or an empty one. If the file has no head with a right signature, the error is a
// *Break.
func ReadHead(log string) (*Head, error) {
	path := HeadPath(log)
	for try := 0; ; try++ {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		h := &Head{}
		if err = jsonlimit.Unmarshal(text, jsonlimit.Of(maxStructure), h); err == nil {
			err = h.Verify()
		}
		if err == nil {
			return h, nil
		}
		if try == 3 {
			return nil, &Break{Path: path, Reason: "it holds no head with a right signature: it was changed, or the machine lost power while it was written"}
		}
		time.Sleep(10 * time.Millisecond) // it may be being written
	}
}

// ReadHeads reads a file of signed heads that a node has kept of its peers, and checks their signatures. The
// result has the heads by party name.
func ReadHeads(path string) (map[string][]*Head, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	var out map[string][]*Head
	if err := jsonlimit.Unmarshal(text, jsonlimit.Of(maxStructure), &out); err != nil {
		return nil, fmt.Errorf("audit: %s: it is not a file of kept heads: %w", path, err)
	}
	for party, heads := range out {
		for _, h := range heads {
			if h == nil || h.Party != party {
				return nil, fmt.Errorf("audit: %s: a head of %s is another party's", path, party)
			}
			if err := h.Verify(); err != nil {
				return nil, fmt.Errorf("audit: %s: %s: %w", path, party, err)
			}
		}
	}
	return out, nil
}

// Break is the error for a log that was changed or cut.
type Break struct {
	Path   string // path of the log's file
	Line   int64  // number of the first wrong line in that file, from 1; 0 if no line is meant
	Reason string // what is wrong
}

// Error returns the file, the line if it is known, and the reason, such as "audit.log:12: …".
func (b *Break) Error() string {
	if b.Line == 0 {
		return fmt.Sprintf("%s: %s", b.Path, b.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Reason)
}

// follower compares a log that is read with signed heads of it.
type follower struct{ heads []*Head }

// line is called with each line's number, in its file and in the log, and its hash; the empty log is line 0.
func (f *follower) line(path string, inFile, n int64, hash string) error {
	for _, h := range f.heads {
		if h.Lines == n && h.Hash != hash {
			reason := fmt.Sprintf("it is not the line that %s signed at %s: it was changed, or lines before it were changed with all that follow",
				h.Party, h.Time.Format(time.RFC3339))
			return &Break{path, inFile, reason}
		}
	}
	return nil
}

// end is called with the number of lines of the last file and of the log.
func (f *follower) end(path string, inFile, lines int64) error {
	for _, h := range f.heads {
		if h.Lines > lines {
			reason := fmt.Sprintf("the end is missing: %s signed %d lines at %s, and %d are left", h.Party, h.Lines, h.Time.Format(time.RFC3339), lines)
			return &Break{path, inFile + 1, reason}
		}
	}
	return nil
}
