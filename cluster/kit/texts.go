package kit

import (
	"fmt"
	"strings"
)

// Names are quoted: some, such as true or 17, would be no texts otherwise.

// tlsText names an identity's files.
func tlsText(up, name string) string {
	return fmt.Sprintf("tls: {cert: %q, key: %q, ca: %q}\n", up+name+".crt", up+name+".key", up+"ca.crt")
}

// addresses are those of all parties but one.
func (k *Kit) addresses(but string) string {
	var out []string
	for _, m := range k.Parties {
		if m.Name != but {
			out = append(out, fmt.Sprintf("%q: %q", m.Name, m.Address))
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (k *Kit) dealerAddress() string {
	return fmt.Sprintf("dealer: {name: %q, address: %q}\n", Dealer, k.Dealer.Address)
}

func (k *Kit) clusterText() string {
	return "# Made by tacet, for whoever submits jobs as the admin. docs/nodes.md has all keys.\n" +
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

func (k *Kit) nodeText(m *Member) string {
	return "# A party's node, made by tacet. docs/nodes.md has all keys.\n" +
		fmt.Sprintf("name: %q\nlisten: %q\n", m.Name, m.Listen) +
		tlsText("../", m.Name) +
		"peers: " + k.addresses(m.Name) + "\n" +
		k.dealerAddress() +
		"data: " + quoted(m.Data) + " # inputs are read from there, and from nowhere else\n" +
		"state: state\n" +
		"policy: " + policyFile + "\n"
}

// quoted is a list of texts.
func quoted(texts []string) string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

const policyText = `# For tests only: whoever has admin.key may run any program on any file of the
# data folders, and learn anything from it. The policy of a real party names
# programs, inputs and who may learn results (docs/nodes.md).
admins: [` + Admin + `]
rules:
  - name: everything
    submitters: [` + Admin + `]
    inputs: any
    reveal: any
    reveals: any
    ranges: true
    keep: any
    kept: any
`
