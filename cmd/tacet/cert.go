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
	Show  certShowCmd  `cmd:"" help:"Show the certificates or the request in a file: name, organisation, issuing CA, validity, fingerprints."`

	Request certRequestCmd `cmd:"" help:"Create a private key and a request for its certificate: NAME.key and NAME.csr."`
	Sign    certSignCmd    `cmd:"" help:"Sign requests by a CA: NAME.crt."`
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

	Organisation string   `placeholder:"NAME" help:"The organisation of the CA: it issues the names of --names only, and the others list it by this name."`
	Names        []string `placeholder:"NAME,..." help:"The names that it issues, with --organisation; one * in a name stands for any text."`
}

// Help returns the text that --help appends.
func (*certInitCmd) Help() string {
	return `Copy ca.crt to every node, dealer and submitter. ca.key issues certificates: keep it away from all nodes, readable only by you. With --organisation, ca.yaml lists the names that the CA issues, as the others list them in their configurations under tls: ca.

Examples:

    tacet cert init
    tacet cert init --dir ca --organisation clinic --names 'bob,bob-*,carol'
    tacet cert init --dir certs --days 730`
}

// Run creates the CA.
func (c *certInitCmd) Run(a app) error {
	days, err := valid(c.Days)
	if err != nil {
		return err
	}
	if (c.Organisation == "") != (len(c.Names) == 0) {
		return badUsage{errors.New("--organisation and --names belong together: the organisation of the CA and the names that it issues")}
	}
	if err := pki.Init(c.Dir, pki.Options{Valid: days, Force: c.Force, Organisation: c.Organisation, Names: c.Names}); err != nil {
		return certFailed(err)
	}
	if _, err = fmt.Fprintf(a.stdout, "created %s and %s\n", filepath.Join(c.Dir, "ca.crt"), filepath.Join(c.Dir, "ca.key")); err != nil || c.Organisation == "" {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "created %s: the names that the CA of %s issues\n", filepath.Join(c.Dir, "ca.yaml"), c.Organisation)
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
	return `A certificate and its key are an identity: every holder of NAME.key can act as NAME towards all that trust the CA. Transfer it securely to its owner's machine, with ca.crt. To renew a certificate, issue it again with --force. Where the owner is on another machine, prefer tacet cert request and tacet cert sign: then the key never leaves it.

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
	Files []string `arg:"" name:"FILE" help:"Files of certificates, or of requests (.csr)."`
}

// Help returns the text that --help appends.
func (*certShowCmd) Help() string {
	return `The fingerprints of keys are what tls: ca: keys pins; compare a request's with its owner, by telephone, before you sign it. The exit code is 1 if a certificate is not valid now.

Examples:

    tacet cert show alice.crt
    tacet cert show certs/*.crt
    tacet cert show bob.csr`
}

// Run shows the certificates and requests.
func (c *certShowCmd) Run(a app) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	now := time.Now()
	var invalid, prints []string
	header := false
	for _, path := range c.Files {
		if filepath.Ext(path) == ".csr" {
			r, err := pki.ReadRequest(path)
			if err != nil {
				return badUsage{err}
			}
			prints = append(prints, requestText(r, path))
			continue
		}
		certs, err := pki.Read(path)
		if err != nil {
			return badUsage{err}
		}
		if !header {
			fmt.Fprintln(t, "file\tof\talso\tissued by\tvalid from\tuntil\tstate")
			header = true
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
			prints = append(prints, fmt.Sprintf("%s: %s\n  organisation  %s\n  certificate   %s\n  key           %s\n",
				path, shown(x.Subject.CommonName), organisation(x), pki.Fingerprint(x), pki.KeyFingerprint(x)))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprint(a.stdout, strings.Join(prints, "")); err != nil {
		return err
	}
	if len(invalid) > 0 {
		return errors.New(strings.Join(invalid, "; "))
	}
	return nil
}

// organisation returns the organisation that a certificate states, as its issuer wrote it.
func organisation(x *x509.Certificate) string {
	if len(x.Subject.Organization) == 0 {
		return "-"
	}
	var out []string
	for _, o := range x.Subject.Organization {
		out = append(out, shown(o))
	}
	return strings.Join(out, " ")
}

// requestText describes a request.
func requestText(r *pki.Request, path string) string {
	hosts := "-"
	if len(r.Hosts) > 0 {
		hosts = strings.Join(r.Hosts, " ")
	}
	return fmt.Sprintf("%s: a request of %s\n  hosts         %s\n  key           %s\n", path, r.Name, hosts, r.Fingerprint)
}

type certRequestCmd struct {
	Name  string   `arg:"" name:"NAME" help:"The name for the certificate, by which configurations refer to its holder, such as bob."`
	Dir   string   `default:"." placeholder:"DIR" help:"The folder of the new files, created if it does not exist (default: this one)."`
	Host  []string `placeholder:"HOST" help:"A further host name or address for the certificate; may be repeated. The signer must give it too."`
	Renew bool     `help:"Request a new certificate for the existing key NAME.key."`
	Force bool     `help:"Replace an existing key and request."`
}

// Help returns the text that --help appends.
func (*certRequestCmd) Help() string {
	return `The key stays on this machine, readable only by you. Send the request to the CA of your organisation, and compare the key's fingerprint with the signer's. The answer, NAME.crt, belongs beside the key.

Examples:

    tacet cert request bob
    tacet cert request bob --renew           # the certificate expires; the key, and pins of it, stay
    tacet cert request bob --dir certs --host bob.example.org`
}

// Run creates the key and the request.
func (c *certRequestCmd) Run(a app) error {
	if c.Renew && c.Force {
		return badUsage{errors.New("--renew keeps the key, --force replaces it: give one of them")}
	}
	r, f, err := pki.NewRequest(c.Dir, c.Name, c.Renew, c.Force, c.Host...)
	if err != nil {
		return certFailed(err)
	}
	made := fmt.Sprintf("created %s and %s", f.Request, f.Key)
	if c.Renew {
		made = fmt.Sprintf("created %s for the key %s", f.Request, f.Key)
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n%s", made, requestText(r, f.Request))
	return err
}

type certSignCmd struct {
	Files []string `arg:"" name:"FILE.csr" help:"Requests, as tacet cert request writes them."`
	CA    string   `name:"ca" required:"" placeholder:"DIR" help:"The folder of the CA, with ca.crt and ca.key, and ca.yaml if it is an organisation's."`
	Out   string   `placeholder:"DIR" help:"The folder of the certificates, created if it does not exist (default: that of each request)."`
	Host  []string `placeholder:"HOST" help:"A further host name or address of the certificate; may be repeated. Hosts that a request names and you do not are refused."`
	Days  int      `default:"365" placeholder:"N" help:"Validity in days (default ${default})."`
	Force bool     `help:"Replace existing certificates: to renew them."`
}

// Help returns the text that --help appends.
func (*certSignCmd) Help() string {
	return `Signs NAME.csr and writes NAME.crt. The CA of an organisation signs only the names that its ca.yaml lists. Compare the fingerprint of the key with the one that the owner of the name sees: the request may have been exchanged on its way.

Examples:

    tacet cert sign bob.csr --ca ca
    tacet cert sign bob.csr --ca ca --force            # renews bob.crt
    tacet cert sign *.csr --ca ca --out certs --days 90`
}

// Run signs the requests.
func (c *certSignCmd) Run(a app) error {
	days, err := valid(c.Days)
	if err != nil {
		return err
	}
	for _, path := range c.Files {
		r, err := pki.ReadRequest(path)
		if err != nil {
			return badUsage{err}
		}
		dir := c.Out
		if dir == "" {
			dir = filepath.Dir(path)
		}
		to := filepath.Join(dir, r.Name+".crt")
		if err := pki.Sign(c.CA, r, to, pki.Options{Valid: days, Force: c.Force}, c.Host...); err != nil {
			return certFailed(err)
		}
		if _, err := fmt.Fprintf(a.stdout, "created %s of %s, with the key %s\n", to, r.Name, r.Fingerprint); err != nil {
			return err
		}
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
