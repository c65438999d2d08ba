package ops

import (
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Daemon holds the configuration values that all daemons have.
type Daemon struct {
	File    string // path of the configuration file; "" if there is none
	Name    string // the certificate's name
	Listen  string
	TLS     pki.Files
	Metrics string // plain HTTP address of metrics and health; "": not served
	PProf   bool   // serve Go profiles at the same address
	Log     string // minimum level
	LogFile LogFile
}

// Fields adds the keys of all daemons to others and returns it.
func (d *Daemon) Fields(others yamlfile.Fields) yamlfile.Fields {
	d.Log = "info"
	others["name"] = yamlfile.Name(&d.Name)
	others["listen"] = yamlfile.Address(&d.Listen)
	others["tls"] = pki.Paths(&d.TLS)
	others["metrics"] = yamlfile.Address(&d.Metrics)
	others["pprof"] = yamlfile.Bool(&d.PProf)
	others["log"] = func(key string, v yamlfile.Value) error {
		return v.Mapping(key, d.LogFile.fields(&d.Log))
	}
	return others
}

// Required is a key that must be set: its name, its value, and a description for messages.
type Required struct{ Key, Value, What string }

// hasCA returns a text that is empty if no CA is named.
func hasCA(f *pki.Files) string {
	if f.HasCA() {
		return "set"
	}
	return ""
}

// CheckOwned refuses the names under a key that no organisation may issue.
func (d *Daemon) CheckOwned(path, key string, names ...string) error {
	for _, name := range names {
		if err := d.TLS.CheckOwned(name); err != nil {
			return yamlfile.Wrong(path, "%s: %w", key, err)
		}
	}
	return nil
}

// Check returns an error for the file path if a key that all daemons need, or one of beside, is
// missing, or if values are inconsistent.
func (d *Daemon) Check(path string, beside ...Required) error {
	for _, r := range append([]Required{
		{"name", d.Name, "the name in its certificate"}, {"listen", d.Listen, "the address at which others reach it"},
		{"tls: cert", d.TLS.Cert, "its certificate"}, {"tls: key", d.TLS.Key, "its private key"}, {"tls: ca", hasCA(&d.TLS), "the certificates of the trusted CAs, or the organisations with their CAs and names"},
	}, beside...) {
		if r.Value == "" {
			return yamlfile.Wrong(path, "%s is missing: %s", r.Key, r.What)
		}
	}
	if err := d.TLS.CheckOwned(d.Name); err != nil {
		return yamlfile.Wrong(path, "name: %w", err)
	}
	if err := CheckLevel(d.Log); err != nil {
		return yamlfile.Wrong(path, "log: %w", err)
	}
	if d.PProf && d.Metrics == "" {
		return yamlfile.Wrong(path, "pprof is served at the metrics address: set metrics")
	}
	return nil
}
