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

// certCmd looks after the certificates of a small cluster.
type certCmd struct {
	Init  certInitCmd  `cmd:"" help:"Make a certificate authority of your own: ca.crt and ca.key."`
	Issue certIssueCmd `cmd:"" help:"Issue certificates for parties, dealers and people: NAME.crt and NAME.key."`
	Show  certShowCmd  `cmd:"" help:"Show whose certificates are in a file, of which authority, and until when."`
}

// certFailed is an error of certificates: the caller's, but where the disk is to
// blame.
func certFailed(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return err
	case errors.Is(err, fs.ErrExist):
		err = fmt.Errorf("%w (--force replaces it)", err)
	}
	return badUsage{err}
}

// valid is for how long a certificate is to be valid.
func valid(days int) (time.Duration, error) {
	const most = 36500
	if days < 1 || days > most {
		return 0, badUsage{fmt.Errorf("--days: want 1 to %d, got %d", most, days)}
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

type certInitCmd struct {
	Dir   string `default:"." placeholder:"DIR" help:"The folder, made where it is not there (default: this one)."`
	Days  int    `default:"3652" placeholder:"N" help:"For how long it is valid (default ${default})."`
	Force bool   `help:"Replace an authority that is there: no certificate of it will be accepted any more."`
}

// Help is what --help adds.
func (*certInitCmd) Help() string {
	return `ca.crt goes to every node, dealer and submitter. ca.key issues certificates: keep it where no node runs, readable by you alone.

Examples:

    tacet cert init
    tacet cert init --dir certs --days 730`
}

// Run makes the authority.
func (c *certInitCmd) Run(a app) error {
	days, err := valid(c.Days)
	if err != nil {
		return err
	}
	if err := pki.Init(c.Dir, pki.Terms{Valid: days, Force: c.Force}); err != nil {
		return certFailed(err)
	}
	_, err = fmt.Fprintf(a.stdout, "made %s and %s\n", filepath.Join(c.Dir, "ca.crt"), filepath.Join(c.Dir, "ca.key"))
	return err
}

type certIssueCmd struct {
	Names []string `arg:"" name:"NAME" help:"Who it is for: the name by which configs call it, such as alice."`
	Dir   string   `default:"." placeholder:"DIR" help:"The folder of the authority, where the new files go too (default: this one)."`
	Host  []string `placeholder:"HOST" help:"A host name or address that the certificate is good for beside the name. Repeatable. Tacet itself knows others by name, wherever they are; browsers and curl do not."`
	Days  int      `default:"365" placeholder:"N" help:"For how long it is valid (default ${default})."`
	Force bool     `help:"Replace certificates and keys that are there."`
}

// Help is what --help adds.
func (*certIssueCmd) Help() string {
	return `A certificate and its key are an identity: whoever has NAME.key is NAME to all who trust the authority. Move it to its owner's machine over a safe way, with ca.crt. To renew one, issue it again with --force.

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
		f, err := pki.Issue(c.Dir, name, pki.Terms{Valid: days, Force: c.Force}, c.Host...)
		if err != nil {
			return certFailed(err)
		}
		if _, err := fmt.Fprintf(a.stdout, "made %s and %s\n", f.Cert, f.Key); err != nil {
			return err
		}
	}
	return nil
}

type certShowCmd struct {
	Files []string `arg:"" name:"FILE.crt" help:"Files of certificates."`
}

// Help is what --help adds.
func (*certShowCmd) Help() string {
	return `Exit code 1 if one of them is not valid today.

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

// shown is a name out of a certificate: what in it no terminal should print is
// escaped.
func shown(name string) string {
	quoted := fmt.Sprintf("%q", name)
	if quoted == `"`+name+`"` && name != "" {
		return name
	}
	return quoted
}

// further is what else a certificate is for: an authority, or other hosts.
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
