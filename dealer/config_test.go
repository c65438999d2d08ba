package dealer

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
)

const small = `name: dealer
listen: 127.0.0.1:7000
tls: {cert: dealer.crt, key: dealer.key, ca: ca.crt}
parties: [alice, bob]
`

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dealer.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadConfig(t *testing.T) {
	path := written(t, small)
	at := func(name string) string { return filepath.Join(filepath.Dir(path), name) }
	got, err := ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Daemon: ops.Daemon{
			File:   path,
			Name:   "dealer",
			Listen: "127.0.0.1:7000",
			TLS:    pki.Files{Cert: at("dealer.crt"), Key: at("dealer.key"), CA: at("ca.crt")},
			Log:    "info",
		},
		Parties: []string{"alice", "bob"}, Limits: DefaultLimits,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	got, err = ReadConfig(
		written(t, small+`limits: {sessions: 3, sessions_per_party: 2, memory: 2GiB, form: 1MiB, wait: 1m, beat: 2s, silence: 9s, drain: 5m}
metrics: 127.0.0.1:9100
pprof: true
log: {level: debug}
`),
	)
	if err != nil {
		t.Fatal(err)
	}
	limits := Limits{
		Sessions:          3,
		SessionsPerParty:  2,
		Memory:            2 << 30,
		Manifest:          1 << 20,
		Wait:              time.Minute,
		HeartbeatInterval: 2 * time.Second,
		HeartbeatTimeout:  9 * time.Second,
		Drain:             5 * time.Minute,
	}
	if got.Limits != limits || got.Metrics != "127.0.0.1:9100" || !got.PProf || got.Log != "debug" {
		t.Errorf("%+v", got)
	}
}

func TestConfigRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no name":        {"name: dealer\n", "", "name is missing"},
		"no address":     {"listen: 127.0.0.1:7000\n", "", "listen is missing"},
		"no key":         {"key: dealer.key, ", "", "tls: key is missing"},
		"no parties":     {"parties: [alice, bob]", "", "parties: list the names of two"},
		"one party":      {"[alice, bob]", "[alice]", "parties: list the names of two"},
		"itself":         {"[alice, bob]", "[alice, dealer]", "dealer is the dealer"},
		"twice":          {"[alice, bob]", "[alice, alice]", "alice is named twice"},
		"another key":    {"name: dealer", "name: dealer\ndata: x", `no key "data"`},
		"impatience":     {"name: dealer", "name: dealer\nlimits: {beat: 1s, silence: 1s}", "twice heartbeat"},
		"no sessions":    {"name: dealer", "name: dealer\nlimits: {sessions: 0}", "1 or more"},
		"profiles alone": {"name: dealer", "name: dealer\npprof: true", "set metrics"},
		"an alien party": {"ca: ca.crt", "ca: {h: {file: ca.crt, names: [dealer, alice]}}", "parties: no organisation under tls: ca may issue the name bob"},
		"not its own":    {"ca: ca.crt", "ca: {h: {file: ca.crt, names: [alice, bob]}}", "name: no organisation under tls: ca may issue the name dealer"},
		"no level":       {"name: dealer", "name: dealer\nlog: {level: loud}", `no log level "loud"`},
	} {
		_, err := ReadConfig(written(t, strings.Replace(small, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "dealer.yaml") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
