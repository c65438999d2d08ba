package kit

import (
	"fmt"
	"strings"
)

// Names are quoted, since YAML would read some, such as true or 17, as other types.

// tlsText returns the tls key of the configuration of a name; up is the relative path of the cluster's
// folder, with a slash.
func tlsText(up, name string) string {
	return fmt.Sprintf("tls: {cert: %q, key: %q, ca: %q}\n", up+name+".crt", up+name+".key", up+"ca.crt")
}

// addresses returns the addresses of all parties except one, as a YAML mapping.
func (k *Kit) addresses(but string) string {
	var out []string
	for _, m := range k.Parties {
		if m.Name != but {
			out = append(out, fmt.Sprintf("%q: %q", m.Name, m.Address))
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// dealerAddress returns the dealer's key of configurations, "" if the cluster has no dealer.
func (k *Kit) dealerAddress() string {
	if !k.dealt() {
		return ""
	}
	return fmt.Sprintf("dealer: {name: %q, address: %q}\n", Dealer, k.Dealer.Address)
}

func (k *Kit) clusterText() string {
	return "# Made by tacet, for submitting jobs as the admin. docs/nodes.md has all keys.\n" +
		tlsText("", Admin) +
		"nodes: " + k.addresses("") + "\n" +
		k.dealerAddress()
}

func (k *Kit) dealerText() string {
	names := make([]string, len(k.Parties))
	for i, m := range k.Parties {
		names[i] = m.Name
	}
	return "# The dealer, made by tacet. docs/nodes.md has all keys.\n" +
		fmt.Sprintf("name: %q\nlisten: %q\n", Dealer, k.Dealer.Listen) +
		tlsText("../", Dealer) +
		"parties: " + quoted(names) + "\n"
}

func (k *Kit) nodeText(m *Daemon) string {
	return "# A party's node, made by tacet. docs/nodes.md has all keys.\n" +
		fmt.Sprintf("name: %q\nlisten: %q\n", m.Name, m.Listen) +
		tlsText("../", m.Name) +
		"peers: " + k.addresses(m.Name) + "\n" +
		k.dealerAddress() +
		"data: " + quoted(m.Data) + " # inputs are read from these folders only\n" +
		"state: state\n" + k.pairState() +
		"policy: " + policyFile + "\n"
}

// pairState returns the key of nodes without a dealer with which they keep keys for later sessions.
func (k *Kit) pairState() string {
	if k.dealt() {
		return ""
	}
	return "pair_state: 24h # what two parties keep from one session to the next, with protocol cheetah\n"
}

// quoted returns texts as a YAML list.
func quoted(texts []string) string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// policyText returns the policy of a node that allows the admin everything, with the kit's protocols.
func (k *Kit) policyText() string {
	protocols := "any"
	if len(k.Protocols) > 0 {
		protocols = quoted(k.Protocols)
	}
	return policyStart + "    protocols: " + protocols + policyRest
}

const policyStart = `# For tests only: the holder of admin.key may run any program on any file of the
# data folders, and learn anything from it. The policy of a real party names
# programs, inputs and the parties that may learn results (docs/nodes.md).
admins: [` + Admin + `]
rules:
  - name: everything
    submitters: [` + Admin + `]
    programs: any
`

const policyRest = `
    arguments: any
    inputs: any
    reveal: any
    reveals: any
    ranges: true
    keep: any
    kept: any
    joins: any
    keys: any
`
