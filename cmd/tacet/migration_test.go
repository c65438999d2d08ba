package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestSecretFlowPage: the commands and flags that docs/secretflow-migration.md names exist, and its examples are read.
func TestSecretFlowPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/secretflow-migration.md")
	if err != nil {
		t.Fatal(err)
	}
	parser := func() *kong.Kong {
		p, err := kong.New(new(commands), kong.Name("tacet"), helpVars())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	model := parser().Model
	flags := map[string]map[string]bool{} // by command
	all := map[string]bool{}
	for _, c := range model.Leaves(true) {
		of := map[string]bool{}
		for _, group := range c.AllFlags(true) {
			for _, f := range group {
				of["--"+f.Name], all["--"+f.Name] = true, true
				if f.Tag != nil && f.Tag.Negatable != "" {
					of["--no-"+f.Name], all["--no-"+f.Name] = true, true
				}
			}
		}
		flags[strings.TrimPrefix(c.FullPath(), "tacet ")] = of
	}
	known := func(command, flag string) bool {
		flag, _, _ = strings.Cut(flag, "=")
		return command == "" && all[flag] || flags[command][flag]
	}
	spans, examples := 0, 0
	outside := ""
	for i, part := range strings.Split(string(text), "```") {
		if i%2 == 0 {
			outside += part
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(part), "\n") {
			args := strings.Fields(line)
			if args[0] != "tacet" {
				t.Errorf("%s is no command of tacet", line)
				continue
			}
			if examples++; strings.HasPrefix(line, "tacet submit") || strings.HasPrefix(line, "tacet plan") {
				continue // they name files that would be opened
			}
			if _, err := parser().Parse(args[1:]); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(outside, -1) {
		words := strings.Fields(m[1])
		command := ""
		if words[0] == "tacet" && len(words) > 1 {
			for n := 2; n > 0 && command == ""; n-- {
				if path := strings.Join(words[1:min(len(words), 1+n)], " "); flags[path] != nil {
					command = path
				}
			}
			if command == "" {
				t.Errorf("there is no command %q", m[1])
				continue
			}
			spans++
		}
		for _, w := range words {
			if strings.HasPrefix(w, "--") {
				if spans++; !known(command, w) {
					t.Errorf("%q: there is no flag %s", m[1], w)
				}
			}
		}
	}
	if spans < 40 || examples < 7 {
		t.Errorf("the page names %d commands and flags, and has %d examples", spans, examples)
	}
}
