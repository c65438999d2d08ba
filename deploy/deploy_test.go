// Package deploy contains no code; its test checks the configuration files of this folder.
package deploy

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/cluster/launch"
	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/node/policy"
)

// at follows mapping keys and list indices in parsed YAML.
func at(v any, path ...any) any {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[s]
		case int:
			l, _ := v.([]any)
			if s >= len(l) {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

// documents reads all documents of a file.
func documents(t *testing.T, path string) (out []any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err != nil {
			if err.Error() != "EOF" {
				t.Fatalf("%s: %v", path, err)
			}
			return out
		}
		out = append(out, v)
	}
}

// want compares a value in a document.
func want(t *testing.T, what string, doc, value any, path ...any) {
	t.Helper()
	if got := at(doc, path...); fmt.Sprint(got) != fmt.Sprint(value) {
		t.Errorf("%s: %v is %v, want %v", what, path, got, value)
	}
}

var parties = []string{"alice", "bob"}

// TestConfigs checks that the daemons accept the configurations of the containers.
func TestConfigs(t *testing.T) {
	for _, p := range parties {
		c, err := node.ReadConfig(filepath.Join("config", p, "node.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != p || len(c.Peers) != len(parties)-1 || c.Dealer.Name != "dealer" || c.State != "/state" || c.Store != "/store" ||
			!slices.Equal(c.Data, []string{"/data"}) ||
			c.TLS.Key != "/certs/tls.key" {
			t.Errorf("%+v", c)
		}
		rules, err := policy.Read(c.Policy, p)
		if err != nil {
			t.Fatal(err)
		}
		if len(rules.Rules) != 1 || !rules.Rules[0].Approve || rules.Rules[0].Inputs.Any || rules.Rules[0].Reveal.Any {
			t.Errorf("an example that allows much: %+v", rules.Rules)
		}
	}
	d, err := dealer.ReadConfig(filepath.Join("config", "dealer", "dealer.yaml"))
	if err != nil || d.Name != "dealer" || !slices.Equal(d.Parties, parties) || d.TLS.Key != "/certs/tls.key" {
		t.Errorf("%+v, %v", d, err)
	}
	c, err := cluster.Read(filepath.Join("config", "carol", "cluster.yaml"))
	if err != nil || len(c.Nodes) != len(parties) {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestOrganisationConfigs checks the files of docs/two-organisations.md: who trusts whom, and that rules allow
// one program only.
func TestOrganisationConfigs(t *testing.T) {
	text, err := os.ReadFile("organisations/score.mlir")
	if err != nil {
		t.Fatal(err)
	}
	score := fmt.Sprintf("sha256:%x", sha256.Sum256(text))
	for of, p := range map[string]string{"hospital": "alice", "clinic": "bob"} {
		c, err := node.ReadConfig(filepath.Join("organisations", of, "node.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != p || c.State != "/var/lib/tacet" || c.Store != "/var/cache/tacet" || c.TLS.CA != "" || len(c.TLS.Organisations) != 3 {
			t.Errorf("%+v", c)
		}
		rules, err := policy.Read(filepath.Join("organisations", of, "policy.yaml"), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules.Rules {
			if r.Programs.Any || !slices.Equal(r.Programs.List, []string{score}) || r.Inputs.Any || !slices.Equal(r.Reveal.List, []string{"alice"}) {
				t.Errorf("%s: a rule that allows much, or another program than %s: %+v", of, score, r)
			}
		}
		if _, err := cluster.Read(filepath.Join("organisations", of, "cluster.yaml")); err != nil {
			t.Error(err)
		}
	}
	d, err := dealer.ReadConfig("organisations/trustee/dealer.yaml")
	if err != nil || !slices.Equal(d.Parties, parties) || len(d.TLS.Organisations) != 3 {
		t.Errorf("%+v, %v", d, err)
	}
	service := at(documents(t, "organisations/compose.yaml")[0], "services", "node")
	want(t, "compose", service, []any{"node", "--config", "/etc/tacet/node.yaml"}, "command")
	want(t, "compose", service, "host", "network_mode")
	want(t, "compose", service, true, "read_only")
	want(t, "compose", service, []any{"/etc/tacet:/etc/tacet:ro", "/srv/tacet:/srv/tacet:ro", "/var/lib/tacet:/var/lib/tacet",
		"/var/cache/tacet:/var/cache/tacet"}, "volumes")
}

// TestDocs checks that docs/nodes.md describes every configuration key.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/nodes.md")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.yaml")
	readNode := func() error { _, err := node.ReadConfig(file); return err }
	readPolicy := func() error { _, err := policy.Read(file, "alice"); return err }
	readDealer := func() error { _, err := dealer.ReadConfig(file); return err }
	readCluster := func() error { _, err := cluster.Read(file); return err }
	readHosts := func() error { _, err := launch.Read(file); return err }
	for _, c := range []struct {
		text string // has an unknown key: the refusal lists the known ones
		read func() error
	}{
		{"no: 1", readNode}, {"tls: {no: 1}", readNode}, {"tls: {ca: {h: {no: 1}}}", readNode}, {"limits: {no: 1}", readNode}, {"log: {no: 1}", readNode},
		{"no: 1", readHosts}, {"nodes: {alice: {no: 1}}", readHosts}, {"no: 1", readPolicy}, {"rules: [{no: 1}]", readPolicy}, {"no: 1", readCluster},
		{"no: 1", readDealer}, {"limits: {no: 1}", readDealer}, {"log: {no: 1}", readDealer},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := c.read()
		_, list, ok := strings.Cut(fmt.Sprint(err), "(it has ")
		if !ok {
			t.Fatalf("%s: %v", c.text, err)
		}
		for key := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ", ") {
			if !regexp.MustCompile("(?m)(^|[`{, ])" + key + "[`,:}]").Match(page) {
				t.Errorf("docs/nodes.md does not say what %s is (%s)", key, c.text)
			}
		}
	}
}

func TestCompose(t *testing.T) {
	docs := documents(t, "compose.yaml")
	services, _ := at(docs[0], "services").(map[string]any)
	if len(docs) != 1 || len(services) != len(parties)+1 {
		t.Fatalf("%d documents, services %v", len(docs), services)
	}
	for name, s := range services {
		command := []any{"node", "--config", "/config/node.yaml"}
		if name == "dealer" {
			command = []any{"dealer", "--config", "/config/dealer.yaml"}
		}
		want(t, name, s, command, "command")
		want(t, name, s, "tacet", "image")
		want(t, name, s, true, "read_only")
		want(t, name, s, "deploy/Dockerfile", "build", "dockerfile")
		mounts := fmt.Sprint(at(s, "volumes"))
		for _, m := range []string{"./config/" + name + ":/config:ro", "./certs/" + name + ".key:/certs/tls.key:ro", "./certs/ca.crt:/certs/ca.crt:ro"} {
			if !strings.Contains(mounts, m) {
				t.Errorf("%s: no %s in %s", name, m, mounts)
			}
		}
		for _, folder := range []string{"state", "store"} {
			if strings.Contains(mounts, "./"+folder+"/"+name+":/"+folder) != (name != "dealer") {
				t.Errorf("%s: %s", name, mounts)
			}
		}
	}
}

func TestKubernetes(t *testing.T) {
	for _, p := range append([]string{"dealer"}, parties...) {
		kinds := map[string]any{}
		for _, d := range documents(t, filepath.Join("kubernetes", p+".yaml")) {
			kinds[fmt.Sprint(at(d, "kind"))] = d
			want(t, p, d, p, "metadata", "labels", "party")
		}
		command, workload := "node", kinds["StatefulSet"]
		if p == "dealer" {
			command, workload = "dealer", kinds["Deployment"]
		} else {
			want(t, p, workload, p, "spec", "serviceName")
			want(t, p, workload, "state", "spec", "volumeClaimTemplates", 0, "metadata", "name")
			want(t, p, workload, "map[emptyDir:map[] name:store]", "spec", "template", "spec", "volumes", 3) // on no volume that is backed up
			want(t, p, kinds["PersistentVolumeClaim"], p+"-data", "metadata", "name")
			want(t, p, workload, p+"-data", "spec", "template", "spec", "volumes", 2, "persistentVolumeClaim", "claimName")
		}
		if workload == nil {
			t.Fatalf("%s: %v", p, kinds)
		}
		want(t, p, kinds["Service"], 7000, "spec", "ports", 0, "port")
		want(t, p, kinds["Service"], p, "spec", "selector", "party")
		want(t, p, workload, 1, "spec", "replicas")
		want(t, p, workload, p, "spec", "selector", "matchLabels", "party")
		want(t, p, workload, p, "spec", "template", "metadata", "labels", "party")
		pod := at(workload, "spec", "template", "spec")
		want(t, p, pod, true, "securityContext", "runAsNonRoot")
		want(t, p, pod, p+"-config", "volumes", 0, "configMap", "name")
		want(t, p, pod, p+"-certs", "volumes", 1, "secret", "secretName")
		want(t, p, pod, 0o440, "volumes", 1, "secret", "defaultMode") // pki refuses keys that every user may read
		container := at(pod, "containers", 0)
		want(t, p, container, []any{command, "--config", "/config/" + command + ".yaml"}, "args")
		want(t, p, container, "/health", "readinessProbe", "httpGet", "path")
		want(t, p, container, "metrics", "readinessProbe", "httpGet", "port")
		want(t, p, container, 9100, "ports", 1, "containerPort")
		want(t, p, container, "tacet", "livenessProbe", "tcpSocket", "port")
	}
}

// TestKustomization checks that the files exist and have the names that the pods use.
func TestKustomization(t *testing.T) {
	k := documents(t, "kustomization.yaml")[0]
	names := map[string]bool{}
	for _, list := range []string{"configMapGenerator", "secretGenerator"} {
		items, _ := at(k, list).([]any)
		for _, g := range items {
			names[fmt.Sprint(at(g, "name"))] = true
			files, _ := at(g, "files").([]any)
			for _, f := range files {
				if path := fmt.Sprint(f); list == "configMapGenerator" {
					if _, err := os.Stat(path); err != nil {
						t.Error(err)
					}
				} else if !strings.Contains(path, "=certs/") {
					t.Errorf("secret from %s", path)
				}
			}
		}
	}
	for _, p := range append([]string{"dealer"}, parties...) {
		if !names[p+"-config"] || !names[p+"-certs"] {
			t.Errorf("%s: %v", p, names)
		}
		if !strings.Contains(fmt.Sprint(at(k, "resources")), "kubernetes/"+p+".yaml") {
			t.Errorf("%s is not taken in", p)
		}
	}
}

func TestSystemd(t *testing.T) {
	for _, command := range []string{"node", "dealer"} {
		text, err := os.ReadFile("systemd/tacet-" + command + ".service")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			"ExecStart=/usr/local/bin/tacet " + command + " --config /etc/tacet/" + command + ".yaml", "User=tacet", "Restart=on-failure",
			"TimeoutStopSec=60", "NoNewPrivileges=yes", "ProtectSystem=strict",
		} {
			if !strings.Contains(string(text), "\n"+line+"\n") {
				t.Errorf("%s: no line %s", command, line)
			}
		}
		if _, err := exec.LookPath("systemd-analyze"); err == nil { // that the program is not installed is all it may say
			out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "systemd/tacet-"+command+".service").CombinedOutput()
			for line := range strings.Lines(string(out)) {
				if strings.HasPrefix(line, "tacet-") && !strings.Contains(line, "/usr/local/bin/tacet is not executable") {
					t.Errorf("%v: %s", err, line)
				}
			}
		}
		for _, folder := range []string{"State", "Cache"} {
			if strings.Contains(string(text), "\n"+folder+"Directory=tacet\n") != (command == "node") {
				t.Errorf("%s: %s", command, folder)
			}
		}
	}
}
