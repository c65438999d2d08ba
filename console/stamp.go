package console

import (
	"fmt"
	"os"
)

// stamp returns a text that changes when a file does.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path + ": " + err.Error()
	}
	return fmt.Sprintf("%s: %d bytes, %d", path, info.Size(), info.ModTime().UnixNano())
}
