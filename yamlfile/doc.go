// Package yamlfile reads the YAML files that users write: job files, and the configurations of nodes,
// dealers, clusters and policies. It is strict, because a lenient reader might run something other
// than what the user meant: an unknown key, a duplicate key, a value of the wrong type and a second
// document are refused, with the line and the expected value:
//
//	job.yaml:3: a job has no key "rign" (it has expect, fraction, …)
//	node.yaml:9: memory: want a size such as 512MiB or 8GiB, got "8G"
//
// A format is a table of its keys, each with the function that reads its value into a variable:
//
//	v, err := yamlfile.Read("node.yaml", "a node's configuration")
//	err = v.Mapping("a node's configuration", yamlfile.Fields{
//		"name":   yamlfile.Name(&c.Name),
//		"listen": yamlfile.Address(&c.Listen),
//		"state":  yamlfile.Path(&c.State),
//		"limits": c.limits, // a Field of the package's own, usually a Mapping again
//	})
//
// A variable whose key is absent keeps its value: set defaults before reading. Anchors, aliases and
// tags are refused as values.
package yamlfile
