package main

import (
	"fmt"
	"slices"
)

// What Tacet is to have and has not yet. Named here so that who tries one is
// told so, instead of being told that it does not exist.
var laterCommands = []string{"dealer"}

// notBuilt refuses commands that are still to come.
func notBuilt(args []string) error {
	if len(args) > 0 && slices.Contains(laterCommands, args[0]) {
		return fmt.Errorf("command %s is not built yet (see tacet --help for those there are)", args[0])
	}
	return nil
}
