package main

import (
	"os"
	"strings"
	"testing"
)

// The example in the README.
func Example() {
	main()
	// Output:
	// weights [2.6 -1.6 -0.1 1.8 -2.0], loss 0.17
}

// TestREADME has the program in the README, and at most 40 lines of it.
func TestREADME(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(program), "\n"); n > 40 {
		t.Errorf("the program has %d lines", n)
	}
	_, body, _ := strings.Cut(string(program), "\nfunc main")
	if !strings.Contains(string(readme), "func main"+strings.TrimSpace(body)) {
		t.Error("README.md does not contain the function main of examples/training/main.go")
	}
}
