package node

import (
	"crypto"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// An export is a file with this party's shares of the results that were kept under one name, encrypted by age
// (age-encryption.org) to the party's own recipient or passphrase. Another node of the same party imports it; if
// the nodes of all computing parties do, jobs there use the results.
//
// Importing an export twice, or at several nodes, is safe. Kept shares are not correlations: a correlation masks
// one value, and using it for two would reveal their difference, whereas a kept share is a constant summand
// of a value. Each session that uses it shares or masks it with fresh randomness, so that any number of
// sessions reveal no more than their results do. All parties must use shares of the same run: they compare
// the run's id before they share anything, and a mixture of older and newer exports is refused then.

// export is the content of an export.
type export struct {
	Format int             `json:"format"`
	Party  string          `json:"party"`
	Name   string          `json:"name"`
	Made   time.Time       `json:"made"`
	Shares []exportedShare `json:"shares"`
}

// exportedShare is a share with its words as bytes, little endian, so that the structure of the text stays
// small whatever the share's length.
type exportedShare struct {
	party.StoredShare
	Data []byte `json:"data,omitempty"` // of Words, which are not set
}

const (
	exportFormat    = 1
	exportStructure = 1 << 16 // structural characters of an export
	maxExport       = 8 << 30 // bytes of an export
)

// ExportKept writes this party's shares of the results that are kept under a name to w, encrypted to recipients.
// Before it writes, it records the export in the audit log, which a running node locks; so the node must not
// run. It returns an error if nothing is kept under the name.
func ExportKept(c *Config, name string, w io.Writer, recipients ...age.Recipient) error {
	if err := yamlfile.CheckName("kept", "name", name); err != nil {
		return err
	}
	held, err := readKept(c.keptFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s keeps no results named %q", c.Name, name)
	}
	if err != nil {
		return fmt.Errorf("kept %s: %w", name, err)
	}
	out := export{Format: exportFormat, Party: c.Name, Name: name, Made: time.Now().UTC()}
	for _, h := range held {
		s := exportedShare{StoredShare: *h}
		for _, word := range h.Words {
			s.Data = binary.LittleEndian.AppendUint64(s.Data, word)
		}
		s.Words = nil
		out.Shares = append(out.Shares, s)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	if err := jsonlimit.Check(text, jsonlimit.Of(exportStructure)); err != nil {
		return fmt.Errorf("kept %s: %w", name, err)
	}
	if err := c.record(audit.Event{Kind: audit.Exported, Kept: []string{name}}); err != nil {
		return err
	}
	sealed, err := age.Encrypt(w, recipients...)
	if err != nil {
		return fmt.Errorf("kept %s: %w", name, err)
	}
	if _, err := sealed.Write(text); err != nil {
		return err
	}
	return sealed.Close()
}

// ImportKept reads an export that this party made and keeps its shares, under the name of the export, or under
// the name as if that is not "". It returns the name. Importing the same export again changes nothing. If other
// results are kept under the name, they are replaced if replace is set; otherwise the import is an error. The
// node must not run, as for ExportKept.
func ImportKept(c *Config, r io.Reader, as string, replace bool, identities ...age.Identity) (string, error) {
	opened, err := age.Decrypt(r, identities...)
	if err != nil {
		return "", fmt.Errorf("import: the file cannot be decrypted: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(opened, maxExport+1))
	if err != nil {
		return "", fmt.Errorf("import: the file is damaged or cut: %w", err)
	}
	if len(text) > maxExport {
		return "", fmt.Errorf("import: the file is longer than %s", yamlfile.FormatSize(maxExport))
	}
	var e export
	if err := jsonlimit.Unmarshal(text, jsonlimit.Of(exportStructure), &e); err != nil {
		return "", fmt.Errorf("import: the file is not an export of tacet kept export: %w", err)
	}
	held, err := e.check(c)
	if err != nil {
		return "", fmt.Errorf("import: %w", err)
	}
	name := e.Name
	if as != "" {
		name = as
	}
	if err := yamlfile.CheckName("import", "name", name); err != nil {
		return "", err
	}
	if text, err = json.Marshal(held); err != nil {
		return "", err
	}
	old, err := regular.ReadFile(c.keptFile(name))
	switch {
	case err == nil && slices.Equal(old, text):
		return name, nil
	case err == nil && !replace:
		return "", fmt.Errorf("import: %s keeps other results named %q already (import them under another name, or replace these with --replace)", c.Name, name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("kept %s: %w", name, err)
	}
	if err := c.record(audit.Event{Kind: audit.Imported, Kept: []string{name}}); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(c.State, keptFolder), 0o700); err != nil {
		return "", err
	}
	return name, durable.WriteFile(c.keptFile(name), text, 0o600)
}

// check returns the shares of an export, if they are this party's and as a run would have kept them.
func (e *export) check(c *Config) ([]*party.StoredShare, error) {
	switch {
	case e.Format != exportFormat:
		return nil, fmt.Errorf("the export has format %d; this release reads format %d", e.Format, exportFormat)
	case e.Party != c.Name:
		return nil, fmt.Errorf("the export is of party %.40q, and this is a node of %s: each party imports its own shares", e.Party, c.Name)
	case len(e.Shares) == 0:
		return nil, errors.New("the export has no shares")
	}
	var held []*party.StoredShare
	for i := range e.Shares {
		h, bytes := e.Shares[i].StoredShare, e.Shares[i].Data
		h.Words = nil
		for ; len(bytes) >= 8; bytes = bytes[8:] {
			h.Words = append(h.Words, binary.LittleEndian.Uint64(bytes))
		}
		if err := h.Check(); err != nil {
			return nil, fmt.Errorf("share %d of the export: %w", i, err)
		}
		if len(bytes) > 0 || slices.Index(h.Parties, c.Name) != h.Rank {
			return nil, fmt.Errorf("share %d of the export is not one of %s", i, c.Name)
		}
		if slices.ContainsFunc(held, func(o *party.StoredShare) bool { return o.Result == h.Result }) {
			return nil, fmt.Errorf("the export has result %d twice", h.Result)
		}
		held = append(held, &h)
	}
	return held, nil
}

// record writes an event to the audit log of a node that does not run.
func (c *Config) record(e audit.Event) error {
	id, err := pki.Load(c.TLS)
	if err != nil {
		return err
	}
	var signer *audit.Signer
	if key := id.Key(); key != nil {
		signer = &audit.Signer{Party: c.Name, Key: key.(crypto.Signer)}
	}
	if err := os.MkdirAll(c.State, 0o700); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	log, err := audit.Open(filepath.Join(c.State, auditFile), signer, c.rotation(nil))
	if err != nil {
		return fmt.Errorf("%w (exports and imports are written to the audit log: stop the node first)", err)
	}
	return errors.Join(log.Append(e), log.Close())
}

// rotation returns when the audit log begins another file.
func (c *Config) rotation(failed func(error)) audit.Rotation {
	return audit.Rotation{Size: c.Audit.Size, Age: c.Audit.Age, Keep: c.Audit.Keep, Failed: failed}
}
