package main

import (
	"fmt"
	"slices"
	"strings"
)

// What Tacet is to have and has not yet. Named here so that who tries one is
// told so, instead of being told that it does not exist.
var (
	laterCommands = []string{"node", "dealer", "submit", "jobs", "approve", "cancel", "fetch", "up", "down", "launch", "cert", "study"}
	laterFlags    = []string{"--ranges"}
)

// notBuilt refuses commands and flags that are still to come.
func notBuilt(args []string) error {
	if len(args) > 0 && slices.Contains(laterCommands, args[0]) {
		return fmt.Errorf("command %s is not built yet (see tacet --help for those there are)", args[0])
	}
	for _, arg := range args {
		if name, _, _ := strings.Cut(arg, "="); slices.Contains(laterFlags, name) {
			return fmt.Errorf("flag %s is not built yet", name)
		}
	}
	return nil
}
