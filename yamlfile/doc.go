// Package yamlfile reads the YAML files that users write: job files, and the
// configurations of nodes, dealers, clusters and policies. It is strict,
// because a reader that guesses runs something else than was meant: a key that
// the format does not have, a key that stands twice, a value of another type,
// a second document are each refused, with the line and what would be right:
//
//	job.yaml:3: a job has no key "rign" (it has expect, fraction, …)
//	node.yaml:9: memory: want a size such as 512MiB or 8GiB, got "8G"
//
// A format is a table of its keys, each with what reads it into a variable:
//
//	v, err := yamlfile.Read("node.yaml", "a node's configuration")
//	err = v.Mapping("a node's configuration", yamlfile.Fields{
//		"name":   yamlfile.Name(&c.Name),
//		"listen": yamlfile.Address(&c.Listen),
//		"state":  yamlfile.Path(&c.State),
//		"limits": c.limits, // a Field of the package's own, usually a Mapping again
//	})
//
// What was not named keeps the value that the variable had: defaults are set
// before. Anchors, aliases and tags have no place in these files and are
// refused as values.
package yamlfile
