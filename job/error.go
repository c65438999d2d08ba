package job

import (
	"strings"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// Error is an error in a job, its settings or its files that the user must correct, found before anything was
// sent. Its place is a line of the job file, a file of values, or a flag. Its kind is problem.Usage.
type Error = yamlfile.Error

// wrong returns an Error; the format may wrap a cause with %w.
func wrong(place, format string, args ...any) error {
	return yamlfile.Wrong(place, format, args...)
}

// list joins names for a message.
func list(names []string) string { return strings.Join(names, ", ") }
