package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	const tls = "tls: {cert: me.crt, key: me.key, ca: ca.crt}\n"
	for text, want := range map[string]string{
		tls + "nodes: {alice: '127.0.0.1:7001'}":                    "",
		tls:                                                         "cluster.yaml: nodes is missing",
		"nodes: {alice: '127.0.0.1:7001'}":                          "cluster.yaml: tls is missing",
		tls + "nodes: {alice: nowhere}":                             "cluster.yaml:2: nodes: alice: want an address",
		tls + "nodes: {a/b: '127.0.0.1:7001'}":                      "cluster.yaml:2: nodes:",
		tls + "nodes: {alice: '127.0.0.1:7001'}\nport: 3":           `cluster.yaml:3: a cluster has no key "port"`,
		tls + "nodes: {alice: '127.0.0.1:7001'}\ndealer: {name: 3}": "cluster.yaml:3: name: want a text",
		"tls: {cert: me.crt, key: me.key, ca: {h: {file: h.crt, names: ['al*']}}}\nnodes: {alice: '127.0.0.1:7001'}":                        "",
		"tls: {cert: me.crt, key: me.key, ca: {h: {file: h.crt, names: ['al*']}}}\nnodes: {alice: '127.0.0.1:7001', bob: '127.0.0.1:7002'}": "cluster.yaml: nodes: no organisation under tls: ca may issue the name bob",
		"tls: {cert: me.crt, key: me.key, ca: {h: {file: h.crt}}}\nnodes: {alice: '127.0.0.1:7001'}":                                        "cluster.yaml:1: ca: h: file and names belong together",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Read(file)
		if want == "" {
			if err != nil || c.Nodes["alice"] != "127.0.0.1:7001" || c.TLS.Cert != filepath.Join(filepath.Dir(file), "me.crt") {
				t.Errorf("%q: %+v, %v", text, c, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
