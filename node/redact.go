package node

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// redact returns the text of an error as readers outside this machine may see it: without the paths of
// this node's folders and of its inputs. The node's log gets the whole text, if they differ.
func (n *Node) redact(err error) string {
	text := err.Error()
	shown := n.config.redactPaths(text)
	if shown != text {
		n.log.Warn("an error names paths, which others do not see", "error", text)
	}
	return shown
}

// redactPaths returns text without paths of this machine: inputs have the names that policies use, and
// files in the state folder and the store are named relative to it.
func (c *Config) redactPaths(text string) string {
	type path struct{ path, name string }
	var hidden []path
	folder := func(dir string) {
		for _, p := range folderPaths(dir) {
			if p != "" && filepath.Clean(p) != string(filepath.Separator) {
				hidden = append(hidden, path{filepath.Clean(p) + string(filepath.Separator), ""})
			}
		}
	}
	folder(c.State)
	folder(c.Store)
	folder(c.pairFolder())
	for _, dir := range c.Data {
		folder(dir)
	}
	for name, file := range c.Catalogue {
		for _, p := range folderPaths(file) {
			hidden = append(hidden, path{p, name})
		}
	}
	slices.SortFunc(hidden, func(a, b path) int { // the longest first: a file before its folder
		return cmp.Or(cmp.Compare(len(b.path), len(a.path)), cmp.Compare(a.path, b.path), cmp.Compare(a.name, b.name))
	})
	for _, h := range hidden {
		text = replacePath(text, h.path, h.name)
		if quoted := strings.Trim(strconv.Quote(h.path), `"`); quoted != h.path {
			text = replacePath(text, quoted, h.name)
		}
	}
	return text
}

// replacePath replaces a path in a text. A path that is the end of a longer name, such as state/ in
// upstate/, stays.
func replacePath(text, path, name string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, path)
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i])
		if i > 0 && partOfName(text[i-1]) {
			b.WriteString(path)
		} else {
			b.WriteString(name)
		}
		text = text[i+len(path):]
	}
}

// partOfName reports whether a byte before a path makes it the end of a longer one.
func partOfName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/' || c >= 0x80
}
