package local

import (
	"fmt"
	"slices"
	"strings"
)

// tlsText names an identity's files, which lie in the folder above a daemon's.
func tlsText(up, name string) string {
	return fmt.Sprintf("tls: {cert: %q, key: %q, ca: %q}\n", up+name+".crt", up+name+".key", up+"ca.crt")
}

func clusterText(dealer string, parties, nodes []string) string {
	return "# A test cluster on this machine, made by tacet up, for whoever submits jobs to it.\n" +
		tlsText("", adminName) +
		"nodes: " + pairs(parties, nodes) + "\n" +
		"dealer: {name: " + dealerName + ", address: " + dealer + "}\n"
}

func dealerText(address string, parties []string) string {
	quoted := make([]string, len(parties))
	for i, name := range parties {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return "# The dealer of a test cluster, made by tacet up. docs/nodes.md has all keys.\n" +
		"name: " + dealerName + "\n" +
		"listen: " + address + "\n" +
		tlsText("../", dealerName) +
		"parties: [" + strings.Join(quoted, ", ") + "]\n"
}

// nodeText is the configuration of the party of a rank.
func nodeText(rank int, dealer string, parties, nodes []string, data string) string {
	others := slices.Delete(slices.Clone(parties), rank, rank+1)
	theirs := slices.Delete(slices.Clone(nodes), rank, rank+1)
	return "# A party's node in a test cluster, made by tacet up. docs/nodes.md has all keys.\n" +
		fmt.Sprintf("name: %q\n", parties[rank]) +
		"listen: " + nodes[rank] + "\n" +
		tlsText("../", parties[rank]) +
		"peers: " + pairs(others, theirs) + "\n" +
		"dealer: {name: " + dealerName + ", address: " + dealer + "}\n" +
		fmt.Sprintf("data: [%q] # inputs are read from there, and from nowhere else\n", data) +
		"state: state\n" +
		"policy: policy.yaml\n"
}

func policyText() string {
	return `# For tests on one machine only: whoever has admin.key may run any program on
# any file of the data folder, and learn anything from it. The policy of a real
# party names programs, inputs and who may learn results (docs/nodes.md).
admins: [` + adminName + `]
rules:
  - name: everything
    submitters: [` + adminName + `]
    inputs: any
    reveal: any
    reveals: any
`
}
