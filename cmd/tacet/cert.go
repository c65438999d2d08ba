package main

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tacet-mpc/tacet/pki"
)

// certCmd issues and shows the certificates of a cluster.
type certCmd struct {
	Init  certInitCmd  `cmd:"" help:"Create a certificate authority (CA): ca.crt and ca.key."`
	Issue certIssueCmd `cmd:"" help:"Issue certificates for parties, dealers and submitters: NAME.crt and NAME.key."`
	Show  certShowCmd  `cmd:"" help:"Show the certificates in a file: name, issuing CA and validity."`
}

// certFailed returns an error about certificates as wrong usage, unless the disk is the cause.
func certFailed(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return err
	case errors.Is(err, fs.ErrExist):
		err = fmt.Errorf("%w (--force replaces it)", err)
	}
	return badUsage{err}
}

// valid returns the validity that --days gives.
func valid(days int) (time.Duration, error) {
	const most = 36500
	if days < 1 || days > most {
		return 0, badUsage{fmt.Errorf("--days: want 1 to %d, got %d", most, days)}
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

type certInitCmd struct {
	Dir   string `default:"." placeholder:"DIR" help:"The folder, created if it does not exist (default: this one)."`
	Days  int    `default:"3652" placeholder:"N" help:"Validity in days (default ${default})."`
	Force bool   `help:"Replace an existing CA: its certificates will no longer be accepted."`
}

// Help returns the text that --help appends.
func (*certInitCmd) Help() string {
	return `Copy ca.crt to every node, dealer and submitter. ca.key issues certificates: keep it away from all nodes, readable only by you.

Examples:

    tacet cert init
    tacet cert init --dir certs --days 730`
}

// Run creates the CA.
func (c *certInitCmd) Run(a app) error {
	days, err := valid(c.Days)
	if err != nil {
		return err
	}
	if err := pki.Init(c.Dir, pki.Options{Valid: days, Force: c.Force}); err != nil {
		return certFailed(err)
	}
	_, err = fmt.Fprintf(a.stdout, "created %s and %s\n", filepath.Join(c.Dir, "ca.crt"), filepath.Join(c.Dir, "ca.key"))
	return err
}

type certIssueCmd struct {
	Names []string `arg:"" name:"NAME" help:"The name in the certificate, by which configurations refer to its holder, such as alice."`
	Dir   string   `default:"." placeholder:"DIR" help:"The folder of the CA and of the new files (default: this one)."`
	Host  []string `placeholder:"HOST" help:"A further host name or address of the certificate; may be repeated. Tacet checks only the name; browsers and curl check the host."`
	Days  int      `default:"365" placeholder:"N" help:"Validity in days (default ${default})."`
	Force bool     `help:"Replace existing certificates and keys."`
}

// Help returns the text that --help appends.
func (*certIssueCmd) Help() string {
	return `A certificate and its key are an identity: every holder of NAME.key can act as NAME towards all that trust the CA. Transfer it securely to its owner's machine, with ca.crt. To renew a certificate, issue it again with --force.

Examples:

    tacet cert issue alice bob dealer
    tacet cert issue carol --dir certs --days 90
    tacet cert issue alice --host alice.example.org --host 10.0.0.7`
}

// Run issues the certificates.
func (c *certIssueCmd) Run(a app) error {
	days, err := valid(c.Days)
	if err != nil {
		return err
	}
	for _, name := range c.Names {
		f, err := pki.Issue(c.Dir, name, pki.Options{Valid: days, Force: c.Force}, c.Host...)
		if err != nil {
			return certFailed(err)
		}
		if _, err := fmt.Fprintf(a.stdout, "created %s and %s\n", f.Cert, f.Key); err != nil {
			return err
		}
	}
	return nil
}

type certShowCmd struct {
	Files []string `arg:"" name:"FILE.crt" help:"Files of certificates."`
}

// Help returns the text that --help appends.
func (*certShowCmd) Help() string {
	return `The exit code is 1 if one of them is not valid now.

Examples:

    tacet cert show alice.crt
    tacet cert show certs/*.crt`
}

// Run shows the certificates.
func (c *certShowCmd) Run(a app) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "file\tof\talso\tissued by\tvalid from\tuntil\tstate")
	now := time.Now()
	var invalid []string
	for _, path := range c.Files {
		certs, err := pki.Read(path)
		if err != nil {
			return badUsage{err}
		}
		for _, x := range certs {
			state := "valid"
			switch {
			case now.Before(x.NotBefore):
				state = "not yet valid"
			case now.After(x.NotAfter):
				state = "expired"
			}
			if state != "valid" {
				invalid = append(invalid, fmt.Sprintf("%s of %q is %s", path, x.Subject.CommonName, state))
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", path, shown(x.Subject.CommonName), further(x), shown(x.Issuer.CommonName),
				x.NotBefore.Format(time.DateOnly), x.NotAfter.Format(time.DateOnly), state)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(invalid) > 0 {
		return errors.New(strings.Join(invalid, "; "))
	}
	return nil
}

// shown returns a name in a certificate, quoted if it has characters that a terminal should not print.
func shown(name string) string {
	quoted := fmt.Sprintf("%q", name)
	if quoted == `"`+name+`"` && name != "" {
		return name
	}
	return quoted
}

// further returns what else a certificate is valid for: authority, for a CA, or further hosts.
func further(x *x509.Certificate) string {
	var out []string
	if x.IsCA {
		out = append(out, "authority")
	}
	for _, name := range x.DNSNames {
		if name != x.Subject.CommonName {
			out = append(out, shown(name))
		}
	}
	for _, ip := range x.IPAddresses {
		out = append(out, ip.String())
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, " ")
}
