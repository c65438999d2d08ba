package ops

import (
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Daemon has the settings that all daemons share. They are keys at the top of a node's or dealer's configuration
// file.
type Daemon struct {
	File    string    // path of the configuration file; "" if there is none
	Name    string    // the daemon's name in its certificate
	Listen  string    // host:port at which the daemon listens for other daemons and clients
	TLS     pki.Files // files of the daemon's identity
	Metrics string    // host:port of the Server for metrics and health; "" for none
	PProf   bool      // serve Go's runtime profiles at the same address
	Log     string    // minimum level of logged events
	LogFile LogFile   // where the log goes
}

// Fields adds the keys of all daemons, which set fields of d, to others and returns others.
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

// Required is a key that a configuration must set: its name, the value that was read ("" if it is missing), and
// a description for the error.
type Required struct{ Key, Value, What string }

// hasCA returns a text that is empty if no CA is named.
func hasCA(f *pki.Files) string {
	if f.HasCA() {
		return "set"
	}
	return ""
}

// CheckOwned returns an error if no organisation under tls may issue one of names, which stand under key in the
// file at path.
func (d *Daemon) CheckOwned(path, key string, names ...string) error {
	for _, name := range names {
		if err := d.TLS.CheckOwned(name); err != nil {
			return yamlfile.Wrong(path, "%s: %w", key, err)
		}
	}
	return nil
}

// Check returns an error for the file at path if a key is missing that all daemons need, or one of beside, or if
// values contradict each other.
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
