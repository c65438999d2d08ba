//go:build !(darwin || linux)

package durable

import "os"

// Identity returns "": what tells a file from every copy of it is not known on this system.
func Identity(*os.File) (string, error) { return "", nil }
