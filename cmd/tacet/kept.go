package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"filippo.io/age"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/regular"
)

// keptCmd moves kept results between nodes of one party.
type keptCmd struct {
	Export keptExportCmd `cmd:"" help:"Write this party's shares of kept results to an encrypted file."`
	Import keptImportCmd `cmd:"" help:"Keep the shares of such a file at this node."`
	Key    keptKeyCmd    `cmd:"" help:"Create a key to which exports are encrypted."`
}

// passphrase names the file of a passphrase.
type passphrase struct {
	PassphraseFile string `placeholder:"FILE" help:"Encrypt by the passphrase on the first line of this file."`
}

func (p passphrase) read() (string, error) {
	text, err := regular.ReadFile(p.PassphraseFile)
	if err != nil {
		return "", badUsage{err}
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimRight(line, "\r"); len(line) < minPassphrase {
		return "", badUsage{fmt.Errorf("%s: the passphrase has %d bytes; at least %d are needed", p.PassphraseFile, len(line), minPassphrase)}
	}
	return line, nil
}

// minPassphrase is the minimum length of a passphrase in bytes.
const minPassphrase = 12

type keptExportCmd struct {
	Name   string   `arg:"" name:"NAME" help:"The name under which the results are kept."`
	Config string   `required:"" placeholder:"FILE" help:"The node's configuration. The node must not run."`
	Out    string   `required:"" placeholder:"FILE" help:"The file to write; it must not exist."`
	To     []string `name:"to" placeholder:"RECIPIENT" help:"Encrypt to this recipient, age1…, as tacet kept key prints it."`
	passphrase
}

// Help returns the text that --help appends.
func (*keptExportCmd) Help() string {
	return `Each party exports its own shares: those of one party alone say nothing of the values, those of all computing parties together are the values. The file is encrypted in the format of age (age-encryption.org). The export is recorded in the node's audit log, and so the node must be stopped.

Examples:

    tacet kept key --out new-machine.key             # prints age1…
    tacet kept export model --config alice/node.yaml --to age1… --out model.age`
}

// Run exports.
func (c *keptExportCmd) Run(a app) error {
	config, err := node.ReadConfig(c.Config)
	if err != nil {
		return badUsage{err}
	}
	var to []age.Recipient
	switch {
	case (len(c.To) > 0) == (c.PassphraseFile != ""):
		return badUsage{errors.New("want either --to, a recipient, or --passphrase-file")}
	case c.PassphraseFile != "":
		secret, err := c.read()
		if err != nil {
			return err
		}
		r, err := age.NewScryptRecipient(secret)
		if err != nil {
			return err
		}
		to = append(to, r)
	}
	for _, text := range c.To {
		r, err := age.ParseX25519Recipient(text)
		if err != nil {
			return badUsage{fmt.Errorf("--to: %w", err)}
		}
		to = append(to, r)
	}
	if _, err := os.Lstat(c.Out); err == nil {
		return badUsage{fmt.Errorf("%s exists already: name another file with --out", c.Out)}
	}
	var b bytes.Buffer
	if err := node.ExportKept(config, c.Name, &b, to...); err != nil {
		return err
	}
	if err := durable.CreateFile(c.Out, b.Bytes(), 0o600); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s's shares of %s are in %s\n", config.Name, c.Name, c.Out)
	return err
}

type keptImportCmd struct {
	File     string `arg:"" name:"FILE" help:"The export."`
	Config   string `required:"" placeholder:"FILE" help:"The node's configuration. The node must not run."`
	Identity string `placeholder:"FILE" help:"The key that tacet kept key has written."`
	As       string `placeholder:"NAME" help:"Keep the results under this name (default: the name in the export)."`
	Replace  bool   `help:"Replace other results that are kept under the name."`
	passphrase
}

// Help returns the text that --help appends.
func (*keptImportCmd) Help() string {
	return `The node must be the same party's, by name. Importing a file again changes nothing, and shares may be kept at several nodes: they are not used up. Parties whose shares come from different runs notice it before they share anything.

Examples:

    tacet kept import model.age --config alice/node.yaml --identity new-machine.key`
}

// Run imports.
func (c *keptImportCmd) Run(a app) error {
	config, err := node.ReadConfig(c.Config)
	if err != nil {
		return badUsage{err}
	}
	var keys []age.Identity
	switch {
	case (c.Identity != "") == (c.PassphraseFile != ""):
		return badUsage{errors.New("want either --identity, a key, or --passphrase-file")}
	case c.PassphraseFile != "":
		secret, err := c.read()
		if err != nil {
			return err
		}
		k, err := age.NewScryptIdentity(secret)
		if err != nil {
			return err
		}
		keys = append(keys, k)
	default:
		text, err := regular.ReadFile(c.Identity)
		if err == nil {
			keys, err = age.ParseIdentities(bytes.NewReader(text))
		}
		if err != nil {
			return badUsage{fmt.Errorf("--identity: %w", err)}
		}
	}
	f, err := regular.Open(c.File)
	if err != nil {
		return badUsage{err}
	}
	defer f.Close()
	name, err := node.ImportKept(config, f, c.As, c.Replace, keys...)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s keeps its shares of %s\n", config.Name, name)
	return err
}

type keptKeyCmd struct {
	Out string `required:"" placeholder:"FILE" help:"The file for the key; it must not exist."`
}

// Help returns the text that --help appends.
func (*keptKeyCmd) Help() string {
	return `Creates a key pair on the machine that will import. The file stays there; the recipient, age1…, is printed and goes to the machine that exports. Keys of age-keygen are the same.

Examples:

    tacet kept key --out new-machine.key`
}

// Run creates the key.
func (c *keptKeyCmd) Run(a app) error {
	k, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	err = durable.CreateFile(c.Out, []byte("# recipient: "+k.Recipient().String()+"\n"+k.String()+"\n"), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return badUsage{fmt.Errorf("%s exists already: name another file with --out", c.Out)}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, k.Recipient())
	return err
}
