package ops

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tacet-mpc/tacet/pki"
)

// warnEvery is the time between two warnings about the same certificate.
const warnEvery = 24 * time.Hour

// Certificates is a daemon's identity, with methods that reload it from the configured files and log when
// certificates expire.
type Certificates struct {
	*pki.Identity
	daemon Daemon
	read   func(path string) (pki.Files, error)
	log    *slog.Logger
}

// LoadCertificates loads the identity of daemon d. kind describes the daemon in log messages: "node" or
// "dealer". read returns the files that the configuration file at path names now under tls; Reload calls it.
func LoadCertificates(d Daemon, kind string, log *slog.Logger, read func(path string) (pki.Files, error)) (*Certificates, error) {
	id, err := pki.Load(d.TLS)
	if err != nil {
		return nil, err
	}
	if id.Name() != d.Name {
		return nil, fmt.Errorf("%s is the certificate of %s, but the %s's name is %s", d.TLS.Cert, id.Name(), kind, d.Name)
	}
	return &Certificates{id, d, read, log}, nil
}

// Reload reads the key tls in the daemon's configuration file again, and the files that it names. Later
// handshakes use them; open connections, and so running jobs, are not affected. If anything is wrong, the
// previous certificates stay, and the error is logged and returned.
func (c *Certificates) Reload() error {
	files, err := c.daemon.TLS, error(nil)
	if c.daemon.File != "" {
		files, err = c.read(c.daemon.File)
	}
	if err == nil {
		err = c.Identity.Reload(files)
	}
	if err != nil {
		c.log.Error("certificates not reloaded; the previous ones stay in use", "error", err.Error())
		return err
	}
	c.log.Info("certificates reloaded", "identity", c.Identity.String(), "expires", c.Expiries()[0].Expires)
	c.warn()
	return nil
}

// Watch logs which certificates expire soon, at once and then once a day, until ctx ends.
func (c *Certificates) Watch(ctx context.Context) {
	for {
		c.warn()
		select {
		case <-time.After(warnEvery):
		case <-ctx.Done():
			return
		}
	}
}

// warn logs which certificates expire soon, and CAs that are not limited to names beside others.
func (c *Certificates) warn() {
	for _, e := range c.Expiries() {
		if e.Warning != "" {
			c.log.Warn("a certificate expires", "of", e.Of, "ca", e.CA, "organisation", e.Organisation,
				"fingerprint", e.Fingerprint, "warning", e.Warning)
		}
	}
	if all := c.OpenTrust(); all != nil {
		c.log.Warn("each of several CAs may issue any name; unless they are one organisation's, "+
			"list organisations with their names under tls: ca", "cas", all)
	}
}

// CheckIdentities logs a warning for each of these identities that no certificate can have. policy is the path
// of the policy file that names them.
func (c *Certificates) CheckIdentities(policy string, identities []string) {
	for _, name := range identities {
		if err := c.CheckIdentity(name); err != nil {
			c.log.Warn("the policy names an identity that no certificate can have", "file", policy, "error", err.Error())
		}
	}
}
